"""``Record``: a frozen value made of named parts.

It stands in for a frozen dataclass. Making the code of some fifty dataclasses takes longer than
everything else the command does before it answers; a record only reads its annotations.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """A frozen value; its parts are the annotations of its class, in order.

    Two records of one class are equal when all their parts are.

    >>> class Point(Record):
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(x=1, y=0), Point(1).but(y=5).y
    (Point(x=1, y=0), True, 5)
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(get_annotations(cls))

    def __init__(self, *args: Any, **values: Any) -> None:
        values.update(zip(self._fields, args, strict=False))
        if len(args) > len(self._fields) or not values.keys() <= {*self._fields, "span"}:
            raise TypeError(f"{type(self).__name__} has the parts {', '.join(self._fields)}")
        for name in self._fields:
            if name not in values and not hasattr(type(self), name):
                raise TypeError(f"{type(self).__name__} needs {name}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"

    def but(self, **changes: Any) -> Self:
        """A copy with some parts changed.

        >>> class Point(Record):
        ...     x: int
        >>> Point(1).but(x=2)
        Point(x=2)
        """
        return type(self)(**{**self.__dict__, **changes})
