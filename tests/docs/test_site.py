"""The documentation site builds without a warning, has every page, and loads nothing from afar."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from base64 import b64encode
from html.parser import HTMLParser
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
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


# --- how a page is built


class Shape(HTMLParser):
    """What the article of a page is built of.

    Attributes:
        parts: Tags of blocks, in order.
        ids: Of all elements, also outside of the article.
        pictures: Their descriptions.
        loose: Headings of tables that do not say what they head.
    """

    BLOCKS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "pre", "table", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.ids: list[str] = []
        self.pictures: list[str] = []
        self.loose = 0
        self.inside = False
        self.titled = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids.append(found.get("id") or "")
        self.titled = self.titled or tag == "title"
        self.inside = self.inside or tag == "article"
        if not self.inside:
            return
        if tag in self.BLOCKS:
            self.parts.append(tag)
        if tag == "img":
            self.pictures.append((found.get("alt") or "").strip())
        self.loose += tag == "th" and found.get("scope") not in ("col", "row")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "article"


def faults(text: str) -> list[str]:
    """What is wrong with the building of a page, in words."""
    page = Shape()
    page.feed(text)
    levels = [int(tag[1]) for tag in page.parts if tag[0] == "h"]
    steps = pairwise(levels)
    neighbours = zip(page.parts, [*page.parts[1:], "h1"], strict=True)
    said = {
        "no title": not page.titled,
        "more or less than one h1": levels.count(1) != 1 or levels[:1] != [1],
        "a heading jumps a level": any(below > above + 1 for above, below in steps),
        "a heading without anything": any(
            one[0] == other[0] == "h" and one >= other for one, other in neighbours
        ),
        "no sentence below the heading": page.parts[1:2] != ["p"],
        "a picture without a description": "" in page.pictures,
        "a heading of a table without a scope": page.loose > 0,
    }
    return [words for words, wrong in said.items() if wrong]


def lost(page: Path) -> list[str]:
    """Links of a page to places on its own page that are not there."""
    shape = Shape()
    text = page.read_text(encoding="utf-8")
    shape.feed(text)
    linked = [link[1:] for link in loads(text).linked if link.startswith("#") and link != "#"]
    return [name for name in linked if unquote(name) not in shape.ids and name != "__skip"]


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
    stories = [f"notebooks/{path.stem}.md" for path in (ROOT / "notebooks").glob("*.ipynb")]
    assert len(stories) >= 9
    for name in (*PAGES, "index.md", "benchmarks.md", "notebooks/index.md", *stories):
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
        if page.name != "404.html":
            assert not astray(page, site), page
            assert not faults(page.read_text(encoding="utf-8")), page
            assert not lost(page), page
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


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<h1>a</h1><p>b</p><h2>c</h2><p>d</p><h3>e</h3><pre></pre>", []),
        ("<h2>a</h2><p>b</p>", ["more or less than one h1"]),
        ("<h1>a</h1><p>b</p><h3>c</h3><p>d</p>", ["a heading jumps a level"]),
        ("<h1>a</h1><p>b</p><h2>c</h2><h2>d</h2><p>e</p>", ["a heading without anything"]),
        ("<h1>a</h1><p>b</p><h2>c</h2>", ["a heading without anything"]),
        ("<h1>a</h1><pre>b</pre>", ["no sentence below the heading"]),
        ('<h1>a</h1><p><img src="b"></p>', ["a picture without a description"]),
        ('<h1>a</h1><p><img src="b" alt=" "></p>', ["a picture without a description"]),
        (
            '<h1>a</h1><p>b</p><table><th scope="col">c</th><th>d</th></table>',
            ["a heading of a table without a scope"],
        ),
    ],
)
def test_faults_of_a_page_are_noticed(body: str, found: list[str]) -> None:
    assert faults(f"<title>x</title><h4>menu</h4><article>{body}</article><h4>foot</h4>") == found
    assert faults(f"<article>{body}</article>") == ["no title", *found]


def test_a_lost_place_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<a href="#b">b</a> <a href="#c">c</a> <p id="b">x</p> <a href="#">top</a>')
    assert lost(page) == ["c"]


# --- what a stranger looks for

LOOKED_FOR = {
    "the first steps": "docs/start.md",
    "the notation": "docs/notation.md",
    "attacks": "docs/attacks.md",
    "another tool": "docs/coming-from-icepool-and-dyce.md",
    "the reference": "docs/reference/index.md",
    **{path.stem: f"docs/games/{path.name}" for path in (DOCS / "games").glob("*.md")},
}
"""What the front page leads to, and where that is."""


def test_the_front_page_leads_everywhere() -> None:
    front = (ROOT / "README.md").read_text(encoding="utf-8")
    ways = re.findall(r"\[([^]]+)\]\(([^)]+)\)", front)
    linked = {place for _, place in ways}
    for what, place in LOOKED_FOR.items():
        assert place in linked, what
    assert len([place for place in linked if place.startswith("docs/games/")]) >= 4
    # names to read, not names of files
    assert not [text for text, _ in ways if text.endswith(".md")]
    for place in linked:
        assert (ROOT / place).exists(), place


def test_the_front_page_begins_with_what_to_type() -> None:
    front = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = "\n".join(front[:25])
    assert "pip install ." in first
    assert '$ odds "4d6kh3 >= 15"' in first
    assert front.index("## Where to read") < 40


def test_every_page_of_the_reference_is_in_its_list() -> None:
    text = (REFERENCE / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", text))
    assert listed == {page.name for page in REFERENCE.glob("*.md")} - {"index.md"}


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
    ("html", "shown"),
    [
        (
            "<p><code>odds --as md</code></p>",
            '<p><code>odds <span class="word">--as</span> md</code></p>',
        ),
        ("<code>6-again -1</code>", "<code>6-again -1</code>"),
        (r"<td><code>a \| b</code></td>", "<td><code>a | b</code></td>"),
        ("<pre>a\n<i>&lt;BLANKLINE&gt;</i>\nb</pre>", "<pre>a\n<i></i>\nb</pre>"),
        ("<code>--a-b</code>", '<code class="word">--a-b</code>'),
        (f"<code>{'x' * 21}</code>", f"<code>{'x' * 21}</code>"),
        ('<img alt="b" src="a.svg">', '<a href="a.svg"><img alt="b" src="a.svg"></a>'),
        (
            f"<td>{'x' * 12} <b>{'y' * 12}</b></td><td>{'z' * 24}</td>",
            f'<td class="much">{"x" * 12} <b>{"y" * 12}</b></td><td>{"z" * 24}</td>',
        ),
        ("<pre><code>a --b</code></pre>", "<pre><code>a --b</code></pre>"),
        (
            "<pre><span></span><code>a --b</code></pre>",
            "<pre><span></span><code>a --b</code></pre>",
        ),
        (
            '<thead><th>a</th><th style="x">b</th><th scope="row">c</th></thead><th>d</th>',
            '<thead><th scope="col">a</th><th scope="col" style="x">b</th>'
            '<th scope="row">c</th></thead><th>d</th>',
        ),
    ],
)
def test_what_the_style_needs_is_marked(html: str, shown: str) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    assert tool("pages").on_page_content(html) == shown


def test_a_notebook_as_a_page() -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    drawn = {"image/png": b64encode(b"picture").decode(), "text/plain": ["<Image>"]}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["2d6\n", "```\n"]},
        {"data": drawn, "metadata": {"image/png": {"alt": "bars"}}},
        {"data": {"text/html": ["<table>", "</table>"], "text/plain": ["Table"]}, "metadata": {}},
        {"data": {"text/plain": ["1/2"]}, "metadata": {}},
    ]
    notebook = {
        "cells": [
            {"cell_type": "markdown", "source": ["# Title\n", "\n", "Lead."]},
            {"cell_type": "code", "source": ["show()"], "outputs": outputs},
        ]
    }
    text, pictures = tool("stories").page_of(notebook, "07-x")
    assert pictures == {"07-x-1.png": b"picture"}
    assert text.split("\n\n") == [
        "# Title",
        "Lead.",
        "*A notebook with its outputs; its file is `notebooks/07-x.ipynb`.*",
        "```python\nshow()\n```",
        "````text\n2d6\n```\n````",
        "![bars](07-x-1.png)",
        "<table></table>",
        "```text\n1/2\n```\n",
    ]


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
