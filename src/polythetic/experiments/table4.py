"""Table 4, tieredImageNet: accuracy by categories and classes, on features of a frozen network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polythetic.evaluation import Repeated
from polythetic.experiments import hierarchy
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.frozen_features import METHODS
from polythetic.experiments.hierarchy import CHOOSING, Cell
from polythetic.experiments.hierarchy_pictures import gains
from polythetic.experiments.hierarchy_words import cell_facts, column, columns_of, on_what
from polythetic.experiments.learned import gathered
from polythetic.experiments.scored import points
from polythetic.report.section import Table
from polythetic.results import Result, Row, row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Mean and standard error that the paper prints, by (C, G).
PAPER = {
    "FS+MN": {
        (2, 5): (83.5, 0.3),
        (4, 5): (66.4, 0.3),
        (8, 5): (48.9, 0.2),
        (2, 10): (83.6, 0.3),
        (4, 10): (65.8, 0.3),
        (8, 10): (48.7, 0.1),
    },
    "MN": {
        (2, 5): (82.7, 0.4),
        (4, 5): (65.4, 0.3),
        (8, 5): (48.3, 0.2),
        (2, 10): (82.9, 0.3),
        (4, 10): (64.9, 0.3),
        (8, 10): (48.0, 0.1),
    },
    "PN": {
        (2, 5): (81.4, 0.3),
        (4, 5): (64.6, 0.3),
        (8, 5): (49.4, 0.1),
        (2, 10): (81.1, 0.3),
        (4, 10): (63.3, 0.3),
        (8, 10): (48.2, 0.1),
    },
}
METRIC, CHOSEN_BY = "accuracy", "validation accuracy"


def jobs(budget: Budget, seed: int) -> Cells:
    """List the blocks of tasks of every cell, and, on the stand-in, of those that our settings were chosen on."""
    cells = hierarchy.cells_there()
    if cells[0].dataset == "stand-in":
        cells += hierarchy.cells_there(["training"], CHOOSING)
    return hierarchy.jobs(cells, budget, seed)


def rows(found: Found) -> list[Row]:
    """Make a row of every method in every cell."""
    return [
        _row(cell, label, accuracy)
        for cell, by_label in gathered(found).items()
        for label, accuracy in by_label.items()
    ]


def _row(cell: Cell, label: str, accuracy: Repeated) -> Row:
    entry = METHODS[label]
    reported = cell.split != "training"
    printed = PAPER.get(entry.name, {}) if reported and entry.variant in ("ours", "authors") else {}
    paper, paper_stderr = printed.get((cell.C, cell.G), (None, None))
    return row(
        entry.name,
        cell_facts(cell) | entry.setting,
        METRIC if reported else CHOSEN_BY,
        accuracy.mean,
        stderr=accuracy.stderr,
        std=accuracy.std,
        tasks=accuracy.values.shape[1],
        paper=paper,
        paper_stderr=paper_stderr,
        label=label,
        categories=list(cell.categories),
    )


def _by_cell(rows: list[Row], metric: str) -> dict[str, dict[tuple[int, int], Row]]:
    at: dict[str, dict[tuple[int, int], Row]] = {}
    for entry in rows:
        if entry["metric"] == metric:
            at.setdefault(entry["label"], {})[entry["setting"]["C"], entry["setting"]["G"]] = entry
    return at


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out: the paper's lines first; then a line a method, a column a cell."""
    reported = [entry for entry in rows if entry["metric"] == METRIC]
    cells, at, chosen_on = columns_of(reported), _by_cell(rows, METRIC), _by_cell(rows, CHOSEN_BY)
    others = list(next(iter(chosen_on.values()), {}))
    header = ["", *(column(*cell) for cell in cells), *(f"training categories, {column(*cell)}" for cell in others)]
    body = [
        [
            f"paper's {name}",
            *(f"{printed[cell][0]:.1f} ±{printed[cell][1]:.1f}" for cell in cells),
            *("" for _ in others),
        ]
        for name, printed in PAPER.items()
    ]
    for label in at:
        found = [at[label][cell] for cell in cells] + [chosen_on[label][cell] for cell in others]
        body.append([label, *(f"{e['mean']:.1f} ±{e['stderr'] or 0:.1f}" for e in found)])
    return Table(header, body)


def text(result: Result) -> list[str]:
    """Say what the data are, how our settings were chosen, and what the selection itself does."""
    reported = [entry for entry in result.rows if entry["metric"] == METRIC]
    at, cells = _by_cell(result.rows, METRIC), columns_of(reported)

    def means(label: str) -> str:
        return " / ".join(f"{at[label][cell]['mean']:.1f}" for cell in cells)

    def gain(label: str, over: str) -> str:
        return " / ".join(points(at[label][cell]["mean"] - at[over][cell]["mean"]) for cell in cells)

    printed_gain = " / ".join(points(PAPER["FS+MN"][cell][0] - PAPER["MN"][cell][0]) for cell in cells)
    harm = all(at["R+MN"][cell]["mean"] < at["MN, standardised"][cell]["mean"] for cell in cells)
    best = [f"{max(at, key=lambda label: at[label][cell]['mean'])} at {column(*cell)}" for cell in cells]
    return [
        f"Accuracy in per cent, mean ± standard error. {on_what(reported)}",
        "FS+MN, MN: ours, cosine similarity with temperatures that know the number of features, FS+MN on standardised "
        "features (ε = 0.1), R = 2, square roots of the scores. MN, standardised: the same as FS+MN with all features scored "
        "alike, so that only the selection is missing. Authors': cosine, temperature 1, R = 5, ε = 0.1, raw features "
        "classified. Defaults: the library's, which were chosen on binary strings; defaults, cosine: with another classifier. NN: nearest neighbour by cosine. "
        "SimpleShot: nearest mean among centred features of length 1 (Wang et al., 2019), centred by the support. Logistic "
        "regression: on raw features, C = 1. " + _choice(result.rows),
        f"At {', '.join(column(*cell) for cell in cells)}, FS+MN has {means('FS+MN')} and MN {means('MN')} with our settings. "
        f"But with the same similarity, temperature and standardisation MN has {means('MN, standardised')}: the selection "
        f"itself is worth {gain('FS+MN', 'MN, standardised')} points. With the authors' settings it is worth "
        f"{gain(_FS_AUTHORS, _MN_AUTHORS)} points ({means(_FS_AUTHORS)} against {means(_MN_AUTHORS)}), in the paper "
        f"{printed_gain}. The library's defaults have {means('FS+MN, defaults')}; with cosine attention in the place of the "
        f"Euclidean, and no other change, {means('FS+MN, defaults, cosine')}: of these features it is the direction that counts. "
        f"Beside them: PN {means('PN')}, SimpleShot {means('SimpleShot')}, logistic regression "
        f"{means('logistic regression')}. The best: {'; '.join(best)}.",
        "R+MN, R+NN, ours: scores refined from two starts, flat ones and those of Algorithm 1, on standardised features (ε = 0.1), "
        f"classified by cosine: {means('R+MN')} and {means('R+NN')}; with Euclidean attention, which the scores are refined for, "
        f"{means('R+MN, Euclidean')}. To the same attention by cosine with nothing scored they add "
        f"{gain('R+MN', 'MN, standardised')} points, to Euclidean attention {gain('R+MN, Euclidean', 'MN, defaults')}"
        + (": they are scales for distances, and what helps distances harms the cosine." if harm else "."),
    ]


def draw(result: Result) -> Figure:
    """Draw what every method gains over attention."""
    return gains(_by_cell(result.rows, METRIC), PAPER)


_FS_AUTHORS, _MN_AUTHORS = "FS+MN, authors'", "MN, authors'"


def _choice(rows: list[Row]) -> str:
    chosen_on = _by_cell(rows, CHOSEN_BY)
    if not chosen_on:
        return "Our settings were chosen on the stand-in's training categories."

    def both(label: str) -> str:
        return " and ".join(f"{entry['mean']:.1f}" for entry in chosen_on[label].values())

    first = next(iter(chosen_on["FS+MN"].values()))
    where = " and ".join(column(*cell) for cell in chosen_on["FS+MN"])
    return (
        f"Our settings were chosen on tasks of the training categories ({', '.join(first['categories'])} classes) over "
        "similarity, temperatures, ε, R and what is done with the scores: of many that did alike, those nearest to the "
        "authors'. No test category was looked at; but where splits are mixed, tasks share categories with these. "
        f"There, at {where}, FS+MN has {both('FS+MN')} with "
        f"our settings, {both(_FS_AUTHORS)} with the authors', {both('FS+MN, defaults')} with the library's defaults."
    )


EXPERIMENT = Experiment(
    name="table4",
    title="tieredImageNet: which category, from several classes of each?",
    where="Table 4, §5",
    question="Does selecting features help where categories of natural pictures are made of several classes?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="After ± the standard error.",
)
