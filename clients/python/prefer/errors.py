"""Exceptions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Type


class PreferError(Exception):
    """Base class of all exceptions of this package."""


class UnreachableError(PreferError):
    """No reply came. The request may or may not have taken effect."""


class NotOverError(PreferError, TimeoutError):
    """A job was not over in time. The server continues it."""


class ArgumentError(PreferError, ValueError):
    """An invalid argument; `field` names it, "" if unknown."""

    def __init__(self, message: str, field: str = ""):
        self.field = field
        super().__init__(message)

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.field)


class EndedError(PreferError):
    """The private process has ended, and its studies with it."""


@dataclass(frozen=True)
class FieldError:
    """One field of a request that the server does not accept."""

    location: str  # like "body.choice"
    message: str
    value: Any = None


class ProblemError(PreferError):
    """An error reply of the server: the fields of its application/problem+json (RFC 9457)."""

    def __init__(self, status: int, title: str = "", detail: str = "", type: str = "", errors: Tuple[FieldError, ...] = (), instance: str = ""):
        self.status, self.title, self.detail, self.type, self.errors, self.instance = status, title, detail, type, errors, instance
        lines = [f"{status} {title}".strip() + (f": {detail}" if detail else "")]
        lines += [f"{e.location}: {e.message}" for e in errors if e.message != detail]
        if status >= 500 and self.request:
            lines.append(f"request {self.request}")
        super().__init__("; ".join(lines))

    def __reduce__(self) -> Tuple[Any, ...]:  # exceptions cross process boundaries in worker pools
        return type(self), (self.status, self.title, self.detail, self.type, self.errors, self.instance)

    @property
    def request(self) -> str:
        """The id under which the server's log has the request, "" if the reply does not say."""
        return self.instance.partition("urn:prefer:request:")[2]

    @property
    def kind(self) -> str:
        """What the server calls the problem: "no_study" of "urn:prefer:no_study"."""
        return self.type.rpartition(":")[2]


class InvalidError(ProblemError):
    """400, 413, 415, 422: invalid request; `errors` names the fields."""


class DeniedError(ProblemError):
    """401, 403: the token is missing, or may not do this."""


class NotFoundError(ProblemError):
    """404: no such study, question or answer."""


class ConflictError(ProblemError):
    """409: there is a study of that name, or the question is not open."""


class BusyError(ProblemError):
    """429, 503: busy. Raised after the last retry."""


_BY_STATUS: Dict[int, Type[ProblemError]] = {
    400: InvalidError, 413: InvalidError, 415: InvalidError, 422: InvalidError,
    401: DeniedError, 403: DeniedError, 404: NotFoundError, 409: ConflictError, 429: BusyError, 503: BusyError,
}  # fmt: skip


def problem(status: int, reason: str, body: bytes) -> ProblemError:
    """The exception for a reply, also for one from a proxy that does not speak JSON."""
    kind = _BY_STATUS.get(status, ProblemError)
    fields = _object(body)
    if fields is None:
        return kind(status, reason, body[:200].decode("utf-8", "replace").strip())
    listed = fields.get("errors")
    errors = tuple(
        FieldError(str(e.get("location", "")), str(e.get("message", "")), e.get("value"))
        for e in (listed if isinstance(listed, list) else [])
        if isinstance(e, dict)
    )
    title, detail, name, instance = (str(fields.get(key) or "") for key in ("title", "detail", "type", "instance"))
    return kind(status, title or reason, detail, name, errors, instance)


def _object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
