"""Links for raters."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import List, Optional, Union

from .record import Record


@dataclass(frozen=True)
class Link(Record):
    """A rater's link: a path on the server, and a token for Client. Both are known only when it is created."""

    url: str = ""
    token: str = ""
    id: str = ""  # names it in place of the token, also after it was renewed
    rater: str = ""  # whose it is
    everybody: bool = False  # shared: everyone gets their own name and address
    through: str = ""  # the id of the shared link that a guest used
    guests: int = 0  # how many came through it, and were asked something
    created: str = ""  # times are as the server writes them, RFC 3339; empty: none
    expires: str = ""
    last_asked: str = ""


@dataclass(frozen=True)
class UploadLink(Record):
    """An upload address for logs of packed studies, and nothing else. Address and token are known only when it
    is created."""

    id: str  # names it in place of its token
    url: str = ""
    token: str = ""
    created: str = ""
    expires: str = ""


@dataclass(frozen=True)
class UploadedRater(Record):
    """The rater of a log."""

    rater: str
    answers: int  # how many it has, those taken back among them
    new: int  # how many of them the study did not have


@dataclass(frozen=True)
class Uploaded(Record):
    """The result of an upload."""

    raters: List[UploadedRater]
    answers: int
    new: int


def moment(when: Optional[Union[datetime, str]]) -> Optional[str]:
    """A time as the server reads it; one that names no zone is of here."""
    return when.astimezone().isoformat() if isinstance(when, datetime) else when
