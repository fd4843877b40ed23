"""A check that needs no model: blind duels of the pick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping

from .question import Value


@dataclass(frozen=True)
class BlindShare:
    """How often the pick was taken, with the 95 % interval of Wilson for the share behind it; a tie is half a win."""

    won: int
    lost: int
    tied: int
    of: int
    low: float
    high: float

    @staticmethod
    def read(o: Mapping[str, Any]) -> "BlindShare":
        return BlindShare(o["won"], o["lost"], o["tied"], o["of"], o["low"], o["high"])


@dataclass(frozen=True)
class BlindCheck:
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

    @staticmethod
    def read(o: Mapping[str, Any]) -> "BlindCheck":
        strong, random = BlindShare.read(o["strong"]), BlindShare.read(o["random"])
        return BlindCheck(o["kind"], o["pick"], BlindShare.read(o), strong, random, o["stale"], o["take"], o["decline"], o["sentence"])
