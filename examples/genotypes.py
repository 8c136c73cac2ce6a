"""Interacting genes: twenty loci with genotypes 0, 1, 2; two traits that no single locus shows anything of.

The data are simulated, as models of pure epistasis are: whoever has an odd number of the loci in question in one state
has the trait (for two loci, the checkerboard of Frankel and Schork, Who's afraid of epistasis?, 1996).

    python examples/genotypes.py
"""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

from polythetic import PolytheticClassifier

LOCI, PEOPLE, LABELLED = 20, 800, 200
chance = np.random.default_rng(1)
genotypes = pd.DataFrame(chance.binomial(2, 0.5, (PEOPLE, LOCI)), columns=[f"rs{100 + i}" for i in range(LOCI)])
heterozygous = genotypes == 1  # half of all people, at this frequency

for interacting in (["rs103", "rs111"], ["rs102", "rs108", "rs117"]):
    trait = np.where(heterozygous[interacting].sum(axis=1) % 2 == 1, "affected", "healthy")
    table = genotypes.astype(str)  # categories, not amounts: a locus has one score, whatever its states
    fitted = PolytheticClassifier().fit(table[:LABELLED], trait[:LABELLED])
    order = np.argsort(-fitted.feature_scores_)[: len(interacting)]
    print(f"A trait of {len(interacting)} loci, {', '.join(interacting)}; {LABELLED} people labelled")
    print(f"  found: {', '.join(sorted(table.columns[order]))}")
    print(f"  of {PEOPLE - LABELLED} others right: {fitted.score(table[LABELLED:], trait[LABELLED:]):.0%}", end=", ")
    forest = RandomForestClassifier(random_state=0).fit(table[:LABELLED], trait[:LABELLED])
    print(f"by a random forest {forest.score(table[LABELLED:], trait[LABELLED:]):.0%}")
