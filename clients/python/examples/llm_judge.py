"""Tunes a prompt variant, a temperature and a limit on tokens with judges that compare two answers.

    prefer serve --store judge.db &
    python examples/llm_judge.py http://127.0.0.1:8080

Models that judge favour what they read first. So each pair is judged in both orders, and a judge who contradicts herself
could not tell: a tie. Every judge is a rater of her own, so that the study learns whom to trust how far; the program says so at the end.

The judges here are simulated and the program runs by itself; what to put in their place says `Judge.reads_better`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from dataclasses import dataclass
from typing import List, Optional

from prefer import Choice, Client, ConflictError, Option, Verdict

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
    name: str
    noise: float
    habit: float  # how much she favours what she reads first

    def reads_better(self, left: Option, right: Option) -> bool:
        """Whether the answer written with `left`, read first, is better than the one written with `right`.

        A real judge calls two models here: the one being tuned, once per option, and the one that compares.

            answers = [writer.complete(TEMPLATES[o["variant"]], temperature=o["temperature"], max_tokens=o["max_tokens"])
                       for o in (left, right)]
            return judge.complete(f"Which is better, A or B?\\nA: {answers[0]}\\nB: {answers[1]}").strip() == "A"
        """
        draw = random.Random(f"{self.name} {sorted(left.params.items())} {sorted(right.params.items())}")
        return quality(left) - quality(right) + self.habit + draw.gauss(0, self.noise) > 0

    def choose(self, first: Option, second: Option) -> Choice:
        """Judges in both orders; who contradicts herself could not tell."""
        forth, back = self.reads_better(first, second), self.reads_better(second, first)
        if forth == back:
            return "tie"
        return "first" if forth else "second"


JUDGES = [Judge("judge-large", noise=0.3, habit=0.2), Judge("judge-small", noise=0.8, habit=0.5)]


def tune(client: Client, name: str, limit: int) -> Verdict:
    """Asks the judges in turn until there is a verdict, or `limit` questions were answered."""
    try:
        study = client.create(name, CONFIG)
    except ConflictError:
        study = client.study(name)  # go on where it was stopped
    verdict = study.verdict()
    for number in range(limit):
        if verdict.done:
            break
        judge = JUDGES[number % len(JUDGES)]
        question = study.ask(judge.name, budget_ms=10_000)  # a model does not mind waiting
        choice = judge.choose(question.first, question.second)
        study.tell(question, choice)
        verdict = study.verdict()
        print(f"{number + 1:3d}  {judge.name}  {describe(question.first)}  or  {describe(question.second)}?  {choice}")
    return verdict


def describe(option: Option) -> str:
    return f"{option['variant']} {float(option['temperature']):.2f} {option['max_tokens']}"


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Tunes a prompt with judges that compare two answers.")
    parser.add_argument("url", nargs="?", default="http://127.0.0.1:8080", help="where prefer serve listens")
    parser.add_argument("--study", default="llm-judge")
    parser.add_argument("--limit", type=int, default=60, help="questions to ask at most")
    given = parser.parse_args(arguments)
    with Client(given.url) as client:
        verdict = tune(client, given.study, given.limit)
        judges = client.study(given.study).results().people
    best = verdict.best.option
    print(f"\nbest: {best['variant']}, temperature {float(best['temperature']):.2f}, {best['max_tokens']} tokens")
    print(verdict.sentence)
    for judge in judges:
        print(f"{judge['rater']}: noise {judge['noise'] or 1:.2f}, 1 being usual; {judge['given']} answers, {judge['ties']} ties")
    return 0


if __name__ == "__main__":
    sys.exit(main())
