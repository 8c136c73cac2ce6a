"""The paper beside ours: a line for every figure that the paper has, with the difference and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from polythetic.report.effort import after_training
from polythetic.report.evidence import VARIANTS
from polythetic.report.numbers import percentage, signed, tidy
from polythetic.report.verdicts import PERCENTAGES, Outcome, counted, in_words, verdict
from polythetic.results import Row

LONG = 12  # lines; more are folded away
SYMBOLS = {"alpha": "α", "beta": "β", "variant": "", "dataset": "", "tasks": "", "metric": "", "embedding": "d"}
WORDS = {
    ("replacement", True): "with replacement",
    ("replacement", False): "without replacement",
    ("variant", "ours"): "ours",
    ("variant", "authors"): "authors'",
}


class Line(NamedTuple):
    """A figure of the paper's, and ours."""

    name: str
    setting: str
    paper: str
    ours: str
    difference: str
    outcome: Outcome
    verdict: str


def comparison(rows: Sequence[Row]) -> list[Line]:
    """Compare every row that the paper has a figure for.

    >>> row = {"method": "MN", "setting": {}, "metric": "accuracy", "mean": 57.03, "stderr": 0.4}
    >>> comparison([row | {"paper": 57.6, "paper_stderr": 0.4}])[0][2:]
    ('57.6 ±0.4', '57.0 ±0.4', '−0.6', <Outcome.REPRODUCED: 'reproduced'>, 'reproduced')
    """
    compared = [entry for entry in rows if entry.get("paper") is not None]
    lines = []
    for entry, setting in zip(compared, distinguishing(compared), strict=True):
        judged = verdict(entry)
        assert judged is not None
        write, short = (percentage,) * 2 if entry["metric"] in PERCENTAGES else (tidy, partial(tidy, digits=2))
        paper, ours = (
            write(entry[figure]) + ("" if entry.get(error) is None else f" ±{short(entry[error])}")
            for figure, error in (("paper", "paper_stderr"), ("mean", "stderr"))
        )
        difference = signed(judged.difference, write)
        lines.append(Line(_name(entry), setting, paper, ours, difference, judged.outcome, str(judged)))
    return lines


def verdict_counts(rows: Sequence[Row], name: str = "") -> list[str]:
    """Say how the verdicts fall, the two kinds of settings apart, and what was measured after several trainings.

    The setting of a cell that was measured after more than one length of training says after which. Counted together,
    each of the paper's figures there would count more than once. All say after how much training, for a figure that
    is short after a fiftieth of the paper's is no finding on the paper.

    Args:
        rows: of a result.
        name: its experiment, by which the paper's own training is known.

    >>> row = {"metric": "accuracy", "mean": 9.0, "stderr": None, "paper": 9.0, "setting": {"variant": "ours"}}
    >>> verdict_counts([row, row | {"paper": 9.5}, row | {"setting": {"variant": "authors"}, "train_tasks": 200}])
    ['our settings: 1 reproduced, 1 short', "the authors' settings, 200 training tasks: 1 reproduced"]
    """
    kinds: dict[tuple[str, int | None], list[Row]] = {}
    for entry in rows:
        setting = entry["setting"]
        kind = VARIANTS.get(setting.get("variant"), ""), setting.get("train_tasks")
        kinds.setdefault(kind, []).append(entry)
    said = []
    for (variant, _), entries in kinds.items():
        judged = [entry for entry in entries if entry.get("paper") is not None]
        head, words = ", ".join(filter(None, [variant, after_training(name, judged)])), in_words(counted(judged))
        said += [f"{head}: {words}" if head else words] if words else []
    return said


def distinguishing(rows: Sequence[Row]) -> list[str]:
    """Say of each row no more of its setting than tells it from the others of its name.

    A yes or a no that is the same for all rows that are alike so far goes without saying: characters are never drawn
    with replacement.

    >>> rows = [{"method": "PN", "metric": "accuracy", "setting": {"n": n, "alpha": 2, "d": n}} for n in (5, 10)]
    >>> distinguishing(rows)
    ['n = 5', 'n = 10']
    """
    facts = [{"metric": entry["metric"], **entry["setting"]} for entry in rows]
    told: list[tuple[Any, ...]] = [(_name(entry),) for entry in rows]
    said: list[list[str]] = [[] for _ in rows]
    for key in dict.fromkeys(key for fact in facts for key in fact):
        finer = [(*before, str(fact.get(key))) for before, fact in zip(told, facts, strict=True)]
        if len(set(finer)) > len(set(told)):
            ways = Counter(before for before, _ in set(zip(told, finer, strict=True)))
            for words, before, fact in zip(said, told, facts, strict=True):
                if key in fact and (ways[before] > 1 or not isinstance(fact[key], bool)):
                    words.append(_said(key, fact[key]))
            told = finer
    return [", ".join(words) for words in said]


def _name(entry: Row) -> str:
    label, method = entry.get("label"), str(entry["method"])
    if not label:
        return method
    return str(label) if method in label else f"{method}, {label}"


def _said(key: str, value: Any) -> str:
    if isinstance(value, (bool, str)) and (key, value) in WORDS:
        return WORDS[key, value]
    value = " and ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    symbol = SYMBOLS.get(key, key.replace("_", " "))
    return f"{symbol} = {value}" if symbol else value
