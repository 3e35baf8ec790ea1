"""The documentation site builds without a warning, has every page, and loads nothing from afar."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
DIRECTIVE = re.compile(r"^::: (oddsmith[\w.]*)$", re.MULTILINE)
REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)
IN_STYLE = re.compile(
    r"""(?:url\(|@import\s+)\s*["']?\s*((?:https?:)?//[^"')\s]+)""", re.IGNORECASE
)

INNER = {
    "cli": "the command has help of its own",
    "exact": "whole numbers and polynomials behind everything else",
}
"""Rooms without a place in the reference, and why."""


# --- what a page loads


class Loads(HTMLParser):
    """The addresses that a browser fetches for a page, and those that it only links to."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.linked: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        found = {name: value or "" for name, value in attrs}
        for name in ("src", "data", "poster", "background", "srcset", "xlink:href"):
            if name in found:
                self.fetched += [part.split()[0] for part in found[name].split(",") if part.strip()]
        if tag in ("link", "use", "image") and "href" in found:
            self.fetched.append(found["href"])
        elif tag == "a" and "href" in found:
            self.linked.append(found["href"])
        self.fetched += IN_STYLE.findall(found.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self.inside == "style":
            self.fetched += IN_STYLE.findall(data)


def loads(text: str) -> Loads:
    page = Loads()
    page.feed(text)
    return page


def remote(text: str) -> list[str]:
    """What a page fetches from another server."""
    return [address for address in loads(text).fetched if REMOTE.match(address)]


def astray(page: Path, site: Path) -> list[str]:
    """Addresses of a page on this site under which there is nothing."""
    found = loads(page.read_text(encoding="utf-8"))
    missing = []
    for address in (*found.fetched, *found.linked):
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            continue
        base = site if parts.path.startswith("/") else page.parent
        if not (base / unquote(parts.path).lstrip("/")).exists():
            missing.append(address)
    return missing


# --- the site itself


def test_the_site(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    pytest.importorskip("material", reason="the extra docs is not installed")
    pytest.importorskip("mkdocstrings_handlers.python", reason="the extra docs is not installed")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    told = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", cwd=ROOT, env=told, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr

    front = (site / "index.html").read_text(encoding="utf-8")
    for name in (*PAGES, "index.md", "benchmarks.md"):
        page = site / name.replace(".md", ".html")
        assert page.exists(), name
        assert loads(page.read_text(encoding="utf-8")).linked.count("#") < 20
        assert page.relative_to(site).as_posix() in loads(front).linked, f"{name} is not in nav"
    for name in REFERENCE.glob("*.md"):
        text = (site / "reference" / f"{name.stem}.html").read_text(encoding="utf-8")
        for module in DIRECTIVE.findall(name.read_text(encoding="utf-8")):
            assert f'id="{module}"' in text

    for page in site.rglob("*.html"):
        assert not remote(page.read_text(encoding="utf-8")), page
        assert 'class="mermaid"' not in page.read_text(encoding="utf-8")
        assert page.name == "404.html" or not astray(page, site), page
    for style in site.rglob("*.css"):
        assert not IN_STYLE.findall(style.read_text(encoding="utf-8")), style
    assert (site / "figures" / "abilities.svg").read_bytes() == (
        ROOT / "figures" / "abilities.svg"
    ).read_bytes()
    assert (site / "search" / "search_index.json").exists()


# --- the reference


def test_reference_pages_have_no_examples_of_their_own() -> None:
    assert len(list(REFERENCE.glob("*.md"))) > 10
    for page in REFERENCE.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert ">>>" not in text
        assert "```" not in text


def test_every_room_has_its_place() -> None:
    source = ROOT / "src" / "oddsmith"
    rooms = {path.stem for path in source.glob("[a-z]*") if path.suffix in ("", ".py")}
    shown = [
        module.split(".")
        for page in REFERENCE.glob("*.md")
        for module in DIRECTIVE.findall(page.read_text(encoding="utf-8"))
    ]
    assert {"dist", "pool", "mechanics", "answers"} <= rooms
    assert rooms - {module[1] for module in shown} == INNER.keys() & rooms
    for module in shown:
        path = source.joinpath(*module[1:])
        assert path.is_dir() or path.with_suffix(".py").exists(), ".".join(module)
    assert len(shown) == len({tuple(module) for module in shown})


# --- the checks themselves


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<script src="https://x.org/a.js"></script>', ["https://x.org/a.js"]),
        ('<link rel="stylesheet" href="//x.org/a.css">', ["//x.org/a.css"]),
        ('<img srcset="a.png 1x, http://x.org/b.png 2x">', ["http://x.org/b.png"]),
        ("<style>@import 'https://x.org/f.css';</style>", ["https://x.org/f.css"]),
        ('<p style="background: url(https://x.org/a.png)">', ["https://x.org/a.png"]),
        ('<a href="https://x.org">elsewhere</a>', []),
        ('<img src="figures/a.svg"><script>"https://x.org"</script>', []),
        ('<svg xmlns="http://www.w3.org/2000/svg"></svg>', []),
    ],
)
def test_what_is_fetched(text: str, found: list[str]) -> None:
    assert remote(text) == found


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<a href="b.html#x">b</a> <a href="a.html">a</a> <img src="c.png">')
    assert sorted(astray(page, tmp_path)) == ["b.html#x", "c.png"]


# --- the tools


def tool(name: str) -> Any:
    """A module of tools/."""
    spec = spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_patterns_in_the_navigation() -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    pages = tool("pages")
    nav = [{"Start": "start.md"}, {"Games": ["games/*.md", "x*.md"]}, {"None": ["none-*.md"]}]
    assert list(pages.named(nav)) == ["start.md"]
    left = ["games/a.md", "games/b.md", "games/deep/c.md", "y.md"]
    assert pages.spelled_out(nav, left) == [
        {"Start": "start.md"},
        {"Games": ["games/a.md", "games/b.md"]},
    ]
    assert left == ["games/deep/c.md", "y.md"]


@pytest.mark.parametrize(
    ("name", "text", "bent"),
    [
        ("start.md", "![a](../figures/abilities.svg)", "![a](figures/abilities.svg)"),
        ("games/x.md", "![a](../../figures/abilities.svg)", "![a](../figures/abilities.svg)"),
        (
            "index.md",
            "[b](docs/start.md#x) [c](https://x.org)",
            "[b](start.md#x) [c](https://x.org)",
        ),
        ("index.md", "see [the licence](LICENSE)", "see the licence"),
        ("start.md", "[the front](../README.md), [here](#x)", "[the front](index.md), [here](#x)"),
        ("start.md", "```\n[a](../LICENSE)\n```", "```\n[a](../LICENSE)\n```"),
        ("start.md", "[no such page](nowhere.md)", "[no such page](nowhere.md)"),
        (
            "index.md",
            "[![a](figures/abilities.svg)](docs/start.md)",
            "[![a](figures/abilities.svg)](start.md)",
        ),
    ],
)
def test_links_out_of_docs(name: str, text: str, bent: str) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    pages = tool("pages")
    config = SimpleNamespace(config_file_path=str(ROOT / "mkdocs.yml"))
    known = {"start.md", "index.md", "figures/abilities.svg"}
    files = SimpleNamespace(get_file_from_path=lambda path: path if path in known else None)
    page = SimpleNamespace(file=SimpleNamespace(src_uri=name))
    assert pages.on_page_markdown(text, page, config, files) == bent


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One :func:`odds`, one :class:`~a.Dist`.", "One `odds`, one `a.Dist`."),
        ("Words.\n\n>>> 1 + 1\n2", "Words.\n\n\n```pycon\n>>> 1 + 1\n2\n```"),
        (">>> 1\n1\n\nMore.", "\n```pycon\n>>> 1\n1\n```\n\nMore."),
        (
            "Rules.\n\nS1   One,\n     and on.\nS2   Two.\n\nEnd.",
            "Rules.\n\n\n- **S1** One,\n    and on.\n- **S2** Two.\n\nEnd.",
        ),
        ('a = "b" { c } ;', '`a = "b" { c } ;`'),
    ],
)
def test_docstrings_as_markdown(text: str, shown: str) -> None:
    pytest.importorskip("griffe", reason="the extra docs is not installed")
    assert tool("docstrings").as_markdown(text) == shown
