"""Every error a caller may want to catch.

::

    OddsmithError
    ├── NotationError      text that cannot be read or makes no sense; has a span and a hint
    ├── RuleError          a rule or a function was asked for something it forbids
    ├── OutcomeError       an outcome or a weight of the wrong kind, or arithmetic on text
    │   └── NoClosedForm   open-ended dice that can only be enclosed
    ├── ImpossibleEvent    conditioning on something that cannot happen
    ├── NeverEnds          a die, a rule or a process that would go on for ever
    └── TooLarge           the work is past the budget
"""

from __future__ import annotations


class OddsmithError(Exception):
    """Root of the family: catch this to catch them all.

    Args:
        message: What is wrong, in one sentence.
        hint: What to write instead, or an empty string.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}" if self.hint else self.message


class RuleError(OddsmithError):
    """Something the rules forbid, such as keeping more dice than there are."""


class OutcomeError(OddsmithError):
    """An outcome or a weight of the wrong kind, or arithmetic on a text face."""


class NoClosedForm(OutcomeError):
    """Open-ended dice for which no formula is known here that gives the whole distribution."""


class ImpossibleEvent(OddsmithError):
    """Conditioning on an event of chance 0."""


class NeverEnds(OddsmithError):
    """A die that is rolled again whatever it shows, or a rule or process that may never end."""


class TooLarge(OddsmithError):
    """The work is past the budget: refused before it starts, or stopped as soon as that shows.

    Args:
        estimate: The size of the work, or of its part up to here, in the units of
            :mod:`oddsmith.budget`.
        limit: The budget it was held against.
        hint: What would help.
    """

    def __init__(self, estimate: int, limit: int, hint: str) -> None:
        size = f"about {estimate:,}" if estimate < 10**15 else f"about 10^{len(str(estimate)) - 1}"
        super().__init__(f"this needs {size} units of work, the budget is {limit:,}", hint)
        self.estimate = estimate
        self.limit = limit

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.estimate, self.limit, self.hint)


class NotationError(OddsmithError):
    """Text that cannot be read, or that makes no sense.

    Args:
        message: What is wrong, in one sentence.
        source: The whole text.
        span: Start and end of the place in it.
        hint: What to write instead.
    """

    def __init__(self, message: str, source: str, span: tuple[int, int], hint: str = "") -> None:
        super().__init__(message, hint)
        self.source = source
        self.span = span

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.source, self.span, self.hint)

    def __str__(self) -> str:
        lines = [self.message, *self.pointer()]
        if self.hint:
            lines.append(self.hint)
        return "\n".join(lines)

    def pointer(self, width: int = 76) -> list[str]:
        """The line of the text with carets under the place, cut to ``width`` columns."""
        start, end = self.span
        first = self.source.rfind("\n", 0, start) + 1
        last = self.source.find("\n", start)
        line = self.source[first:] if last < 0 else self.source[first:last]
        column = start - first
        length = max(1, min(end, first + len(line)) - start)
        left = max(0, column - width // 2)
        shown = line[left : left + width].replace("\t", " ")
        carets = "^" * max(1, min(length, len(shown) - (column - left)))
        return ["  " + shown, "  " + " " * (column - left) + carets]
