"""The part of a Study that answers its questions: all that judges and widgets need of it, so that neither imports Study, which imports both."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Protocol, Union

from .belief import Verdict
from .people import Entry, Rater
from .question import Answer, Choice, OptionLike, Question, Value
from .transport import Transport

Fixed = Optional[Mapping[str, Value]]


class Answering(Protocol):
    name: str
    _transport: Transport

    def info(self) -> Dict[str, Any]: ...

    def ask(self, rater: str = "", fixed: Fixed = None) -> Question: ...

    def _ask(
        self, rater: str, fixed: Fixed, hold: Optional[OptionLike], hold_best: bool, budget_ms: Optional[int], count: int = 1, blind: bool = False, repeats: Optional[float] = None
    ) -> Any: ...

    def tell(
        self, question: Union[Question, str], choice: Choice, strength: int = 0, rt_ms: Optional[int] = None, session: str = "", learn: bool = True,
        key: Optional[str] = None, note: str = "", meta: Fixed = None, next: bool = False,
    ) -> Answer: ...  # fmt: skip

    def undo(self, answer: Optional[Answer] = None, rater: str = "") -> str: ...

    def verdict(self, rater: str = "", fixed: Fixed = None) -> Verdict: ...

    def history(self) -> List[Entry]: ...

    def raters(self) -> List[Rater]: ...

    def export(self, format: Literal["jsonl"] = "jsonl") -> bytes: ...
