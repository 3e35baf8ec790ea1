"""The AnyDice language: parser, compiler to closures, runtime over exact distributions."""

from __future__ import annotations

from oddsmith.anydice.program import Output, Run, run

__all__ = ["Output", "Run", "run"]
