"""What lines of the ledger say of training, of the data, and of what they ask for."""

import pytest

from polythetic.experiments import EXPERIMENTS
from polythetic.report.chance import ASKED, at_chance
from polythetic.report.claims import CLAIMS
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Point, Standing, asking, by_variant, entry_of, ledger
from polythetic.results import load, row
from tests.committed import RESULTS, rows
from tests.report.papers import TABLE2, figure8, table2, table3

LEARNED = ("table2", "table3", "table4", "table5", "figure8", "appendix-g")
TABLE4 = {  # FS+MN, MN, PN
    (2, 5): (83.5, 82.7, 81.4),
    (4, 5): (66.4, 65.4, 64.6),
    (8, 5): (48.9, 48.3, 49.4),
    (2, 10): (83.6, 82.9, 81.1),
    (4, 10): (65.8, 64.9, 63.3),
    (8, 10): (48.7, 48.0, 48.2),
}


@pytest.fixture(scope="module")
def committed():
    return ledger(CLAIMS, Evidence({name: rows(name) for name in LEARNED}))


def entry(evidence, words):
    (claim,) = [claim for claim in CLAIMS if words in claim.quote]
    return entry_of(claim, Evidence(evidence))


def table4(cells=TABLE4):
    return [
        row(method, {"C": C, "G": G, "dataset": "tieredImageNet", "variant": "ours"}, "accuracy", mean, paper=mean)
        for (C, G), means in cells.items()
        for method, mean in zip(("FS+MN", "MN", "PN"), means, strict=True)
    ]


@pytest.mark.parametrize("where", ["Table 2", "Table 3"])
def test__ledger__authors_settings__say_after_how_many_training_tasks(committed, where):
    told = [point.words for line in committed if where in line.where for point in line.points]
    authors = [words for words in told if words.startswith("the authors' settings")]
    assert len(authors) >= 5
    assert all(", after 200 training tasks" in words or " 200, MAML 500)" in words for words in authors)


def test__ledger__pre_training__is_told_in_batches(committed):
    told = [point.words for line in committed if "Table 7" in line.where for point in line.points]
    assert sum(words.startswith("our settings, after 800 batches of 64: ") for words in told) == 4
    assert sum(words.startswith("the authors' settings, after 800 batches of 16: ") for words in told) == 4
    assert not any("training tasks" in words for words in told)


def test__ledger__unequal_training__is_told_by_method(committed):
    (line,) = [line for line in committed if "Protonets excel" in line.quote]
    assert line.ours.startswith(
        "our settings (training tasks: PN 2,000 / 1,000 / 5,000, MN 2,000 / 1,000 / 1,000): PN "
    )
    (line,) = [line for line in committed if "competitive with PN and IMP" in line.quote]
    assert "(training tasks: FS+MN and IMP 1,000, PN 3,000)" in line.ours
    assert "the authors' settings, after 200 training tasks, IMP not run: characters: FS+MN " in line.ours


def test__ledger__stand_in__is_said_of_every_line(committed):
    tables = {"Table 4", "Table 5"}
    tiered = [line for line in committed if "34 categories" in line.quote or tables & set(line.where.split(", "))]
    assert len(tiered) == 6
    assert all("a stand-in, whose classes the network has seen" in line.ours for line in tiered)
    unjudged = {line.quote for line in tiered if line.standing is Standing.INCOMPARABLE}
    assert len(unjudged) == 4
    assert {line.standing for line in tiered if line.quote not in unjudged} == {Standing.HOLDS, Standing.UNKNOWN}


def test__ledger__not_significant__is_what_the_papers_own_counts_give(committed):
    (line,) = [line for line in committed if "not significant" in line.quote]
    assert line.ours.endswith("; by the paper's own counts 239 to 247, p = 0.75 (asked: p ≥ 0.001)")
    assert "✗" not in line.ours


@pytest.mark.parametrize(("stderr", "standing"), [(0.3, Standing.HOLDS), (0.05, Standing.FAILS)])
def test__close_to_random__two_standard_errors__are_allowed_for(stderr, standing):
    found = [e | {"stderr": stderr} for e in table2(PN=(97.9, 52.5, 92.8, 49.9, 94.5, 49.8))]
    assert entry({"table2": found}, "close to random").standing is standing


def test__close_to_random__ledger_and_table__have_one_rule():
    committed = load(RESULTS / "table2.json")
    found = [e for e in committed.rows if e["method"] == "PN" and e["setting"]["tasks"] == "polythetic"]
    near = all(map(at_chance, found))
    assert (entry({"table2": committed.rows}, "close to random").standing is Standing.HOLDS) is near
    told = EXPERIMENTS["table2"].text(committed)[1]
    assert ("not at chance" not in told) is near
    assert f"(chance: {ASKED})" in told


@pytest.mark.parametrize(("full", "standing"), [(74.6, Standing.HOLDS), (75.6, Standing.FAILS)])
def test__highly_sensitive__fewer_than_five_points__are_not_enough(full, standing):
    found = table2(MN=(79.6, 57.6, 69.7, 61.0, full, 56.6))
    line = entry({"table2": found}, "highly sensitive")
    assert line.standing is standing
    assert "(asked: at least 5 on either" in line.ours


CRITERIA = {  # by words of the claim, what its verdict depends on beyond the rule that all have
    "+38pp": "at least 37.5, which is 38 when rounded",
    "12.6pp": "at least 12.55, which is 12.6 when rounded",
    "at most 0.5pp": "at most 0.55, which is 0.5 when rounded",
    "95.6% on the digit": "no less than printed",
    "IMP on characters": "the highest mean, errors aside",
    "with 10 subgroups": "more at 10 than at 5, against both",
}


@pytest.mark.parametrize(("words", "asked"), CRITERIA.items())
def test__ledger__criteria_that_the_paper_leaves_open__are_printed(words, asked):
    results = {name: rows(name) for name in (*LEARNED, "figure6")}
    assert f"(asked: {asked}" in entry(results, words).ours


def test__figure_3__lines_of_the_ledger__say_after_how_much_training():
    results = {name: rows(name) for name in ("figure3", "table1")}
    assert entry(results, "quadratic embedding").ours.startswith("d = n², after 10,000 training tasks: 99.2 % at n = 4")
    assert "90 % on XOR₂, after 10,000 training tasks: up to n = 3" in entry(results, "embedding units").ours
    assert entry(results, "generalises to unseen").ours.count("after 1,000 training tasks") == 2


def test__less_affected__method_at_chance__is_left_out():
    found = [
        e | {"mean": 51.0} if (e["method"], e["setting"]["tasks"]) == ("PN", "polythetic") else e for e in figure8()
    ]
    line = entry({"figure8": found}, "far less affected")
    assert line.standing is Standing.HOLDS
    assert "FS+MN 1.0 ±0.1; PN, at chance at every mix, left out; MN 15.0 ±0.1 points" in line.ours
    assert "FS+MN 1.0 ±0.1; PN 10.0 ±0.1 points ✓; MN 15.0 ±0.1 points ✓" in line.ours


def test__less_affected__moved_less_than_one_method_and_more_than_another__holds_in_part():
    line = entry({"figure8": figure8(moved=4.9)}, "far less affected")
    assert line.standing is Standing.PARTLY  # less than half of 15, hardly less than half of 10
    assert [point.holds for point in line.points] == [False, True] * 2
    assert "after 10,000 training tasks (paper: 10,000), one learner a mix" in line.ours


def test__ledger__authors_maml__is_looked_up(committed):
    told = [line.ours for line in committed if "MAML" in line.ours]
    assert len(told) >= 3
    assert not any("MAML not run" in words for words in told)


def test__ledger__learners_that_met__are_judged_by_their_duel(committed):
    (line,) = [line for line in committed if "FS+MN is best on polythetic tasks" in line.quote]
    duel = next(
        e
        for e in rows("table2")
        if e["label"] == "FS+MN against MN"
        and (e["setting"]["dataset"], e["setting"]["tasks"]) == ("colourless", "polythetic")
        and e["setting"]["variant"] == "authors"
    )
    assert f"+{duel['difference']:.1f} ±{2 * duel['difference_stderr']:.1f}" in line.ours
    doubtful = duel["wilcoxon_p"] < 0.05 and duel["difference"] < 2 * duel["difference_stderr"]
    assert ("; colourless by the test of the tasks alone, not by the mean" in line.ours) is doubtful


def test__bold__the_papers_figures__hold():
    found = {"table2": table2(), "table3": table3(), "table4": table4()}
    for words in ("on monothetic tasks PN", "PN and IMP on characters", "FS in five of six"):
        assert entry(found, words).standing is Standing.HOLDS, words


def test__bold__other_figures__do_not():
    swapped = {"table2": table2(**{"FS+MN": TABLE2["PN"], "PN": TABLE2["FS+MN"]})}
    assert entry(swapped, "on monothetic tasks PN").standing is Standing.FAILS
    few = table4({(2, 5): (81.0, 82.7, 81.4), (8, 5): (48.9, 48.3, 49.4)})
    line = entry({"table4": few}, "FS in five of six")
    assert [point.holds for point in line.points] == [False, True]
    assert "C=2/G=5: FS+MN 81.0, but MN 82.7" in line.ours
    assert "C=4/G=5 and C=2/G=10 and C=4/G=10 and C=8/G=10 not run" in line.ours


@pytest.mark.parametrize(("tasks", "standing"), [(5_000, Standing.UNKNOWN), (100_000, Standing.HOLDS)])
def test__hundred_thousand__fewer__are_no_test(tasks, standing):
    line = entry({"table2": [e | {"train_tasks": tasks} for e in table2()]}, "100,000 tasks")
    assert line.standing is standing
    assert f"{tasks:,}" in line.ours


def test__thousand_tasks__figure_8__is_counted():
    line = entry({"figure8": [e | {"tasks": 250} for e in figure8()], "table2": table2()}, "tasks at each proportion")
    assert line.standing is Standing.DIFFERS
    assert line.ours == "table2: 1,000; figure8: 250"


def test__by_variant__several_points__names_the_settings_once():
    @asking("at least 1")
    @by_variant
    def check(evidence, variant):
        return [Point(f"{variant} 1", True, ", untrained"), Point(f"{variant} 2", False)]

    assert [point.words for point in check(Evidence({}))] == [
        "our settings, untrained: ours 1",
        "ours 2",
        "the authors' settings, untrained: authors 1",
        "authors 2 (asked: at least 1)",
    ]
