"""Hook of the documentation site: each stored notebook becomes a page, with its outputs.

Text stays text, a cell of code becomes a block of code, what it printed a plain block; tables stay
HTML and pictures become files beside the page. Nothing is run.
"""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

NOTICE = "*A notebook with its outputs; its file is `{}`.*"


def fenced(text: str, language: str) -> str:
    """A block of code, with a fence that its text does not hold.

    >>> fenced("1 + 1", "python").split()[0]
    '```python'
    """
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}"


def shown(output: dict[str, Any], picture: str) -> tuple[str, bytes]:
    """An output as Markdown, and the bytes of its picture where it is one.

    Args:
        output: As a notebook stores it.
        picture: The name of a picture's file.
    """
    if "text" in output:
        return fenced("".join(output["text"]), "text"), b""
    data = output["data"]
    if "image/png" in data:
        about = output["metadata"].get("image/png", {}).get("alt", "")
        return f"![{about}]({picture})", b64decode("".join(data["image/png"]))
    if "text/html" in data:
        return "".join(data["text/html"]), b""
    return fenced("".join(data["text/plain"]), "text"), b""


def page_of(notebook: dict[str, Any], name: str) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown, and its pictures by the names of their files."""
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else fenced(text, "python"))
        for output in cell.get("outputs", ()):
            file = f"{name}-{len(pictures) + 1}.png"
            part, content = shown(output, file)
            parts.append(part)
            if content:
                pictures[file] = content
    title, rest = parts[0].partition("\n")[::2]
    parts[0] = f"{title}\n\n{rest.strip()}\n\n{NOTICE.format(f'notebooks/{name}.ipynb')}"
    return "\n\n".join(parts) + "\n", pictures


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, and its pictures."""
    folder = Path(config.config_file_path).parent / "notebooks"
    for path in sorted(folder.glob("*.ipynb")):
        text, pictures = page_of(json.loads(path.read_text(encoding="utf-8")), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, content in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    return files
