"""What the paper leaves open, what its code does otherwise, and what both get wrong, a file a subject."""

from polythetic.report.traps import code, selection, tasks, theory

FINDINGS = [*tasks.FINDINGS, *selection.FINDINGS, *theory.FINDINGS, *code.FINDINGS]
