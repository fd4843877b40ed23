"""Where the program prefer is: what $PREFER names, else what was installed with this package, else what the PATH has."""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path
from typing import Iterator

from .errors import PreferError

_NAME = "prefer.exe" if os.name == "nt" else "prefer"
_PACKAGE = Path(__file__).resolve().parent

_CHECKOUT = _PACKAGE.parents[2]  # of clients/python/prefer

HOW = "pip install prefer-bo brings it, and $PREFER may name another"
if (_CHECKOUT / "cmd" / "prefer").is_dir():
    HOW = f"build it with: go build -o prefer ./cmd/prefer (in {_CHECKOUT}), and name it by $PREFER, or have it on the PATH"


def find() -> str:
    """The program's path."""
    named = os.environ.get("PREFER")
    if named:
        if not os.path.isfile(named):
            raise PreferError(f"PREFER = {named!r} is not a file: {HOW}")
        return named
    for path in _installed():
        if path.is_file():
            return str(path)
    found = shutil.which("prefer")
    if found is None:
        raise PreferError(f"the program prefer is not here: {HOW}")
    return found


def _installed() -> Iterator[Path]:
    """Where installing puts it: by the list of installed files, beside the interpreter, and beside the package (pip install --target)."""
    if not list(_PACKAGE.parent.glob("prefer_bo-*.dist-info")):
        return
    import importlib.metadata

    try:
        for file in importlib.metadata.distribution("prefer-bo").files or ():
            if file.name == _NAME and file.parent.name.lower() in ("bin", "scripts"):
                yield Path(str(file.locate()))
    except importlib.metadata.PackageNotFoundError:
        pass
    yield Path(sysconfig.get_path("scripts")) / _NAME
    yield _PACKAGE.parent / "bin" / _NAME
