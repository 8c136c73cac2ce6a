"""Table 1's rows of ours: refined scores on the paper's cells, and on i.i.d. supports of more bits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from polythetic.episodes import BooleanTasks
from polythetic.episodes.batches import batches
from polythetic.evaluation import Evaluation, accuracy_of, active_share, head_to_head
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Found
from polythetic.experiments.settings import DESIGNS, VARIANTS, active_shares, comparison, seconds, selecting
from polythetic.jobs import Job
from polythetic.pipeline import Method
from polythetic.report.numbers import xor
from polythetic.results import Row, row
from polythetic.selection import GivenScorer

METHODS = ("R+MN", "R+NN")
OTHERS = ("FS+MN", "MN")  # beside them where there are more bits
AGAINST = ("FS+MN", "MN")
SHARE = "active share"
BATCH = 250  # tasks

# Rows of support by n and α, beyond the paper: many bits, and no balance that would give active ones away.
ROWS = {(20, 2): 20, (20, 3): 40, (20, 4): 80, (50, 2): 64, (50, 3): 128, (50, 4): 256}
LARGER = [BooleanTasks(n=n, alpha=alpha, design="iid", rows=count) for (n, alpha), count in ROWS.items()]


def jobs(suites: list[BooleanTasks], budget: Budget, seed: int) -> dict[Any, Job]:
    """Refine on the paper's tasks, for which the others are measured elsewhere; on larger ones measure them too."""
    cells = {}
    for suite in [*suites, *LARGER]:
        cell = f"Table 1, n = {suite.n}, α = {suite.alpha}, {suite.support_size} rows, {DESIGNS[suite.design]}"
        facts = {"suite": suite, "tasks": budget.tasks, "seed": seed}
        cost = seconds("R+MN", suite) * budget.tasks
        cells["R", suite] = Job(f"{cell}: refined scores", refined, facts, cost=cost)
    for suite in LARGER:
        cell = f"Table 1, n = {suite.n}, α = {suite.alpha}, {suite.support_size} rows"
        cells["accuracy", suite] = comparison(f"{cell}: accuracy", [suite], OTHERS, budget.tasks, seed)
        facts = {"suite": suite, "labels": ["FS+MN"], "tasks": budget.tasks, "seed": seed}
        cost = seconds("FS+MN", suite) * budget.tasks
        cells[SHARE, suite] = Job(f"{cell}: active share", active_shares, facts, cost=cost)
    return cells


def refined(suite: BooleanTasks, tasks: int, seed: int) -> dict[str, Tensor]:
    """Refine the scores of each task once, for both classifiers and for the share of active bits: per cent a task.

    >>> {name: values.shape for name, values in refined(BooleanTasks(n=5), tasks=2, seed=0).items()}
    {'R+MN': torch.Size([2]), 'R+NN': torch.Size([2]), 'active share': torch.Size([2])}
    """
    selection = selecting(VARIANTS["R+MN"].method)
    parts: dict[str, list[Tensor]] = {}
    for episode in batches(suite, tasks=tasks, seed=seed, size=BATCH):
        scores = selection.scores(episode.support, episode.support_labels, episode.query)
        once = replace(selection, scorer=GivenScorer(scores))
        for label in METHODS:
            method = Method(VARIANTS[label].method.classifier, once)
            predicted = method.predict(episode.support, episode.support_labels, episode.query)
            parts.setdefault(label, []).append(torch.from_numpy(accuracy_of(predicted, episode)))
        found = active_share(scores, episode.attributes["active"])
        parts.setdefault(SHARE, []).append(torch.from_numpy(found.values))
    return {label: torch.cat(values) for label, values in parts.items()}


def rows(suites: list[BooleanTasks], found: Found) -> list[Row]:
    """Make the rows of refined scores, those of the others on larger tasks, and the duels between them."""
    made = []
    for suite in [*suites, *LARGER]:
        cell: dict[str, Any] = {"n": suite.n, "alpha": suite.alpha, "design": suite.design, "embedding": "n"}
        accuracies = dict(found["accuracy", suite])
        measured = {(label, "accuracy"): found["R", suite][label] for label in METHODS}
        measured["R+MN", SHARE] = found["R", suite][SHARE]
        if suite in LARGER:
            cell["rows"] = suite.support_size
            measured |= {(label, "accuracy"): accuracies[label][0] for label in OTHERS}
            measured["FS+MN", SHARE] = found[SHARE, suite]["FS+MN"]
        for (label, metric), values in measured.items():
            one, variant = Evaluation(values.numpy()), VARIANTS[label]
            figures: dict[str, Any] = {"stderr": one.stderr, "std": one.std, "tasks": len(one.values), "label": label}
            made.append(row(variant.name, cell | variant.setting, metric, one.mean, **figures))
        ours = Evaluation(found["R", suite]["R+MN"].numpy())
        made += [_duel(cell, ours, other, Evaluation(accuracies[other][0].numpy())) for other in AGAINST]
    return made


def _duel(cell: dict[str, Any], ours: Evaluation, name: str, other: Evaluation) -> Row:
    duel, tasks = head_to_head(ours, other), len(ours.values)
    setting = cell | {"variant": "ours", "against": name}
    figures: dict[str, Any] = {"tasks": tasks, "label": f"R+MN against {name}", **vars(duel)}
    return row("R+MN", setting, "wins", 100 * duel.wins / tasks, **figures)


def heading(n: int, alpha: int) -> str:
    """Name the column of a larger cell.

    >>> heading(50, 4)
    'n=50 XOR₄, 256 rows'
    """
    return f"n={n} {xor(alpha)}, {ROWS[n, alpha]} rows"


def text(rows: list[Row]) -> str:
    """Say what refined scores find, where there is a leak and where there is none, and who wins."""
    keys = ("design", "n", "alpha")
    at = {(e["metric"], e["label"], *(e["setting"][key] for key in keys)): e for e in rows}

    def means(metric: str, label: str, design: str, n: int) -> str:
        return " / ".join(f"{at[metric, label, design, n, alpha]['mean']:.1f}" for alpha in (2, 3, 4))

    def both(design: str, n: int) -> str:
        return f"{means('accuracy', 'R+MN', design, n)} (FS+MN {means('accuracy', 'FS+MN', design, n)})"

    duels = [e for e in rows if e["label"] == "R+MN against FS+MN" and e["setting"]["design"] == "iid"]
    lost = [e for e in duels if e["losses"] > e["wins"] and e["wilcoxon_p"] < 0.05]
    won = [e for e in duels if e["wins"] > e["losses"] and e["wilcoxon_p"] < 0.05]
    sizes = " / ".join(str(ROWS[20, alpha]) for alpha in (2, 3, 4))
    larger = " / ".join(str(ROWS[50, alpha]) for alpha in (2, 3, 4))
    return (
        "R+MN, R+NN: ours. Scores refined until each row of the support is as likely as can be, given all others; where "
        "the classes are the XOR of a few bits, these alone. On XOR₂/₃/₄ it has "
        f"{both('balanced', 5)} % at n = 5 and {both('balanced', 10)} % at n = 10 on balanced supports, "
        f"{both('iid', 5)} % and {both('iid', 10)} % on i.i.d. ones, where no balance gives active bits away. Of these it "
        f"has {means(SHARE, 'R+MN', 'iid', 10)} % on top at n = 10 (FS {means(SHARE, 'FS+MN', 'iid', 10)}). With more "
        f"bits, still i.i.d.: n = 20 with {sizes} rows {both('iid', 20)} %, n = 50 with {larger} rows "
        f"{both('iid', 50)} %. Of {len(duels)} cells with i.i.d. supports R+MN is ahead of FS+MN in {len(won)} and behind "
        f"in {len(lost)}, task by task (Wilcoxon's signed-rank test, 5 %)."
    )
