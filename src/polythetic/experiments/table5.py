"""Table 5, tieredImageNet: FS+MN head to head with MN and PN, and R+MN with the best, task by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from polythetic.evaluation import Evaluation, head_to_head
from polythetic.experiments import hierarchy
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.frozen_features import BEYOND, METHODS
from polythetic.experiments.hierarchy import Cell
from polythetic.experiments.hierarchy_pictures import duels
from polythetic.experiments.hierarchy_words import cell_facts, column, columns_of, on_what
from polythetic.experiments.learned import gathered
from polythetic.experiments.scored import points
from polythetic.report.section import Table
from polythetic.results import Result, Row, row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Tasks that FS won, lost and tied, by opponent and (C, G), as the paper prints them.
PAPER = {
    "MN": {
        (2, 5): (230, 162, 108),
        (4, 5): (329, 101, 70),
        (8, 5): (343, 113, 44),
        (2, 10): (258, 185, 57),
        (4, 10): (357, 108, 35),
        (8, 10): (413, 68, 19),
    },
    "PN": {
        (2, 5): (319, 136, 45),
        (4, 5): (339, 142, 19),
        (8, 5): (239, 247, 14),
        (2, 10): (374, 101, 25),
        (4, 10): (396, 99, 5),
        (8, 10): (296, 191, 13),
    },
}
SIGNIFICANT = 0.001  # bold in the paper
CONTROL = "MN, standardised"
# Who meets whom, by label; the paper's pairs with either settings first.
PAIRS = [
    ("FS+MN", "MN"),
    ("FS+MN", "PN"),
    ("FS+MN, authors'", "MN, authors'"),
    ("FS+MN, authors'", "PN"),
    ("FS+MN", CONTROL),
    ("FS+MN", "SimpleShot"),
    ("FS+MN", "logistic regression"),
    ("R+MN", "FS+MN"),
    ("R+MN", CONTROL),
]
BEST = "the best other"  # of each column; R+MN meets it
BEST_METRIC = "tasks won against the best"


def jobs(budget: Budget, seed: int) -> Cells:
    """List the blocks of tasks, the same as Table 4's."""
    return hierarchy.jobs(hierarchy.cells_there(), budget, seed)


def rows(found: Found) -> list[Row]:
    """Make a row of every pair in every cell."""
    at = {cell: {label: one.by_task for label, one in by.items()} for cell, by in gathered(found).items()}
    made = []
    for cell, accuracy in at.items():
        made += [_row(cell, accuracy, *pair) for pair in PAIRS]
        best = max((label for label in accuracy if label not in BEYOND), key=lambda label: accuracy[label].mean)
        duel = _row(cell, accuracy, "R+MN", best)
        error = Evaluation(accuracy["R+MN"].values - accuracy[best].values)
        made.append(duel | {"metric": BEST_METRIC, "difference": error.mean, "difference_stderr": error.stderr})
    return made


def _row(cell: Cell, accuracy: Mapping[str, Evaluation], label: str, other: str) -> Row:
    duel, entry = head_to_head(accuracy[label], accuracy[other]), METHODS[label]
    against = METHODS[other].name
    setting = cell_facts(cell) | {"variant": entry.variant, "against": against}
    facts: dict[str, Any] = {"label": label, "other": other, "categories": list(cell.categories)}
    tasks = duel.wins + duel.ties + duel.losses
    if label in BEYOND or other == CONTROL or against not in PAPER:  # of which the paper says nothing
        setting |= {"against": other}
        return row(entry.name, setting, "tasks won", _share(duel.wins, tasks), tasks=tasks, **facts, **vars(duel))
    won, lost, tied = PAPER[against][cell.C, cell.G]
    of = won + lost + tied
    return row(
        "FS+MN",
        setting,
        "wins",
        _share(duel.wins, tasks),
        stderr=_error(duel.wins, tasks),
        tasks=tasks,
        paper=_share(won, of),
        paper_stderr=_error(won, of),
        paper_wins=won,
        paper_losses=lost,
        paper_ties=tied,
        paper_sign_p=sign_test(won, lost),
        **facts,
        **vars(duel),
    )


def _share(count: int, of: int) -> float:
    return 100 * count / of


def _error(count: int, of: int) -> float:
    """The standard error of a share that was counted."""
    return 100 * (count / of * (1 - count / of) / of) ** 0.5


def sign_test(wins: int, losses: int) -> float:
    """How likely wins and losses as uneven as these are if either is as likely as the other.

    >>> sign_test(3, 0)
    0.25
    """
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses).pvalue)


def _written(wins: int, losses: int, ties: int, p: float) -> str:
    """Write a duel as the paper does, with a star where it has bold letters."""
    winner, loser = ("*" if p < SIGNIFICANT and more else "" for more in (wins > losses, wins < losses))
    return f"{wins}{winner} / {losses}{loser} ({ties})"


def table(rows: list[Row]) -> Table:
    """Lay the duels out as the paper does: wins / losses (ties)."""
    at = {(e["label"], e["other"], e["setting"]["C"], e["setting"]["G"]): e for e in rows if e["metric"] != BEST_METRIC}
    cells = columns_of(rows)
    body = [
        [f"paper's FS+MN against {name}", *(_written(*(p := printed[cell]), sign_test(*p[:2])) for cell in cells)]
        for name, printed in PAPER.items()
    ]
    for label, other in PAIRS:
        duels = [at[label, other, *cell] for cell in cells]
        body.append(
            [f"{label} against {other}", *(_written(e["wins"], e["losses"], e["ties"], e["sign_p"]) for e in duels)]
        )
    duels = [e for e in rows if e["metric"] == BEST_METRIC]
    met = [f"{_written(e['wins'], e['losses'], e['ties'], e['sign_p'])}, {e['other']}" for e in duels]
    body.append([f"R+MN against {BEST}", *met])
    return Table(["wins / losses (ties)", *(column(*cell) for cell in cells)], body)


def text(result: Result) -> list[str]:
    """Say what the data are, which test it is, and what wins the tasks."""

    def clear(label: str, other: str) -> str:
        """Where a pair's duel is decided, and for whom."""
        pairs = [e for e in result.rows if e["metric"] != BEST_METRIC and (e["label"], e["other"]) == (label, other)]
        pair = [e for e in pairs if e["sign_p"] < SIGNIFICANT]
        decided = {
            f"beats {other}": [e for e in pair if e["wins"] > e["losses"]],
            f"is beaten by {other}": [e for e in pair if e["wins"] < e["losses"]],
        }
        words = [f"{what} at {', '.join(map(_column, where))}" for what, where in decided.items() if where]
        return " and ".join(words) or f"neither beats {other} nor is beaten"

    doubted = [
        f"{name} at {column(*cell)}"
        for name, printed in PAPER.items()
        for cell, (won, lost, _) in printed.items()
        if sign_test(won, lost) >= SIGNIFICANT
    ]
    disagree = [e for e in result.rows if (e["sign_p"] < SIGNIFICANT) != (e["wilcoxon_p"] < SIGNIFICANT)]
    return [
        f"Tasks won, lost and, in brackets, tied; * marks p < {SIGNIFICANT} by the sign test. {on_what(result.rows)}",
        f"The paper gives a level, p < {SIGNIFICANT}, and no test. The sign test on its own counts puts all below that but "
        f"{', '.join(doubted)}, which is what it prints in bold. Wilcoxon's signed-rank test (in "
        + (
            f"results/table5.json) comes to the same verdict in all but {len(disagree)} of {len(result.rows)} duels."
            if disagree
            else "results/table5.json) comes to the same verdict everywhere."
        ),
        f"With p < {SIGNIFICANT}, our FS+MN {clear('FS+MN', 'MN')}; it {clear('FS+MN', 'PN')}. With the authors' settings it "
        f"{clear(*PAIRS[2])}; it {clear(*PAIRS[3])}. Of what differs from it by the selection alone: it "
        f"{clear('FS+MN', CONTROL)}. Of two simple methods: it {clear('FS+MN', 'SimpleShot')}; it "
        f"{clear('FS+MN', 'logistic regression')}.",
        _refined(result.rows, clear),
    ]


def draw(result: Result) -> Figure:
    """Draw the outcomes of the paper's duels, the paper's above ours."""
    return duels(result.rows, PAPER)


def _refined(rows: list[Row], clear: Callable[[str, str], str]) -> str:
    """Say how refined scores stand to the others, and to the best of them column by column."""
    said = []
    for entry in rows:
        if entry["metric"] == BEST_METRIC:
            difference, error = entry["difference"], entry["difference_stderr"]
            near = (
                "above or within one standard error"
                if difference >= -error
                else "behind by more than one standard error"
            )
            said.append(f"{entry['other']} at {_column(entry)} ({points(difference)} points ±{error:.1f}: {near})")
    return (
        f"R+MN, ours, {clear('R+MN', 'FS+MN')}; it {clear('R+MN', CONTROL)}. The best other, and how far R+MN is from it, "
        f"with the standard error of the difference: {'; '.join(said)}."
    )


def _column(entry: Row) -> str:
    return column(entry["setting"]["C"], entry["setting"]["G"])


EXPERIMENT = Experiment(
    name="table5",
    title="tieredImageNet: head to head",
    where="Table 5, §5",
    question="On how many tasks does selecting features win, and could that be chance?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
)
