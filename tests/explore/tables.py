"""A table in which two columns matter only together."""

import numpy as np
import polars as pl


def genes(rows=80, seed=0):
    rng = np.random.default_rng(seed)
    table = {f"snp{i}": rng.integers(0, 2, rows) for i in range(1, 7)}
    table["age"] = rng.integers(20, 80, rows)
    table["blood"] = rng.choice(["0", "A", "B"], rows)
    table["ill"] = np.where(table["snp2"] ^ table["snp5"], "yes", "no")
    return pl.DataFrame({"patient": [f"P{i:03}" for i in range(rows)], **table})


def as_csv(table):
    return table.write_csv().encode()
