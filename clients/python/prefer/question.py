"""What is asked and answered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Dict, Literal, Mapping, Optional, Tuple, Union

from .record import Record

Value = Union[float, str, bool]
Choice = Literal["first", "second", "tie", "both_bad", "skip"]


@dataclass(frozen=True)
class Item(Record):
    """An item of a list."""

    id: str
    media: str = ""
    text: str = ""


@dataclass(frozen=True)
class Media(Record):
    """What shows an item: Study.media(option) has its bytes."""

    type: str  # image, audio, video, text or other
    url: str  # a path on the server


@dataclass(frozen=True)
class Option(Record):
    """One side of a question: `params` by name, or an `item`. option["sugar"] is short for option.params["sugar"]."""

    JSON: ClassVar[Mapping[str, str]] = {"id": "option_id"}

    id: str
    params: Mapping[str, Value]
    item: Optional[Item] = None
    media: Optional[Media] = None

    def __getitem__(self, name: str) -> Value:
        return self.params[name]

    @property
    def media_url(self) -> str:
        """Where the media of an item are, a path on the server; "" where there are none."""
        return self.media.url if self.media else ""

    @classmethod
    def read(cls, o: Mapping[str, Any]) -> "Option":
        return super().read({"params": {}, **o})


OptionLike = Union[Option, Mapping[str, Value], str]


def plain(option: OptionLike) -> Dict[str, Value]:
    """An option as the server reads it; a string is the id of an item."""
    if isinstance(option, str):
        return {"item": option}
    if isinstance(option, Option):
        return {"item": option.item.id, **option.params} if option.item else dict(option.params)
    return dict(option)


@dataclass(frozen=True)
class Foretold(Record):
    """How well the study predicted the answers."""

    right: int = 0  # answers that were held likeliest when they were asked for
    of: int = 0
    score: float = 0.0  # in standard deviations: far below 0 the study is too bold, far above too timid


def done(kind: str) -> bool:
    """Whether a kind of verdict is an ending. Kinds may be added: everything but keep_going is one."""
    return kind != "keep_going"


@dataclass(frozen=True)
class Status(Record):
    """Where a study stands, as far as the server knew at once; Study.verdict() waits for the answer it rests on."""

    JSON: ClassVar[Mapping[str, str]] = {"rest": "break"}

    verdict: str = "keep_going"  # or an ending: see Verdict.kind; to a rater who may not see the result "over" or "budget_reached"
    confidence: Optional[float] = None  # None to a rater who may not see the result, as are beats and predictions
    left: Tuple[int, int] = (0, 0)  # a range for the number of questions left
    answers: int = 0  # about the utility; skips and checks are none
    sentence: str = ""
    beats: Optional[float] = None  # share of all options that the pick is expected to be better than
    given: int = 0  # answers of the rater themselves
    budget: int = 0  # how many they are to give; 0 for no end but the verdict's own
    late: bool = False  # it has taken longer than nine of ten studies like it
    foretold: Optional[Foretold] = None
    practice: int = 0  # questions they have still to practise on
    rest: int = 0  # if a break is to be offered before the question: the answers they have given
    blind_left: int = 0  # at their end: blind duels of the pick they are still to be asked
    raters: int = 0  # people who gave the answers
    found: str = ""  # what the others have found, if that is an ending, while the rater has not had their say
    at: int = 0  # the number of answers the verdict rests on
    items: int = 0  # of a list; 0 of parameters
    seen: int = 0  # of which they were asked about so many

    @property
    def done(self) -> bool:
        return done(self.verdict)


@dataclass(frozen=True)
class Why(Record):
    """How a question was chosen; only for the owner of the study."""

    method: str
    value: float  # what the answer is expected to add to the best utility, in units of the noise
    p_first: Optional[float] = None  # probability that the first option is preferred; None if it was not known in time


@dataclass(frozen=True)
class Question(Record):
    """A pair waiting for an answer, its options in the order in which they are to be shown."""

    JSON: ClassVar[Mapping[str, str]] = {"id": "question_id"}

    id: str
    prompt: str
    rater: str
    options: Tuple[Option, Option]
    status: Status
    repeat: bool = False
    why: Optional[Why] = None
    blind: bool = False  # a blind duel of the study's pick, which is not learned from
    practice: bool = False  # to get used to it: nothing is learned from the answer, and it counts for nothing
    seq: int = 0  # where in the study's log it was asked

    @property
    def first(self) -> Option:
        return self.options[0]

    @property
    def second(self) -> Option:
        return self.options[1]

    @classmethod
    def read(cls, o: Mapping[str, Any], rater: Optional[str] = None) -> "Question":
        question = super().read({"rater": "", **o})
        return question if rater is None else replace(question, rater=rater)


@dataclass(frozen=True)
class Answer(Record):
    """An answer the server has kept."""

    JSON: ClassVar[Mapping[str, str]] = {"id": "answer_id"}

    id: str
    status: Status
    next: Optional[Question] = None  # if it was asked for; None at an ending
