"""Ways in for raters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import List, Optional, Union

from .record import Record


@dataclass(frozen=True)
class Link(Record):
    """A rater's way in: a page, as a path on the server, and the same as a token for Client. Both are known only when it is made."""

    url: str = ""
    token: str = ""
    id: str = ""  # names it in place of the token, also after it was renewed
    rater: str = ""  # whose it is
    everybody: bool = False  # or everybody's: each gets a name and an address of their own
    through: str = ""  # the id of the link for everybody that they came through
    guests: int = 0  # how many came through it, and were asked something
    created: str = ""  # times are as the server writes them, RFC 3339; empty: none
    expires: str = ""
    last_asked: str = ""


@dataclass(frozen=True)
class UploadLink(Record):
    """A way in for logs of people who were asked elsewhere, and for nothing else: what a packed study takes as its address. Address and token are known only when it
    is made."""

    id: str  # names it in place of its token
    url: str = ""
    token: str = ""
    created: str = ""
    expires: str = ""


@dataclass(frozen=True)
class UploadedRater(Record):
    """Whose log it was."""

    rater: str
    answers: int  # how many it has, those taken back among them
    new: int  # how many of them the study did not have


@dataclass(frozen=True)
class Uploaded(Record):
    """What became of a log."""

    raters: List[UploadedRater]
    answers: int
    new: int


def moment(when: Optional[Union[datetime, str]]) -> Optional[str]:
    """A time as the server reads it; one that names no zone is of here."""
    return when.astimezone().isoformat() if isinstance(when, datetime) else when
