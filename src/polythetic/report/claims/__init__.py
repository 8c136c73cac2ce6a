"""The paper's quantitative sentences, a file a subject.

Left out are the cells of the tables, each of which has a verdict of its own in its section.
"""

from polythetic.report.claims import (
    attention,
    bold,
    counting,
    digits,
    effort,
    mixes,
    omniglot,
    outside,
    parities,
    plants,
    pretraining,
    selection,
    settings,
    similarities,
    softmaxes,
    strings,
    tiered,
)

SUBJECTS = (
    plants,
    parities,
    counting,
    attention,
    similarities,
    softmaxes,
    selection,
    strings,
    digits,
    mixes,
    pretraining,
    omniglot,
    tiered,
    bold,
    settings,
    effort,
    outside,
)
CLAIMS = [claim for subject in SUBJECTS for claim in subject.CLAIMS]
