"""Raters, and the group of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Mapping, Optional

from .question import Value
from .record import Record


@dataclass(frozen=True)
class Share(Record):
    """A share with its 95% interval."""

    count: int
    of: int
    low: float
    high: float


@dataclass(frozen=True)
class Catches(Record):
    """Catch questions, with a known answer."""

    right: int
    of: int  # answered, skips aside
    due: int  # how many there should be by now; 0 in a study without


@dataclass(frozen=True)
class Repeats(Record):
    """Repeated questions."""

    agreed: int  # answered as before
    of: int
    due: int


@dataclass(frozen=True)
class PositionBias(Record):
    """Position bias towards what is shown first, in units of the typical noise: at 1 they choose it 84 times in 100 between equal options."""

    mean: float  # negative towards what is shown second
    sd: float


@dataclass(frozen=True)
class Rater(Record):
    """A rater."""

    name: str
    answers: int  # skips included, blind duels and practice not; `counted` are those that a verdict counts
    ties: int
    both_bad: int
    skips: int
    left: Share  # preferences for what was shown on the left: far from a half is a bias
    agreed: Share  # repeated questions answered as before
    catch: Catches
    repeats: Repeats
    noise: Optional[float] = None  # of the answers, 1 is typical; None where it is unknown: for a single rater, and in a study per rater
    clear: int = 0  # preferences that they called clear, or stronger
    odds: float = 0.0  # log likelihood ratio of careless to careful; 0 with fewer than 8 preferences
    careless: bool = False  # the odds are long
    why: str = ""  # what speaks most for it
    follows_order: bool = False  # the side on which an option was shown explains their choices
    position_bias: Optional[PositionBias] = None  # how far they lean to what is shown first; None where that is not clear
    out: bool = False  # excluded from what the group learns
    out_why: str = ""  # in the owner's words
    counted: int = 0  # answers that count, as in Verdict.answers: no skips, no checks
    called: str = ""  # name on pages, if another
    origins: List[str] = field(default_factory=list)  # ids of the upload tokens that their answers came by
    median_response_ns: int = 0  # 0 where no time was recorded


@dataclass(frozen=True)
class Agreement(Record):
    """A correlation of utilities, with its 95% interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Camp(Record):
    """One of two groups of raters with different tastes."""

    raters: List[str]
    best: Mapping[str, Value]


@dataclass(frozen=True)
class Group(Record):
    """All raters of a study per rater together. What is by rater has the order of `raters`."""

    raters: List[str]  # raters who preferred something and are not excluded
    weights: List[float]  # how much each counts in `best`
    best: Optional[Mapping[str, Value]]  # suits all of them; None while nobody has preferred anything
    score: float
    favourites: List[Mapping[str, Value]]
    loss: List[float]  # what each gives up if `best` is taken, in their standardised units
    agreement: List[List[float]]  # of each two, with a 95% interval from low to high
    low: List[List[float]]
    high: List[List[float]]
    together: Agreement  # the mean over all pairs
    sentence: str
    disagrees: List[str]  # who surely wants the contrary of the others
    camps: List[Camp]
    careless: List[str]  # who count for little, because they hardly answer by taste
    camp_odds: float = 0.0
    kinship: Optional[Agreement] = None  # of older servers; see together


@dataclass(frozen=True)
class Said(Record):
    """What an answer says."""

    choice: str  # first, second, tie, both_bad or skip; first is Entry.first, whichever was shown on the left
    strength: int = 0
    swapped: bool = False  # the second option was shown first
    rater: str = ""  # the rater, if not the one asked
    response_ns: int = 0  # how long they looked; 0 where it was not recorded
    session: str = ""
    check: bool = False  # kept and not learned from
    refused: int = 0  # earlier attempts that came too quickly
    key: str = ""
    note: str = ""  # their reason, in words
    meta: Optional[Mapping[str, Value]] = None  # what is known of the answer by name: model, tokens, …
    random_sides: bool = False  # it was drawn at random which option was shown first


@dataclass(frozen=True)
class Entry(Record):
    """One answer of a study's past."""

    seq: int
    time: str  # RFC 3339
    id: str
    first: Mapping[str, Value]
    second: Mapping[str, Value]
    answer: Said
    question: str = ""  # empty for a duel that nobody asked for
    rater: str = ""
    method: str = ""  # that chose the pair
    observed: bool = False  # nobody asked for it
    blind: bool = False  # a blind duel
    undone: bool = False  # taken back
    out: bool = False  # its rater is left out of what the group learns
    number: int = 0  # of the answers that count, under its context; 0 if it does not count
    origin: str = ""  # the id of the upload token that it came by


@dataclass(frozen=True)
class Me(Record):
    """The identity behind a token."""

    role: str  # owner or rater
    show_result: bool  # whether they may see the result
    study: str = ""  # a rater's
    rater: str = ""  # their name in it
