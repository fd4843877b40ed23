"""Tunes a prompt variant, a temperature and a limit on tokens with two judges that compare two answers, four questions at a time.

    prefer serve --store judge.db &
    python examples/llm_judge.py http://127.0.0.1:8080

Models that judge favour what they read first. Which option that is changes by chance and is recorded, so that the pick is not biased by it, and the program says
how far each judge follows the order, and how far it agrees with itself. Every judge is its own rater, so that the study learns how far to trust each.

The judges here are simulated and the program runs by itself; what to put in their place says `Judge.__call__`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from prefer import Client, ConflictError, Option, Question

CONFIG = {
    "prompt": "Which answer helps the customer more?",
    "params": [
        {"name": "variant", "type": "categorical", "choices": ["plain", "step_by_step", "with_examples"]},
        {"name": "temperature", "low": 0, "high": 1.5},
        {"name": "max_tokens", "type": "int", "low": 64, "high": 1024, "log": True},
    ],
    "seed": 3,
}


def quality(option: Option) -> float:
    """What the study does not know: step by step at temperature 0.4 with 320 tokens is best, at 0."""
    variant = {"plain": -2.0, "step_by_step": 0.0, "with_examples": -1.2}[str(option["variant"])]
    temperature, tokens = float(option["temperature"]), float(option["max_tokens"])
    return variant - 4 * (temperature - 0.4) ** 2 - 1.5 * math.log(tokens / 320) ** 2


@dataclass(frozen=True)
class Judge:
    noise: float
    habit: float  # how much it favours what it reads first

    def __call__(self, question: Question) -> Dict[str, Any]:
        """A real judge calls two models here: the one being tuned, once per option, and the one that compares.

            answers = [writer.complete(TEMPLATES[o["variant"]], temperature=o["temperature"], max_tokens=o["max_tokens"])
                       for o in question.options]
            return judge.complete(f"{question.prompt} Say A or B.\\nA: {answers[0]}\\nB: {answers[1]}").strip()
        """
        draw = random.Random(question.id)
        d = quality(question.first) - quality(question.second) + self.habit + draw.gauss(0, self.noise)
        return {"choice": "first" if d > 0 else "second", "note": f"by {d:+.2f}", "meta": {"model": "simulated"}, "cost": 0.001}


JUDGES = {"judge-large": Judge(noise=0.3, habit=0.2), "judge-small": Judge(noise=0.8, habit=0.5)}


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Tunes a prompt with judges that compare two answers.")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080", help="where prefer serve listens")
    parser.add_argument("--study", default="llm-judge")
    parser.add_argument("--budget", type=int, default=60, help="questions to ask at most")
    given = parser.parse_args(arguments)
    with Client(given.url) as client:
        try:
            study = client.create(given.study, CONFIG)
        except ConflictError:
            study = client.study(given.study)  # go on where it was stopped
        result = study.judge(JUDGES, parallel=4, budget=given.budget)
    best = result.verdict.best.option
    print(f"best: {best['variant']}, temperature {float(best['temperature']):.2f}, {best['max_tokens']} tokens")
    print(f"{result.verdict.sentence}\n{result.done} questions, cost {result.cost:.3f}")
    for name, judge in result.judges.items():
        first = f"chose the first {judge.first.count} of {judge.first.of} times [{judge.first.low:.0%}, {judge.first.high:.0%}]"
        print(f"{name}: noise {judge.noise or 1:.2f}, 1 being usual; {first}; agreed with itself {judge.agreed.count} of {judge.agreed.of} times")
    return 0


if __name__ == "__main__":
    sys.exit(main())
