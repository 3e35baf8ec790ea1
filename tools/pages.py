"""Hooks of the documentation site: pages and pictures from outside ``docs/``, patterns in nav.

The pages are written to be read on a code host, where links such as ``../figures/x.svg`` lead out
of ``docs/``. On the site the figures lie in ``figures/``, the README is the front page, a notebook
is a page (``stories.py``), and a link to a file that the site does not have becomes plain text.
Short words of code and options such as ``--as`` are marked, so that no line is broken within them,
and the headings of tables say that they head columns.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

TAKEN = {
    "README.md": "index.md",
    "benchmarks/README.md": "benchmarks.md",
    "notebooks/README.md": "notebooks/index.md",
}
"""Pages outside docs/ and what they are called on the site."""

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^()\s]+)\)")
OUTSIDE = re.compile(r"[a-z]+:|#")
CODE = re.compile(r"(?<!<pre>)(?<!</span>)<code>([^<]+)</code>")
HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
CELL = re.compile(r"<td([ >].*?)</td>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
MUCH = 24
"""Cells with more letters get room, rather than a column of single words."""

WORD = re.compile(r"\S{1,20}")
BLANK = "&lt;BLANKLINE&gt;"
"""How an example that is run as a test says that a line is empty."""

IMAGE = re.compile(r'<img [^>]*src="([^"]+)"[^>]*>')
OPTION = re.compile(r"(?<![\w-])-{1,2}[a-z][\w-]*")


def root_of(config: MkDocsConfig) -> Path:
    """The folder of the project."""
    return Path(config.config_file_path).parent


def taken(root: Path) -> dict[str, str]:
    """Every page from outside docs/ and its name on the site; those of notebooks, too."""
    stories = sorted(path.stem for path in (root / "notebooks").glob("*.ipynb"))
    return {**TAKEN, **{f"notebooks/{name}.ipynb": f"notebooks/{name}.md" for name in stories}}


def named(nav: Any) -> Iterator[str]:
    """The pages that a navigation names, patterns left out."""
    if isinstance(nav, str):
        if "*" not in nav:
            yield nav
    elif isinstance(nav, dict):
        for part in nav.values():
            yield from named(part)
    else:
        for part in nav:
            yield from named(part)


def spelled_out(nav: Any, pages: list[str]) -> Any:
    """The navigation with pages in place of each pattern; these leave the list."""
    if isinstance(nav, dict):
        return {title: spelled_out(part, pages) for title, part in nav.items()}
    if not isinstance(nav, list):
        return nav
    found: list[Any] = []
    for part in nav:
        if isinstance(part, str) and "*" in part:
            pattern = re.compile(re.escape(part).replace(r"\*", "[^/]*"))
            fitting = [page for page in pages if pattern.fullmatch(page)]
            for page in fitting:
                pages.remove(page)
            found += fitting
        else:
            found.append(spelled_out(part, pages))
    return [part for part in found if not (isinstance(part, dict) and [] in part.values())]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Spell the patterns of the navigation out."""
    folder = Path(config.docs_dir)
    pages = [path.relative_to(folder).as_posix() for path in folder.rglob("*.md")]
    pages = sorted({*pages, *taken(root_of(config)).values()} - set(named(config.nav)))
    config.nav = spelled_out(config.nav, pages)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and pictures that lie outside of docs/."""
    root = root_of(config)
    for source, name in TAKEN.items():
        text = (root / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=text))
    for picture in sorted((root / "figures").glob("*.svg")):
        files.append(File.generated(config, f"figures/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Bend the links that lead out of docs/."""
    outside = taken(root_of(config))
    homes = {name: source for source, name in outside.items()}
    here = PurePosixPath(homes.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    depth = page.file.src_uri.count("/")

    def bent(match: re.Match[str]) -> str:
        mark, text, link = match.groups()
        text = LINK.sub(bent, text)
        if OUTSIDE.match(link):
            return f"{mark}[{text}]({link})"
        target, hash_, anchor = link.partition("#")
        place = normpath(str(here.parent / target))
        name = outside.get(place, place.removeprefix("docs/"))
        known = files.get_file_from_path(name) is not None
        if not known and (root_of(config) / place).exists():
            return text
        return f"{mark}[{text}]({'../' * depth}{name}{hash_}{anchor})"

    parts, start = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(bent, markdown[start : fence.start()]), fence.group()]
        start = fence.end()
    return "".join([*parts, LINK.sub(bent, markdown[start:])])


def on_page_content(html: str, **_: Any) -> str:
    """Mark words, headings of columns and cells with much text; a picture opens by itself."""

    def marked(code: re.Match[str]) -> str:
        if WORD.fullmatch(code[1]):
            return f'<code class="word">{code[1]}</code>'
        return "<code>" + OPTION.sub(r'<span class="word">\g<0></span>', code[1]) + "</code>"

    def headed(head: re.Match[str]) -> str:
        return re.sub(r"<th(?![^>]* scope=)(?=[ >])", '<th scope="col"', head[0])

    def roomy(cell: re.Match[str]) -> str:
        # a bar in the code of a cell has to be written with a backslash
        inner = cell[1].replace(r"\|", "|")
        much = len(TAG.sub("", f"<td{inner}")) > MUCH
        return f'<td class="much"{inner}</td>' if much else f"<td{inner}</td>"

    html = IMAGE.sub(r'<a href="\1">\g<0></a>', html).replace(BLANK, "")
    return CELL.sub(roomy, HEAD.sub(headed, CODE.sub(marked, html)))
