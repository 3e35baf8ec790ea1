"""Docstrings as Markdown for the reference: examples, roles, numbered rules, grammars."""

from __future__ import annotations

import re
from typing import Any

from griffe import Class, Extension, Function, Object, Parameter, ParameterKind, Parameters

ROLE = re.compile(r":(?:func|class|mod|meth|attr|data):`~?([^`]+)`")
GRAMMAR = re.compile(r"\A(\w+ = [^\n]*)")
RULE = re.compile(r"^([A-Z]\d+) {2,}(?=\S)", re.MULTILINE)


def with_blocks(text: str) -> str:
    """The text with each run of examples in a fenced block."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        starts = line.lstrip().startswith(">>> ")
        if starts and not inside:
            lines += ["", "```pycon"]
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line.strip() if inside and starts else line)
    return "\n".join([*lines, "```"] if inside else lines)


def with_rules(text: str) -> str:
    """Lines that open with the number of a rule as a list; those that continue it stay with it."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        rule = RULE.match(line)
        if rule:
            if not inside:
                lines.append("")
            lines.append(f"- **{rule[1]}** {line[rule.end() :]}")
            inside = True
        elif inside and line.startswith("     "):
            lines.append(f"    {line.strip()}")
        else:
            inside = inside and not line.strip()
            lines.append(line)
    return "\n".join(lines)


def as_markdown(text: str) -> str:
    """A docstring as the reference shows it; a rule of a grammar is code.

    >>> as_markdown("See :func:`odds`.")
    'See `odds`.'
    """
    text = GRAMMAR.sub(r"`\1`", text)
    return with_blocks(with_rules(ROLE.sub(r"`\1`", text)))


def signature_of(record: Class) -> Parameters:
    """The parts of a record as the arguments of its class."""
    return Parameters(
        *(
            Parameter(
                part.name,
                annotation=part.annotation,
                kind=ParameterKind.positional_or_keyword,
                default=part.value,
            )
            for part in record.attributes.values()
            if part.annotation and "property" not in part.labels and part.name[0] != "_"
        )
    )


class Docstrings(Extension):
    """Rewrites every docstring once it is loaded, and gives records their signatures."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of one module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_class(self, *, cls: Class, **_: Any) -> None:
        """Give a record the signature that its parts make."""
        if "Record" in map(str, cls.bases) and "__init__" not in cls.members:
            init = Function("__init__", parameters=signature_of(cls))
            cls.set_member("__init__", init)
