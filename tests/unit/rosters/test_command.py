"""``odds import``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oddsmith.answers.attack_files import squad
from oddsmith.cli.main import main

from .made import Pick, as_xml, gun, squad_of, zipped

Run = Callable[..., tuple[int, str, str]]
PATROL = str(Path(__file__).parents[3] / "docs" / "examples" / "patrol.ros")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command in this process and in an empty folder, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as caught:
            main(["import", *args])
        shown = capsys.readouterr()
        code = caught.value.code
        return code if isinstance(code, int) else 0, shown.out, shown.err

    return call


def test_a_list_is_shown_as_tables(run: Run) -> None:
    code, out, err = run(PATROL)
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    head = ["weapon", "count", "attacks", "skill", "strength", "AP", "damage"]
    assert lines.count(head) == 2
    assert ["Long", "rifle", "4", "2", "4+", "4", "-1", "1"] in lines
    assert ["Breach", "cannon", "2", "D3", "4+", "10", "-3", "D6+1"] in lines
    assert ["Fire", "hose", "(1)", "D6", "none", "5", "0", "D7!"] in lines
    assert "not understood: Wall Breaker" in out
    assert "not used: damage: 'D7' has a die with 7 faces" in out
    assert "changes nothing here: Assault" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_squad_is_written_and_read_again(run: Run) -> None:
    code, out, _ = run(PATROL, "--unit", "line squad", "--when", "half-range", "-o", "squad.toml")
    assert code == 0
    assert out.endswith("squad.toml: 2 weapons, and 1 more as comments\n")
    weapons, edition = squad("squad.toml")
    assert edition == "40k-10"
    assert [(one.name, one.count, one.half_range) for one in weapons] == [
        ("Arc gun - low", 1, False), ("Long rifle", 4, True),
    ]  # fmt: skip


def test_a_squad_on_standard_output_is_nothing_but_the_squad(run: Run) -> None:
    code, out, _ = run(PATROL, "--against", "Vehicle", "-o", "-")
    assert code == 0
    assert out.startswith("# From patrol.ros: ")
    Path("squad.toml").write_text(out, encoding="utf-8")
    assert [one.critical_wound for one in squad("squad.toml")[0]] == [6, 6, 4]


def test_what_attacks_together_is_said(run: Run) -> None:
    fists = Pick("Fists", number=5, cards=(gun("Fists", kind="Melee Weapons"),))
    unit = squad_of(Pick("Rifle", number=5, cards=(gun(),)), fists)
    Path("two.rosz").write_bytes(zipped(as_xml(unit, unit)))
    _, out, _ = run("two.rosz", "-o", "squad.toml")
    assert out.splitlines()[-2:] == [
        "look: 2 units attack together; --unit NAME takes one",
        "look: ranged and melee weapons attack together; --phase takes one kind",
    ]
    _, out, _ = run("two.rosz", "--phase", "melee", "-o", "squad.toml")
    assert "--phase" not in out
    assert [one.name.split(" (")[0] for one in squad("squad.toml")[0]] == ["Fists", "Fists"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((PATROL, "--unit", "Nobody"), "no unit is called 'nobody'"),
        ((PATROL, "--phase", "melee"), "there are no melee weapons"),
        (("none.ros",), "none.ros: it cannot be read"),
        ((".",), ".: it cannot be read"),
        ((PATROL, "-o", "."), "cannot be written"),
        ((PATROL, "-o", "no/such/folder.toml"), "cannot be written"),
        ((PATROL, "--phase", "magic"), "magic"),
        ((PATROL, "--when", "raining"), "raining"),
        ((), "Missing argument"),
    ],
)
def test_errors_are_one_message_and_code_2(run: Run, args: tuple[str, ...], words: str) -> None:
    code, _, err = run(*args)
    assert code == 2
    assert words in err
    assert "Traceback" not in err


def test_a_list_is_never_written_over(run: Run) -> None:
    data = as_xml(squad_of(Pick("Rifle", number=5, cards=(gun(),))))
    Path("list.ros").write_bytes(data)
    code, _, err = run("list.ros", "-o", "list.ros")
    assert code == 2
    assert "list.ros is the list itself" in err
    assert Path("list.ros").read_bytes() == data


def test_nothing_is_written_where_no_weapon_can_be_used(run: Run) -> None:
    Path("odd.ros").write_bytes(as_xml(squad_of(Pick("Odd", number=5, cards=(gun(D="D7"),)))))
    code, out, err = run("odd.ros", "-o", "squad.toml")
    assert code == 2
    assert "not used: damage: 'D7' has a die with 7 faces" in out
    assert "no weapon can be used as it stands" in err
    assert not Path("squad.toml").exists()


def test_names_cannot_steer_the_terminal(run: Run) -> None:
    card = gun("Ri&#x9b;fle", "Wo&#x9b;rd")
    Path("list.ros").write_bytes(as_xml(squad_of(Pick("R", number=5, cards=(card,)))))
    data = Path("list.ros").read_bytes().replace(b"&amp;#x9b;", b"&#x9b;")
    Path("list.ros").write_bytes(data)
    code, out, _ = run("list.ros")
    assert code == 0
    assert "Rifle" in out
    assert "Word" in out
    assert "\x9b" not in out


def test_help_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "import" in capsys.readouterr().out
