"""What a study believes. Utilities are in units of the noise: the better of two options that differ by 1 wins 84 times in 100."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Mapping, Optional, Sequence, Tuple

from .check import BlindCheck
from .question import Foretold, Value, done
from .record import Record


@dataclass(frozen=True)
class Best(Record):
    """The study's pick."""

    option: Mapping[str, Value]
    mean: float
    sd: float
    confidence: float  # probability that nothing is noticeably better
    rival: Optional[Mapping[str, Value]] = None  # the strongest option far from the pick; number 2 of a list
    rival_close: float = 0.0  # probability that it, or another far one, is as good as far as anybody would notice
    beats: float = 0.0  # share of all options that the pick is expected to be better than
    top: float = 0.0  # probability that it is among the best few, top_share of all
    taken: float = 0.0  # probability that a person who has called options bad would take it; 0 where nobody has
    displeased: float = 0.0  # and that they would take fewer than one option in ten
    top_share: float = 0.0


@dataclass(frozen=True)
class Verdict(Record):
    """The verdict: stop or go on, and how sure that is."""

    kind: str  # keep_going, done, nothing_pleases, budget_reached, one of an older server, or one to come
    best: Best
    value: float = 0.0  # what the next question is expected to add to the utility of the pick
    left: Tuple[int, int] = (0, 0)
    sentence: str = ""
    answers: int = 0  # that it rests on; skips and checks are none
    given: int = 0  # of the rater themselves, which count against their budget
    budget: int = 0  # 0 where there is none
    ten_more: float = 0.0  # by how much ten more answers are expected to raise best.beats
    late: bool = False  # it has taken longer than nine of ten studies like it
    surprise: float = 0.0  # log of how much likelier the answers are if they are chance than if there is a taste
    unseen: int = 0  # of the items of a list, never shown
    items: int = 0
    shortlist: Sequence[Mapping[str, Value]] = ()  # the best items, the pick first, of a study that looks for several
    shortlist_sure: float = 0.0  # probability that no other item belongs to them
    untried: Sequence[Tuple[Mapping[str, Value], Mapping[str, Value]]] = ()  # values between which nothing next to the pick was shown
    foretold: Foretold = Foretold()
    raters: int = 0  # people who gave the answers
    others: int = 0  # answers of other people, with tastes of their own, that it rests on beside
    blind: Optional[BlindCheck] = None  # of the pick, if there was one
    follows_order: bool = False  # most answers follow the order in which options were shown, and do not say which is better

    @property
    def done(self) -> bool:
        return done(self.kind)


@dataclass(frozen=True)
class Standing(Record):
    """Where a study stands under one setting of its contexts."""

    fixed: Mapping[str, Value]
    verdict: Verdict


@dataclass(frozen=True)
class Point(Record):
    """Utility at one value of a parameter, all others as in the best option."""

    value: Value
    mean: float
    sd: float
    below: float = 0.0  # how far it is below the best option
    below_sd: float = 0.0


@dataclass(frozen=True)
class Importance(Record):
    """How much a parameter matters, and which way."""

    parameter: str
    loss: float  # utility lost, on average, by setting it at random, the others at their best
    sd: float
    share: float  # its part of all losses
    sentence: str  # "lower contrast wins", "blur hardly matters"
    kind: str = ""  # unknown, hardly, lower, higher, around, chosen, with, without
    at: Optional[Value] = None  # its value in the best option
    most: float = 0.0  # probability that no other parameter matters more


@dataclass(frozen=True)
class Ranked(Record):
    """An option with its utility, and in a ranking its place."""

    option: Mapping[str, Value]
    mean: float
    sd: float
    low: int = 0  # the best and the worst place it has with nine chances in ten, from 1 on; 0 where there is no ranking
    high: int = 0
    above: float = 0.0  # probability that it is better than the next one
    shown: int = 0  # in how many questions


@dataclass(frozen=True)
class Belief(Record):
    """What the answers so far say."""

    best: Mapping[str, Value]
    answers: int
    slices: Mapping[str, Sequence[Point]]  # by parameter, through the best option
    importance: Sequence[Importance]
    ranking: Sequence[Ranked]  # the best items of a list; of parameters only the best option
    warnings: Sequence[str] = ()  # what a careful reader should know about the fit


@dataclass(frozen=True)
class UtilityMap(Record):
    """The utility over two parameters, all others as in the best option. Rows are of y; None where the constraints allow no option."""

    x: List[Value]
    y: List[Value]
    mean: List[List[Optional[float]]]
    sd: List[List[Optional[float]]]
    below: List[List[Optional[float]]]  # how far it is below the best option
    below_sd: List[List[Optional[float]]]
    best: Mapping[str, Value]


@dataclass(frozen=True)
class Prediction(Record):
    """What is believed of several options, or pairs, at once; what was not asked for is empty. Study.joint and Study.samples have its parts."""

    utilities: List[Ranked]
    p_first: List[float]
    covariance: List[List[float]]  # a row for each option; its diagonal has the squares of the standard deviations
    samples: List[List[float]]  # a row for each draw


@dataclass(frozen=True)
class Joint:
    """Joint utilities of several options: means and covariances."""

    mean: List[float]
    covariance: List[List[float]]


@dataclass(frozen=True)
class Gains(Record):
    """What questions about given pairs would be worth, in the order of the pairs."""

    method: str
    gains: List[float]  # of kg what the answer is expected to add to the best utility, in units of the noise; of others in their own
