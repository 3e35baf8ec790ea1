"""Build the notebooks from their sources and run them: ``python notebooks/build.py``.

Each ``src/NAME.md`` becomes ``NAME.ipynb``: text is a Markdown cell, a ``python`` block is a code
cell. Names after the command build only those notebooks.

    python notebooks/build.py
    python notebooks/build.py 04-open-ended-dice
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nbformat import NotebookNode

HERE = Path(__file__).parent
SOURCES = HERE / "src"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SECONDS = 120
"""So long one cell may take."""


def names() -> list[str]:
    """All notebooks, in order."""
    return sorted(source.stem for source in SOURCES.glob("*.md"))


def unrun(name: str) -> NotebookNode:
    """The notebook of a source, without outputs."""
    text = (SOURCES / f"{name}.md").read_text(encoding="utf-8")
    cells = []
    # text and code take turns, because the pattern has one group
    for place, part in enumerate(BLOCK.split(text)):
        if part.strip():
            new = new_code_cell if place % 2 else new_markdown_cell
            cells.append(new(part.strip(), id=f"cell-{len(cells) + 1:02}"))
    notebook: NotebookNode = new_notebook(cells=cells, metadata={"kernelspec": dict(KERNEL)})
    return notebook


def run(notebook: NotebookNode) -> NotebookNode:
    """Run it in a kernel of its own; the outputs hold nothing that another run would change.

    Raises:
        CellExecutionError: Where a cell fails.
    """
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(HERE)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL})
    return notebook


def path(name: str) -> Path:
    """Where a notebook lies."""
    return HERE / f"{name}.ipynb"


def main(wanted: Sequence[str]) -> None:
    """Build some notebooks, or all."""
    for name in wanted or names():
        nbformat.write(run(unrun(name)), path(name))
        print(path(name).name)


if __name__ == "__main__":
    main(sys.argv[1:])
