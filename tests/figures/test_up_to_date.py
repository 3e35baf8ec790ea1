"""Every figure is what its script draws."""

import runpy
from pathlib import Path

import pytest

FIGURES = Path(__file__).parents[2] / "figures"
SCRIPTS = sorted(FIGURES.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_drawn_again_it_is_the_same(script: Path, tmp_path: Path) -> None:
    runpy.run_path(str(script))["main"](tmp_path)
    drawn = sorted(tmp_path.iterdir())
    assert drawn
    for picture in drawn:
        kept = FIGURES / picture.name
        if picture.suffix == ".svg":
            assert picture.read_bytes() == kept.read_bytes(), f"run python figures/{script.name}"
        else:
            assert same_pixels(picture, kept), f"run python figures/{script.name}"


def same_pixels(first: Path, second: Path) -> bool:
    """PNG files may be packed differently; the pixels must not differ."""
    from matplotlib.image import imread

    return bool((imread(first) == imread(second)).all())
