"""To reach a number with a d20 and a modifier: the heat map of a text with two ranges."""

from pathlib import Path

from oddsmith.answers.charts import heat
from oddsmith.answers.template import table_of
from oddsmith.render.figure import save_chart

TITLE = "Chance that a d20 and a modifier reach the target"
RANGES = {"mod": [str(mod) for mod in range(11)], "dc": [str(dc) for dc in range(8, 24)]}


def main(folder: Path = Path(__file__).parent) -> None:
    chart = heat(table_of("d20+{mod} >= {dc}", RANGES))
    for ending in ("svg", "png"):
        save_chart(chart.but(title=TITLE), str(folder / f"to_hit.{ending}"))


if __name__ == "__main__":
    main()
