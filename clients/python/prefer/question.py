"""What is asked and answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Literal, Mapping, Optional, Tuple, Union

Value = Union[float, str, bool]
Choice = Literal["first", "second", "tie", "both_bad", "skip"]


@dataclass(frozen=True)
class Item:
    """An item of a list."""

    id: str
    media: str = ""
    text: str = ""


@dataclass(frozen=True)
class Option:
    """One side of a question: `params` by name, or an `item`. option["sugar"] is short for option.params["sugar"]."""

    id: str
    params: Mapping[str, Value]
    item: Optional[Item] = None
    media_url: str = ""

    def __getitem__(self, name: str) -> Value:
        return self.params[name]

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Option":
        item = o.get("item")
        return Option(
            o["option_id"],
            dict(o.get("params") or {}),
            Item(item["id"], item.get("media", ""), item.get("text", "")) if item else None,
            (o.get("media") or {}).get("url", ""),
        )


OptionLike = Union[Option, Mapping[str, Value], str]


def plain(option: OptionLike) -> Dict[str, Value]:
    """An option as the server reads it; a string is the id of an item."""
    if isinstance(option, str):
        return {"item": option}
    if isinstance(option, Option):
        return {"item": option.item.id, **option.params} if option.item else dict(option.params)
    return dict(option)


@dataclass(frozen=True)
class Foretold:
    """How the study's forecasts of the answers fared."""

    right: int = 0  # answers that were held likeliest when they were asked for
    of: int = 0
    score: float = 0.0  # in standard deviations: far below 0 the study is too bold, far above too timid

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Foretold":
        return Foretold(o.get("right", 0), o.get("of", 0), o.get("score", 0.0))


def done(kind: str) -> bool:
    """Whether a kind of verdict is an ending. There may be more of them in time: what is not keep_going is one."""
    return kind != "keep_going"


def span(o: Mapping[str, Any]) -> Tuple[int, int]:
    left = o.get("left") or (0, 0)
    return left[0], left[1]


@dataclass(frozen=True)
class Status:
    """Where a study stands, as far as the server knew at once; Study.verdict() waits for the answer it rests on."""

    verdict: str  # keep_going, or an ending: see Verdict.kind; to a rater who may not see the result "over" or "budget_reached"
    confidence: float  # 0 to a rater who may not see the result, as are beats and foretold
    left: Tuple[int, int]  # a range for the number of questions left
    answers: int  # about the utility; skips and checks are none
    sentence: str
    beats: float = 0.0  # share of all options that the pick is expected to be better than
    given: int = 0  # answers of the rater herself
    budget: int = 0  # how many she is to give; 0 for no end but the verdict's own
    late: bool = False  # it has taken longer than three of four studies like it
    foretold: Foretold = Foretold()
    practice: int = 0  # questions she has still to practise on
    rest: int = 0  # if a break is to be offered before the question: the answers she has given
    blind_left: int = 0  # at her end: blind duels of the pick she is still to be asked
    raters: int = 0  # people who gave the answers
    found: str = ""  # what the others have found, if that is an ending, while the rater has not had her say

    @property
    def done(self) -> bool:
        return done(self.verdict)

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Status":
        return Status(
            o.get("verdict", "keep_going"),
            o.get("confidence", 0.0),
            span(o),
            o.get("answers", 0),
            o.get("sentence", ""),
            o.get("beats", 0.0),
            o.get("given", 0),
            o.get("budget", 0),
            bool(o.get("late")),
            Foretold.read(o.get("foretold") or {}),
            o.get("practice", 0),
            o.get("break", 0),
            o.get("blind_left", 0),
            o.get("raters", 0),
            o.get("found", ""),
        )


@dataclass(frozen=True)
class Why:
    """How a question was chosen; told to the owner of the study only."""

    method: str
    value: float  # what the answer is expected to add to the best utility, in units of the noise
    p_first: Optional[float]  # probability that the first option is preferred; None if it was not known in time


@dataclass(frozen=True)
class Question:
    """A pair waiting for an answer, its options in the order in which they are to be shown."""

    id: str
    prompt: str
    rater: str
    options: Tuple[Option, Option]
    status: Status
    repeat: bool = False
    why: Optional[Why] = None
    blind: bool = False  # a blind duel of the study's pick, which is not learned from
    practice: bool = False  # to get used to it: nothing is learned from the answer, and it counts for nothing

    @property
    def first(self) -> Option:
        return self.options[0]

    @property
    def second(self) -> Option:
        return self.options[1]

    @staticmethod
    def read(o: Mapping[str, Any], rater: str) -> "Question":
        first, second = (Option.read(shown) for shown in o["options"])
        why = o.get("why")
        return Question(
            o["question_id"],
            o["prompt"],
            rater,
            (first, second),
            Status.read(o["status"]),
            bool(o.get("repeat")),
            Why(why["method"], why["value"], why.get("p_first")) if why else None,
            bool(o.get("blind")),
            bool(o.get("practice")),
        )


@dataclass(frozen=True)
class Answer:
    """An answer the server has kept."""

    id: str
    status: Status

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Answer":
        return Answer(o["answer_id"], Status.read(o["status"]))
