"""Files on their way to the server."""

from __future__ import annotations

import mimetypes
import os
import uuid
from dataclasses import dataclass
from typing import List, Sequence, Tuple, Union

from .errors import PreferError
from .record import Record

FileLike = Union[str, "os.PathLike[str]", Tuple[str, bytes]]  # a path, or a name and what is in it


@dataclass(frozen=True)
class Upload(Record):
    """A file that the server has taken."""

    media: str  # what an item calls it
    name: str  # what it was called
    type: str
    url: str  # a path on the server


def form(files: Sequence[FileLike]) -> Tuple[bytes, str]:
    """The files as multipart/form-data (RFC 7578), and its Content-Type."""
    if isinstance(files, (str, bytes, os.PathLike)) or not files:
        raise PreferError(f"files = {files!r}, want a list of paths, or of names with what is in them")
    boundary = uuid.uuid4().hex
    parts: List[bytes] = []
    for file in files:
        if isinstance(file, tuple):
            name, data = file
        else:
            name = os.path.basename(os.fspath(file))
            try:
                with open(file, "rb") as opened:
                    data = opened.read()
            except OSError as e:
                raise PreferError(f"{os.fspath(file)}: {e.strerror}") from e
        if any(c in name for c in '"\r\n\\'):
            raise PreferError(f"a file is called {name!r}, want a name without quotes, backslashes and line ends")
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
