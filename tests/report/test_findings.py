import pytest

from polythetic.experiments.background import METRIC, SPLITS
from polythetic.report.evidence import Evidence
from polythetic.report.findings import all_found
from polythetic.report.traps import FINDINGS
from polythetic.results import row
from tests.committed import rows
from tests.report.papers import table2, table3

COMMITTED = Evidence({name: rows(name) for name in ("table1", "figure6", "theory")})


def numbers(evidence):
    return {found.title: found.number for found in all_found(FINDINGS, evidence)}


def test__findings__committed_results__show_all_but_what_needs_later_tables():
    for found in all_found(FINDINGS, COMMITTED):
        assert found.shown or found.number.startswith("Not shown: table"), found


def test__findings__nothing_run__stop_nobody():
    hidden = [found for found in all_found(FINDINGS, Evidence({})) if not found.shown]
    assert hidden
    assert all("has not been run" in found.number for found in hidden)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Alphabets are drawn with replacement", "In 14.5 % of tasks"),
        ("“Approximately 3.2” is not 3.2", "It is 1.167; 3.2 is"),
        ("The variance is exact only at p = ½", "20,492 printed, 27,917 exact"),
        ("The appendix's mean has the wrong base", "the mean is 209.9: 209.9 by §3, 3,595 by App. C"),
        ("A fraction of App. B is upside down", "as printed is 1.313, turned over 0.762"),
        ("Min–max makes noise of ties", "50.0 % with plain min–max, 100.0 %"),
        ("Temperatures must know the number of features", "itself 100.0 % of its attention at τ = 2"),
        ("Balanced supports give the answer away", "64 / 82 / 90 % of the active bits"),
    ],
)
def test__findings__numbers__are_those_of_the_protocol(title, words):
    assert words in numbers(COMMITTED)[title]


def test__findings__exchanged_support_and_query__work_in_the_same_order_only():
    said = numbers(COMMITTED)["Support and query are exchanged"]
    same, another = (float(word) for word in said.split() if word.count(".") == 1 and word[0].isdigit())
    assert same > 98
    assert abs(another - 50) < 3


def test__findings__with_tables_2_and_3__use_their_rows():
    evidence = Evidence(dict(COMMITTED.results) | {"table2": table2(), "table3": table3()})
    said = numbers(evidence)
    assert "NN* has 95.7 % without replacement, 95.7 % with it" in said["Alphabets are drawn with replacement"]
    noisy = said["The notebook for “noisy” digits imports the clean ones"]
    assert "FS+MN 96.8 / 98.3 for 75.0 / 60.4 (paper: 75.0 / 60.4)" in noisy
    assert "6 of 6 figures are nearer to our full ones than to our clean ones, which speaks against" in noisy


def test__findings__full_digits_as_clean_ones__are_seen_to_be():
    clean = {(e["method"], e["setting"]["tasks"]): e["mean"] for e in table2() if e["setting"]["dataset"] == "clean"}
    printed = [e | {"paper": clean[e["method"], e["setting"]["tasks"]]} for e in table2()]
    said = numbers(Evidence({"table2": printed}))["The notebook for “noisy” digits imports the clean ones"]
    assert "0 of 6 figures are nearer" in said
    assert "speaks against" not in said


def test__findings__characters__of_held_out_and_of_unseen_alphabets_stand_beside_each_other():
    facts = {"stderr": 0.1, "tasks": 250, "label": "PN"}
    rows = [
        row("PN", {"tasks": "characters", "characters": which}, METRIC, mean, **facts) | {"train_tasks": 1000}
        for which, mean in zip(SPLITS.values(), (98.0, 96.5), strict=True)
    ]
    said = numbers(Evidence({"table3": [*table3(), *rows]}))["Characters of seen alphabets"]
    assert "1,000 tasks" in said
    assert "98.0 ± 0.1 % on characters of these, and 96.5 ± 0.1 % on those of unseen alphabets" in said


def test__findings__softmax_output__has_other_moments_and_the_same_errors():
    said = numbers(Evidence({}))["The moments are not those of the output"]
    assert "mean 206.9 and variance 27,550, the softmax output 0.511 and 0.0651" in said
    assert "Errors are the same: 5.5 and 5.5 %" in said


def test__findings__clipped_loss__passes_half_of_the_gradient_on_noise():
    said = numbers(Evidence({}))["Temperatures must know the number of features"]
    left = float(said.partition(" % are left")[0].rpartition(" ")[2])
    assert 40 < left < 70
