"""Each die against a d8: what one range of contests comes to, as bands that add up to 100 %."""

from pathlib import Path

from oddsmith import odds
from oddsmith.answers.charts import SIDES, sides, stack
from oddsmith.render.figure import save_chart
from oddsmith.table import tabulate

DICE = (4, 6, 8, 10, 12, 20)


def main(folder: Path = Path(__file__).parent) -> None:
    duels = {die: sides(odds(f"d{die} vs d8")[0]) for die in DICE}
    table = tabulate(
        "A die against a d8", ("die", DICE), ("result", SIDES[:3]),
        lambda die, side: duels[die][SIDES.index(side)],
    )  # fmt: skip
    chart = stack(table)
    for ending in ("svg", "png"):
        save_chart(chart, str(folder / f"duels.{ending}"))


if __name__ == "__main__":
    main()
