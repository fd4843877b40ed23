"""How this package was installed: its version, and whether another one of its name is in the same place."""

from __future__ import annotations

import warnings
from pathlib import Path

_BESIDE = Path(__file__).resolve().parent.parent  # site-packages, or clients/python of a checkout


def version() -> str:
    """The version that was installed; that of a checkout is "unknown"."""
    import importlib.metadata

    try:
        return importlib.metadata.version("prefer-bo")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def warn_of_others(beside: Path = _BESIDE) -> None:
    """Says so where the distribution `prefer` is installed as well: both are imported as prefer, and each has written over files of the other."""
    others = sorted(path.name for pattern in ("prefer-*.dist-info", "prefer-*.egg-info") for path in beside.glob(pattern))
    if others:
        warnings.warn(
            f"{others[0]} is installed in {beside} beside prefer-bo, and both are imported as prefer: each has written over files of the other. "
            "pip uninstall prefer prefer-bo, then pip install prefer-bo, or have them in environments of their own",
            RuntimeWarning,
            stacklevel=3,
        )
