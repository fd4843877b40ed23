"""A check that needs no model: blind duels of the pick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

from .question import Value
from .record import Record


@dataclass(frozen=True)
class BlindShare(Record):
    """How often the pick was taken, with the 95% interval of Wilson for the share behind it; a tie is half a win."""

    won: int
    lost: int
    tied: int
    of: int
    low: float
    high: float


@dataclass(frozen=True)
class BlindCheck(Record):
    """What blind duels say about the study's pick."""

    kind: str  # unchecked, holds (all.low > 1/2), fails (all.high < 1/2) or undecided
    pick: Mapping[str, Value]
    all: BlindShare
    strong: BlindShare  # against strong rivals
    random: BlindShare  # against options drawn evenly
    stale: int  # duels of an earlier pick, which say nothing about this one
    take: int  # raters who would take the pick
    decline: int  # and who would not
    sentence: str

    @classmethod
    def read(cls, o: Mapping[str, Any]) -> "BlindCheck":
        return super().read({**o, "all": o})


@dataclass(frozen=True)
class Taken(Record):
    """Whether a rater would take an option."""

    id: str
    option: Mapping[str, Value]
    take: bool
    rater: str = ""
