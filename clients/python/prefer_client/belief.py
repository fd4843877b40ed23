"""What a study believes. Utilities are in units of the noise: a difference of 1 is recognised 84 times in a hundred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple

from .question import Value


@dataclass(frozen=True)
class Best:
    """The study's pick."""

    option: Mapping[str, Value]
    mean: float
    sd: float
    confidence: float  # probability that nothing is noticeably better
    rival: Optional[Mapping[str, Value]]  # the strongest option far from the pick
    rival_close: float  # probability that it, or another far one, is as good to the eye

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Best":
        return Best(o["option"], o["mean"], o["sd"], o["confidence"], o.get("rival"), o["rival_close"])


@dataclass(frozen=True)
class Verdict:
    """Whether to go on, and how sure that is."""

    kind: str  # keep_going, clear_winner or practical_tie
    best: Best
    value: float  # what the next question is expected to add to the utility of the pick
    left: Tuple[int, int]
    sentence: str

    @property
    def done(self) -> bool:
        return self.kind != "keep_going"

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Verdict":
        left = o["left"]
        return Verdict(o["kind"], Best.read(o["best"]), o["value"], (left[0], left[1]), o["sentence"])


@dataclass(frozen=True)
class Point:
    """Utility at one value of a parameter, all others as in the best option."""

    value: Value
    mean: float
    sd: float


@dataclass(frozen=True)
class Importance:
    """How much a parameter matters, and which way."""

    name: str
    share: float
    sentence: str


@dataclass(frozen=True)
class Ranked:
    """An option with its utility."""

    option: Mapping[str, Value]
    mean: float
    sd: float
