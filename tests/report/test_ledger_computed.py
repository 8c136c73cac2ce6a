"""Lines of the ledger that are computed, against what a pencil gives."""

from functools import partial
from math import cosh, e, sinh, sqrt

import pytest

from polythetic.episodes.classes import class_tasks
from polythetic.episodes.suites import SUITES
from polythetic.report.claims import CLAIMS, settings
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Standing, entry_of
from tests.committed import rows

COMMITTED = Evidence({name: rows(name) for name in ("theory", "figure4", "figure12")})
NOTHING = Evidence({})


def entry(words, evidence=NOTHING):
    (claim,) = [claim for claim in CLAIMS if words in claim.quote]
    return entry_of(claim, evidence)


def test__between_every_pair__cube__is_cut_on_its_edges_alone():
    found = entry("between every possible pair")
    assert found.standing is Standing.PARTLY
    # A cube has 3·2² edges, and C(8, 2) pairs of corners, of which 4·4 are of different classes.
    assert "12 of 12 pairs of neighbours" in found.ours
    assert "16 of all 28 pairs" in found.ours


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        ("MIN(x+y, 1)", "4 of 4 inputs"),
        ("(1,0,0) cannot occur", "(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), each √2"),
        ("immediate neighbours", "2 / 3 / 4"),
        ("C(α, δ) strings", "1 / 4 / 6 / 4 / 1"),
        ("sign((e − e⁻¹)^α)", f"{(2 * sinh(1)) ** 2:.2f} / {(2 * sinh(1)) ** 3:.1f} / {(2 * sinh(1)) ** 4:.1f}"),
        ("d > c²", f"to {(e**2 + e**-2) / 2 / ((e + 1 / e) / 2) ** 2:.2f} for"),
        ("Laplace attention", "0 / −1 / −2 / −3 / −4"),
        ("support set class balance", "30 / 10: 0.75 / 0.25"),
        ("increases the model confidence", "AND(x, y), β = 1 / 2 / 4 / 10: 85.2 /"),
        ("aligned with the axes", "/ 100.0 % of the square"),
        ("r=0, provides no basis", "ours refuses: support = 0×3"),
        ("r=5 repetitions", "ours: r = 5"),
        ("interior of their convex hull", "largest value"),
        ("some feature in common", "after 25 rounds"),
        ("protability 0.5", "ours: 0.5"),
        ("3-way alphabets", "ours: 3-way"),
        ("20-way, 5 shot", "20-way, 5-shot, 15 queries"),
        ("with 4 blocks", "4 blocks of 64 channels, filters of 3 × 3"),
        ("64-dimensional", "ours: 64"),
        ("512 units", "52 outputs after 2 hidden layers of 512 / 512"),
        ("r=1 repetitions", "α = 2, β = 3, r = 1; 4 rows of support, 4 queries"),
        ("seen at train and test times are disjoint", "none in both"),
    ],
)
def test__computed__what_holds__with_its_number(words, ours):
    found = entry(words)
    assert found.standing is Standing.HOLDS
    assert ours in found.ours


def test__cosine__picture__grows_with_irrelevant_bits_but_not_exponentially():
    found = entry("overall picture doesn't change” (cosine)")
    assert [point.holds for point in found.points] == [True, False]


def test__euclidean__picture__is_that_of_dot_products_at_half_the_scale():
    found = entry("doesn't change the overall picture")
    assert found.standing is Standing.HOLDS
    growth = sqrt(cosh(1)) / cosh(0.5)  # √(d/c²) with e^½ for e, at p = ½
    assert f"{growth:.2f} times at 80" in found.ours


def test__cosine__beside_other_bits__divides_by_all_of_them():
    found = entry("f_cos(δ)")
    assert found.standing is Standing.PARTLY
    assert "takes 0.25 off the cosine, not 2/α = 0.50" in found.ours


@pytest.mark.parametrize("words", ["exp(2/α) to the variance", "exp(−2α) to the variance", "exp(−α) to the mean"])
def test__similarities__printed_moments__are_far_from_simulated_ones(words):
    assert entry(words, COMMITTED).standing is Standing.FAILS


def test__similarities__printed_as_simulated__would_hold():
    found = [row | {"paper": row["mean"]} for row in rows("theory")]
    assert entry("exp(2/α) to the variance", Evidence({"theory": found})).standing is Standing.HOLDS


def test__settings__ours_differ__are_said_to():
    momentum, rate, batches = (entry(words) for words in ("momentum 0.01", "rate 0.001", "800 batches of 16"))
    assert {found.standing for found in (momentum, rate, batches)} == {Standing.DIFFERS}
    assert "normalised by its own statistics" in momentum.ours
    assert "our settings: 0.001 at first, falling to nothing" in rate.ours
    assert batches.ours == "our settings: 800 of 64; the authors' settings: 800 of 16"


def test__settings__other_defaults__do_not_pass(monkeypatch):
    monkeypatch.setitem(SUITES, "omniglot-characters", SUITES["omniglot-characters"]._replace(make=_five_way))
    monkeypatch.setattr(settings, "SUITE", settings.BooleanTasks(n=6, alpha=2, repetitions=1))
    monkeypatch.setattr(settings, "Conv4", partial(settings.Conv4, width=32, embedding=32))
    for words in ("20-way, 5 shot", "r=1 repetitions", "with 4 blocks", "64-dimensional"):
        assert entry(words).standing is Standing.DIFFERS, words


def _five_way(collection, *, ways=5, shots=5, queries=15):
    return class_tasks(collection, ways=ways, shots=shots, queries=queries)


def test__figure_4__committed__has_the_papers_bits_and_rounds():
    found = entry("n={0,5,10,25}", COMMITTED)
    assert found.standing is Standing.HOLDS
    assert found.ours == "ours: α = 3, β = 3, after 0 / 5 / 10 / 25 rounds"


def test__figure_4__attention__stays_within_the_variants():
    found = entry("automatically segregate", COMMITTED)
    assert found.standing is Standing.HOLDS
    assert "22.6 by chance" in found.ours  # 7 of the 31 other rows


def test__figure_12__committed__dilutes_patterns_by_cosines_alone():
    found = entry("stripes and spots", COMMITTED)
    assert [point.holds for point in found.points] == [True, False, True]


def test__outside__rare_diseases__are_not_ours_to_check():
    found = entry("7000 rare diseases")
    assert found.standing is Standing.UNKNOWN
    assert "no experiment of the paper bears on it" in found.ours
