"""Every notebook is run again, and each of its outputs has to be the stored one."""

from __future__ import annotations

import re
import warnings
from base64 import b64decode
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="the extra notebooks is not installed")
pytest.importorskip("nbclient", reason="the extra notebooks is not installed")
pytest.importorskip("ipykernel", reason="the extra notebooks is not installed")

HERE = Path(__file__).parents[2] / "notebooks"
NAMES = sorted(source.stem for source in (HERE / "src").glob("*.md"))
LINK = re.compile(r"\]\(([^)#]+)\)")
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
LARGEST = 600_000
"""Code hosts show no larger notebooks with ease."""


def builder() -> Any:
    """The module that builds the notebooks."""
    spec = spec_from_file_location("build_notebooks", HERE / "build.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = builder()


def stored(name: str) -> Any:
    return nbformat.read(HERE / f"{name}.ipynb", as_version=4)


def pixels(png: str) -> tuple[Any, bytes]:
    """A picture's size and pixels; files may be packed differently."""
    from matplotlib.image import imread

    found = imread(BytesIO(b64decode(png)), format="png")
    return found.shape, found.tobytes()


def shown(output: Any) -> dict[str, Any]:
    """What an output shows, by kind."""
    if output.output_type == "stream":
        return {output.name: output.text}
    if output.output_type == "error":
        return {"error": output.ename, "message": output.evalue}
    data = {
        kind: pixels(text) if kind == "image/png" else text for kind, text in output.data.items()
    }
    return {**data, "about": dict(output.metadata)}


def outputs(notebook: Any) -> list[dict[str, Any]]:
    """Of each code cell, in order."""
    return [shown(one) for cell in notebook.cells for one in cell.get("outputs", ())]


def test_there_are_notebooks() -> None:
    assert len(NAMES) >= 9
    assert sorted(path.stem for path in HERE.glob("*.ipynb")) == NAMES
    assert BUILD.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_run_again_it_shows_the_same(name: str) -> None:
    with warnings.catch_warnings():
        # what the client's own libraries will drop one day is no fault of the notebook
        warnings.filterwarnings(
            "ignore", category=DeprecationWarning, module="zmq|jupyter_client|nbclient|tornado"
        )
        again = BUILD.run(BUILD.unrun(name))
    before = stored(name)
    assert len(outputs(before)) > 5
    for old, new in zip(before.cells, again.cells, strict=True):
        same = [shown(one) for one in old.get("outputs", ())] == [
            shown(one) for one in new.get("outputs", ())
        ]
        assert same, f"run python notebooks/build.py {name}: another output of\n{new.source}"
        assert old.get("execution_count") == new.get("execution_count")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_built_from_its_source(name: str) -> None:
    fresh, kept = BUILD.unrun(name), stored(name)
    for new, old in zip(fresh.cells, kept.cells, strict=True):
        assert (new.cell_type, new.id, new.source) == (old.cell_type, old.id, old.source)
    assert kept.metadata == fresh.metadata


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_it_changes_by_itself(name: str) -> None:
    text = (HERE / f"{name}.ipynb").read_text(encoding="utf-8")
    assert len(text) < LARGEST
    for output in outputs(stored(name)):
        assert not {"error", "stderr"} & output.keys()
        for kind in ("stdout", "text/plain", "text/html"):
            assert not ADDRESS.search(output.get(kind, "")), kind
            assert str(HERE.parent) not in output.get(kind, "")
    assert all("execution" not in cell.metadata for cell in stored(name).cells)


@pytest.mark.parametrize("name", NAMES)
def test_no_output_needs_a_script_or_an_svg(name: str) -> None:
    for output in outputs(stored(name)):
        assert "<svg" not in output.get("text/html", "")
        assert "<script" not in output.get("text/html", "")
        assert "image/png" not in output or output["about"]["image/png"]["alt"]


@pytest.mark.parametrize("name", NAMES)
def test_it_tells_a_story(name: str) -> None:
    cells = stored(name).cells
    assert cells[0].source.startswith("# ")
    kinds = [cell.cell_type for cell in cells]
    assert "markdown" in kinds[-2:]
    assert sum("image/png" in output for output in outputs(stored(name))) >= 1
    assert any("assert " in cell.source for cell in cells if cell.cell_type == "code")


@pytest.mark.parametrize("page", [*NAMES, "README"])
def test_links_lead_somewhere(page: str) -> None:
    path = HERE / "README.md" if page == "README" else HERE / "src" / f"{page}.md"
    text = BUILD.BLOCK.sub("", path.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        assert (HERE / link).exists(), link


def test_a_difference_is_noticed() -> None:
    one = nbformat.v4.new_output("stream", name="stdout", text="1/2")
    other = nbformat.v4.new_output("stream", name="stdout", text="1/3")
    assert shown(one) != shown(other)
    error = nbformat.v4.new_output("error", ename="AssertionError", evalue="no", traceback=[])
    assert shown(error)["error"] == "AssertionError"


def test_a_cell_that_fails_stops_the_build() -> None:
    from nbclient.exceptions import CellExecutionError

    notebook = BUILD.unrun(NAMES[0])
    notebook.cells = [nbformat.v4.new_code_cell("assert 1 == 2", id="cell-01")]
    with pytest.raises(CellExecutionError, match="AssertionError"):
        BUILD.run(notebook)
