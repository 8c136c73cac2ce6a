import pytest

from polythetic.report.claims import CLAIMS
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point, Standing, by_variant, entry_of, ledger, tally
from tests.committed import RESULTS, rows
from tests.report.papers import TABLE2, figure8, table2

EARLY = ("table1", "figure2", "figure3", "figure4", "figure5", "figure6", "figure9", "figure10", "appendix-a")
COMMITTED = Evidence({name: rows(name) for name in (*EARLY, "table8", "table9", "theory")})


def standing(evidence, words):
    (claim,) = [claim for claim in CLAIMS if words in claim.quote]
    return entry_of(claim, evidence).standing


def test__ledger__nothing_run__says_so_and_computes_what_needs_nothing():
    entries = ledger(CLAIMS, Evidence({}))
    assert len(entries) == len(CLAIMS) >= 105
    for entry in entries:
        assert entry.ours
        assert entry.standing is not Standing.UNKNOWN or "run" in entry.missing
    assert sum(entry.standing is not Standing.UNKNOWN for entry in entries) >= 30


def test__ledger__committed_results__answer_everything_but_the_later_tables():
    unknown = [entry for entry in ledger(CLAIMS, COMMITTED) if entry.standing is Standing.UNKNOWN]
    assert all("run" in entry.missing for entry in unknown)
    assert not [entry for entry in unknown if entry.where in ("Figure 6", "§3", "App. A", "App. C", "Table 1")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("approximately 3.2", Standing.FAILS),
        ("E = r(p̄e²", Standing.FAILS),
        ("introduces a factor of exp(1/α)", Standing.FAILS),
        ("for 10,000 iterations", Standing.FAILS),
        ("σ² =", Standing.PARTLY),
        ("+38pp", Standing.PARTLY),
        ("singly exponentially", Standing.PARTLY),
        ("μ =", Standing.HOLDS),
        ("parity functions", Standing.HOLDS),
        ("bold figures: FS+MN is best in five columns", Standing.HOLDS),
        ("every 2-variable Boolean function", Standing.HOLDS),
    ],
)
def test__ledger__committed_results__judge_as_the_numbers_do(words, expected):
    assert standing(COMMITTED, words) is expected


def test__ledger__figures_other_than_the_papers__do_not_bear_it_out():
    swapped = {"FS+MN": TABLE2["PN"], "PN": TABLE2["FS+MN"]}
    evidence = Evidence({"table2": table2(**swapped), "figure8": figure8(moved=9.0)})
    assert standing(evidence, "close to random") is Standing.FAILS
    assert standing(evidence, "can simultaneously") is Standing.FAILS
    assert standing(evidence, "best on polythetic tasks") is Standing.FAILS
    assert standing(evidence, "far less affected") is Standing.FAILS
    assert standing(evidence, "matches or outperforms") is Standing.HOLDS


def test__ledger__one_variant_holds_and_the_other_does_not__says_in_part():
    better = {"FS+MN": (50,) * 6}
    evidence = Evidence({"table2": [*table2(), *table2(variant="authors", **better)]})
    claim = next(claim for claim in CLAIMS if "can simultaneously" in claim.quote)
    entry = entry_of(claim, evidence)
    assert entry.standing is Standing.PARTLY
    assert entry.ours.startswith("our settings, after 10,000 training tasks: monothetic 96.8 / 94.5 / 75.0")
    assert entry.ours.endswith("(clean / colourless / full) (asked: at least 90 on clean and colourless) ✗")


def test__entry_of__rows_of_another_shape__stops_nobody():
    broken = [{"method": "PN", "setting": {}, "metric": "accuracy", "mean": None, "paper": None}]
    names = {path.stem for path in RESULTS.glob("*.json")} | {"table2", "table3", "table4", "table5", "figure8"}
    entries = ledger(CLAIMS, Evidence(dict.fromkeys(names, broken)))
    assert len(entries) == len(CLAIMS)
    assert sum(entry.standing is Standing.UNKNOWN for entry in entries) > 40


def test__by_variant__no_rows_of_either__says_what_is_missing():
    claim = Claim(
        "", "", by_variant(lambda evidence, variant: Point("", evidence.mean("table2", "NN", variant=variant) > 0))
    )
    entry = entry_of(claim, Evidence({"table2": table2()}))
    assert "no row for NN, accuracy, variant = authors" in entry.missing


def test__tally__of_all__adds_up():
    entries = ledger(CLAIMS, COMMITTED)
    numbers = [int(word) for word in tally(entries).replace(":", "").split() if word.isdigit()]
    assert numbers[0] == sum(numbers[1:]) == len(CLAIMS)


def test__claims__are_told_apart_and_placed():
    assert len({claim.quote for claim in CLAIMS}) == len(CLAIMS)
    assert all(claim.where and len(claim.quote) < 120 for claim in CLAIMS)
