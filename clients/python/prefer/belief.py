"""What a study believes. Utilities are in units of the noise: a difference of 1 is recognised 84 times in a hundred."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple

from .question import Foretold, Value, done, span


@dataclass(frozen=True)
class Best:
    """The study's pick."""

    option: Mapping[str, Value]
    mean: float
    sd: float
    confidence: float  # probability that nothing is noticeably better
    rival: Optional[Mapping[str, Value]]  # the strongest option far from the pick; number 2 of a list
    rival_close: float  # probability that it, or another far one, is as good as far as anybody would notice
    beats: float = 0.0  # share of all options that the pick is expected to be better than
    top: float = 0.0  # probability that it is among the best few, top_share of all
    taken: float = 0.0  # probability that a person who has called options bad would take it; 0 where nobody has
    displeased: float = 0.0  # and that she would take fewer than one option in ten
    top_share: float = 0.0

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Best":
        return Best(
            o["option"],
            o["mean"],
            o["sd"],
            o["confidence"],
            o.get("rival"),
            o.get("rival_close", 0.0),
            o.get("beats", 0.0),
            o.get("top", 0.0),
            o.get("taken", 0.0),
            o.get("displeased", 0.0),
            o.get("top_share", 0.0),
        )


@dataclass(frozen=True)
class Verdict:
    """Whether to go on, and how sure that is."""

    kind: str  # keep_going, clear_winner, practical_tie, good_enough, nothing_pleases, chance, budget_reached, or one to come
    best: Best
    value: float  # what the next question is expected to add to the utility of the pick
    left: Tuple[int, int]
    sentence: str
    answers: int = 0  # that it rests on; skips and checks are none
    given: int = 0  # of the rater herself, which count against her budget
    budget: int = 0  # 0 where there is none
    late: bool = False  # it has taken longer than three of four studies like it
    surprise: float = 0.0  # log of how much likelier the answers are if they are chance than if there is a taste
    unseen: int = 0  # of the items of a list, never shown
    items: int = 0
    foretold: Foretold = Foretold()
    raters: int = 0  # people who gave the answers

    @property
    def done(self) -> bool:
        return done(self.kind)

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Verdict":
        return Verdict(
            o["kind"],
            Best.read(o["best"]),
            o.get("value", 0.0),
            span(o),
            o.get("sentence", ""),
            o.get("answers", 0),
            o.get("given", 0),
            o.get("budget", 0),
            bool(o.get("late")),
            o.get("surprise", 0.0),
            o.get("unseen", 0),
            o.get("items", 0),
            Foretold.read(o.get("foretold") or {}),
            o.get("raters", 0),
        )


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
    kind: str = ""  # unknown, hardly, lower, higher, around, chosen, with, without
    at: Optional[Value] = None  # its value in the best option

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Importance":
        return Importance(o["parameter"], o["loss"], o["sd"], o["share"], o["sentence"], o.get("kind", ""), o.get("at"))


@dataclass(frozen=True)
class Ranked:
    """An option with its utility, and in a ranking its place."""

    option: Mapping[str, Value]
    mean: float
    sd: float
    low: int = 0  # the best and the worst place it has with nine chances in ten, from 1 on; 0 where there is no ranking
    high: int = 0
    above: float = 0.0  # probability that it is better than the next one
    shown: int = 0  # in how many questions

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Ranked":
        return Ranked(o["option"], o["mean"], o["sd"], o.get("low", 0), o.get("high", 0), o.get("above", 0.0), o.get("shown", 0))


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
            [Importance.read(i) for i in o["importance"]],
            [Ranked.read(r) for r in o["ranking"]],
            o.get("warnings") or [],
        )
