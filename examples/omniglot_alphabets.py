"""Alphabets by example: five characters of each alphabet are shown, drawn by one hand; whose is a character not shown?

An alphabet is polythetic: no stroke is common to all its characters. Features are those of a network that has learned
to tell characters apart, and comes with polythetic; Omniglot is looked for in $POLYTHETIC_DATA, or fetched beforehand:

    polythetic data fetch omniglot
    python examples/omniglot_alphabets.py
"""

from pathlib import Path

import torch

from polythetic import PolytheticClassifier, method_named
from polythetic.episodes.suites import suite_named
from polythetic.errors import PolytheticError
from polythetic.runs import encoder_of
from polythetic.weights import opened

TASKS = 5

try:
    alphabets = suite_named("omniglot-alphabets", split="evaluation", options={"replacement": False})
    settings, load = opened(Path("omniglot-characters-pn"))
    encoder = encoder_of(load(alphabets)).eval()
except PolytheticError as error:
    raise SystemExit(f"skipped: {error}") from None

right = {"prototypes": 0, "PolytheticClassifier": 0}
asked = 0
for task in range(TASKS):
    episode = alphabets.batch(seed=0, start=task, stop=task + 1)
    with torch.no_grad():
        support, query = (part[0] for part in encoder(episode.support, episode.query))
    labels, truth = episode.support_labels[0], episode.query_labels[0].numpy()
    fitted = PolytheticClassifier().fit(support.numpy(), labels.numpy())
    right["PolytheticClassifier"] += int((fitted.predict(query.numpy()) == truth).sum())
    right["prototypes"] += int((method_named("PN").predict(support, labels, query).numpy() == truth).sum())
    asked += len(truth)
print(f"{TASKS} tasks of {len(labels)} labelled drawings and {len(truth)} others")
for name, count in right.items():
    print(f"{name}: {count / asked:.0%} right")
