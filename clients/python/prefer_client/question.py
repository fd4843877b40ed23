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
        return {"item": option.item.id} if option.item else dict(option.params)
    return dict(option)


@dataclass(frozen=True)
class Status:
    """Where a study stands, as far as the server knew at once; Study.verdict() waits for the answer it rests on."""

    verdict: str  # keep_going, clear_winner or practical_tie
    confidence: float
    left: Tuple[int, int]  # a rough range for the number of questions left
    answers: int
    sentence: str

    @property
    def done(self) -> bool:
        return self.verdict != "keep_going"

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Status":
        left = o["left"]
        return Status(o["verdict"], o["confidence"], (left[0], left[1]), o["answers"], o["sentence"])


@dataclass(frozen=True)
class Why:
    """How a question was chosen; told to the owner of the study only."""

    method: str
    value: float  # what the answer is expected to add to the best utility, in units of the noise
    p_first: float  # probability that the first option is preferred


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
            Why(why["method"], why["value"], why["p_first"]) if why else None,
            bool(o.get("blind")),
        )


@dataclass(frozen=True)
class Answer:
    """An answer the server has kept."""

    id: str
    status: Status

    @staticmethod
    def read(o: Mapping[str, Any]) -> "Answer":
        return Answer(o["answer_id"], Status.read(o["status"]))
