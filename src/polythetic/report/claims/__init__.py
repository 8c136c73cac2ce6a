"""The paper's quantitative sentences, a file a subject.

Left out are those that no experiment here could check, as the number of rare diseases in §7, and the cells of the
tables, each of which has a verdict of its own in its section.
"""

from polythetic.report.claims import (
    attention,
    counting,
    digits,
    effort,
    omniglot,
    plants,
    pretraining,
    selection,
    strings,
    tiered,
)

SUBJECTS = (plants, counting, attention, selection, strings, digits, pretraining, omniglot, tiered, effort)
CLAIMS = [claim for subject in SUBJECTS for claim in subject.CLAIMS]
