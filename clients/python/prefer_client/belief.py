"""What a study believes. Utilities are in units of the noise: a difference of 1 is recognised 84 times in a hundred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple

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

    parameter: str
    loss: float  # utility lost, on average, by setting it at random, the others at their best
    sd: float
    share: float  # its part of all losses
    sentence: str  # "lower contrast wins", "blur hardly matters"


@dataclass(frozen=True)
class Ranked:
    """An option with its utility."""

    option: Mapping[str, Value]
    mean: float
    sd: float

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Ranked":
        return Ranked(o["option"], o["mean"], o["sd"])


@dataclass(frozen=True)
class Belief:
    """What the answers so far say."""

    best: Mapping[str, Value]
    answers: int
    slices: Mapping[str, Sequence[Point]]  # by parameter, through the best option
    importance: Sequence[Importance]
    ranking: Sequence[Ranked]  # the best items of a list; of parameters only the best option
    warnings: Sequence[str]  # what a careful reader should know about the fit

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Belief":
        return Belief(
            o["best"],
            o["answers"],
            {name: [Point(p["value"], p["mean"], p["sd"]) for p in points] for name, points in o["slices"].items()},
            [Importance(i["parameter"], i["loss"], i["sd"], i["share"], i["sentence"]) for i in o["importance"]],
            [Ranked.read(r) for r in o["ranking"]],
            o.get("warnings") or [],
        )
