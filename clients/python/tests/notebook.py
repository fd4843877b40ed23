"""Runs notebooks as their cells would be, without Jupyter: python tests/notebook.py examples/research.ipynb.

What is in the repository has no outputs, so that a change is a change of words; this fails on any.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any, Dict, List


def sources(path: Path) -> List[str]:
    """The cells of code, none of which may have an output."""
    cells: List[Dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [c for c in cells if c["cell_type"] == "code"]
    for number, cell in enumerate(code):
        if cell["outputs"] or cell["execution_count"] is not None:
            raise SystemExit(f"{path}: cell {number} has outputs: jupyter nbconvert --clear-output --inplace {path}")
    return ["".join(c["source"]) for c in code]


def run(path: Path) -> None:
    names: Dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(sources(path)):
        try:
            exec(compile(source, f"{path.name}[{number}]", "exec"), names)
        except Exception:
            traceback.print_exc()
            raise SystemExit(f"{path}: cell {number} failed:\n{source}") from None


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for name in sys.argv[1:]:
        run(Path(name))
