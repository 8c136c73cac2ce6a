"""XOR in a table: two columns of twelve make the class, together, and neither says anything alone.

python examples/xor_in_a_table.py
"""

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from polythetic import PolytheticClassifier

chance = np.random.default_rng(0)
table = pd.DataFrame(chance.choice([-1, 1], (240, 12)), columns=list("abcdefghijkl"))
label = np.where(table["b"] == table["e"], "alike", "unlike")
labelled, others = slice(40), slice(40, None)

fitted = PolytheticClassifier().fit(table[labelled], label[labelled])
ranked = sorted(zip(fitted.feature_scores_, table.columns, strict=True), reverse=True)
print("columns that matter most:", ", ".join(f"{name} ({score:.2f})" for score, name in ranked[:3]))
print(f"PolytheticClassifier: {fitted.score(table[others], label[others]):.0%} of 200 rows right, from 40")
for other in (RandomForestClassifier(random_state=0), SVC(), KNeighborsClassifier()):
    accuracy = other.fit(table[labelled], label[labelled]).score(table[others], label[others])
    print(f"{type(other).__name__}: {accuracy:.0%}")

why = fitted.explain(table[others])
print(f"\nThe first row is {why.labels[0]} ({why.probabilities[0].max():.0%}), because of")
for witness in why.rows(0, most=3):
    row = table.iloc[witness.row]
    print(
        f"  row {witness.row}, {witness.label}: b = {row['b']}, e = {row['e']} ({witness.share:+.0%} of what was said)"
    )
