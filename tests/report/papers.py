"""Rows whose means are the paper's own figures: by them, what the paper says of its tables must hold."""

from polythetic.results import row

COLUMNS = [(dataset, kind) for dataset in ("clean", "colourless", "full") for kind in ("monothetic", "polythetic")]
TABLE2 = {
    "PN": (97.9, 50.6, 92.8, 49.9, 94.5, 49.8),
    "MN": (79.6, 57.6, 69.7, 61.0, 70.1, 56.6),
    "FS+MN": (96.8, 98.3, 94.5, 98.0, 75.0, 60.4),
}
TABLE3 = {
    "PN": (98.6, 83.4),
    "MN": (91.1, 78.4),
    "FS+MN": (96.2, 94.2),
    "IMP": (98.6, 96.0),
    "MAML": (94.0, 89.9),
    "MN*": (97.9, 81.3),
    "NN*": (98.3, 95.7),
    "FS+MN*": (98.1, 96.0),
    "FS+NN*": (98.3, 96.0),
}
ERROR = {"stderr": 0.05, "paper_stderr": 0.1, "tasks": 1000, "train_tasks": 10_000, "train_seeds": 1}


def table2(*, variant="ours", **changed):
    """Return Table 2; ``changed`` puts other means in the place of a method's."""
    return [
        row(method, {"dataset": dataset, "tasks": kind, "variant": variant}, "accuracy", mean, paper=paper, **ERROR)
        for method, printed in TABLE2.items()
        for (dataset, kind), paper, mean in zip(COLUMNS, printed, changed.get(method, printed), strict=True)
    ]


def table3():
    """Return Table 3, the alphabets both with and without replacement."""
    kinds = [("characters", False, 0), ("alphabets", False, 1), ("alphabets", True, 1)]
    return [
        row(
            method,
            {"tasks": tasks, "replacement": replacement, "variant": "ours"},
            "accuracy",
            printed[column],
            paper=printed[column],
            **ERROR,
        )
        for method, printed in TABLE3.items()
        for tasks, replacement, column in kinds
    ]


def figure8(moved=1.0):
    """Return Figure 8 with FS+MN ahead, and moved by the mix from one end to the other by so many points."""
    ends = {"PN": (50, 60), "MN": (60, 75), "FS+MN": (95, 95 + moved)}
    return [
        row(
            method,
            {"dataset": "colourless", "tasks": kind, "variant": "ours", "proportion": share},
            "accuracy",
            low + share * (high - low),
            **ERROR,
        )
        for method, (low, high) in ends.items()
        for kind in ("monothetic", "polythetic")
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
