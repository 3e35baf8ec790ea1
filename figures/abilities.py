"""The README's picture: ability scores by two ways of rolling."""

from pathlib import Path

from oddsmith import odds
from oddsmith.render.figure import save

ANSWERS = odds('"4d6, keep the highest 3": 4d6kh3, "3d6": 3d6')


def main(folder: Path = Path(__file__).parent) -> None:
    for ending in ("svg", "png"):
        save(ANSWERS, str(folder / f"abilities.{ending}"))


if __name__ == "__main__":
    main()
