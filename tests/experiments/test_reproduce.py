import pytest

from polythetic.errors import InputError, MissingDataError, ResultError
from polythetic.experiments import BUDGETS, Experiment, experiments_named
from polythetic.experiments.reproduce import report, reproduce
from polythetic.jobs import Job, Machine, Nothing
from polythetic.jobs.carrying_out import still_to_do
from polythetic.progress import Silent
from polythetic.results import row
from tests.experiments.tiny import TINY

CALLS = []


@pytest.fixture
def calls():
    CALLS.clear()
    return CALLS


def work(name, mean):
    CALLS.append(name)
    if mean is None:
        raise KeyboardInterrupt
    if mean < 0:
        raise MissingDataError("no such data")
    return [row("MN", {}, "accuracy", mean)]


def experiment(name, *means):
    def jobs(budget, seed):
        facts = [{"name": name + "'" * place, "mean": mean} for place, mean in enumerate(means or [1.0])]
        return {place: Job(f"{name} {place}", work, each, cost=place + 1) for place, each in enumerate(facts)}

    def text(result):
        return [f"It is {result.rows[0]['mean']}."]

    return Experiment(name, "A title <b>", "Table 0", "Is it?", jobs, text)


class Counting(Silent):
    def __init__(self):
        self.total = self.done = 0

    def start(self, what, total):
        self.total += total

    def advance(self, steps=1, note=""):
        self.done += steps


def call(experiments, out, **options):
    said = []
    given = {"budget": BUDGETS["quick"], "seed": 0, "runs": out / "runs"} | options
    done = reproduce(experiments, out=out, say=said.append, **given)
    return done.results, done.page, said


def test__reproduce__again__keeps_what_is_there(tmp_path, calls):
    _, page, _ = call([experiment("a")], tmp_path)
    assert page == tmp_path / "quick" / "report.html"
    _, _, said = call([experiment("a", 2.0)], tmp_path)
    assert calls == ["a"]
    assert "already" in said[0]
    results, _, _ = call([experiment("a", 2.0)], tmp_path, force=True)
    assert calls == ["a", "a"]
    assert results[0].rows[0]["mean"] == 2.0


def test__reproduce__force__does_again_what_is_kept(tmp_path, calls):
    for _ in range(2):
        call([experiment("a", 1.0, 2.0)], tmp_path, force=True)
    assert calls == ["a'", "a", "a'", "a"]


def test__reproduce__other_seed__is_another_result(tmp_path):
    call([experiment("a")], tmp_path)
    results, _, said = call([experiment("a")], tmp_path, seed=1)
    assert results[0].seed == 1
    assert "a: done" in said[0]


def test__reproduce__interrupted__goes_on_where_it_was(tmp_path, calls):
    with pytest.raises(KeyboardInterrupt):
        call([experiment("a"), experiment("b", None, 2.0)], tmp_path)
    assert calls == ["a", "b'", "b"]
    results, _, _ = call([experiment("a"), experiment("b", 1.0, 2.0)], tmp_path)
    assert calls == ["a", "b'", "b", "b"]  # neither what a found, nor the part of b that was done
    assert [entry["mean"] for entry in results[1].rows] == [1.0, 2.0]


def test__reproduce__progress__announces_and_tells_what_the_jobs_cost(tmp_path):
    (appendix_a,) = experiments_named(["appendix-a"])
    cost = sum(job.steps for job in appendix_a.jobs(TINY, 0).values())
    whole, nothing = Counting(), Counting()
    call([appendix_a], tmp_path, budget=TINY, progress=whole)
    assert (whole.total, whole.done) == (cost, cost)
    call([appendix_a], tmp_path, budget=TINY, progress=nothing)
    assert (nothing.total, nothing.done) == (0, 0)


def test__reproduce__progress__after_an_interruption__is_of_what_is_left(tmp_path):
    first, second = Counting(), Counting()
    with pytest.raises(KeyboardInterrupt):
        call([experiment("a", None, 1.0)], tmp_path, progress=first)
    assert (first.total, first.done) == (3, 2)  # the longer part is done first
    call([experiment("a", 3.0, 1.0)], tmp_path, progress=second)
    assert (second.total, second.done) == (1, 1)


def test__reproduce__two_processes__find_the_same_to_the_bit(tmp_path):
    experiments = experiments_named(["theory"])
    alone, _, _ = call(experiments, tmp_path / "alone", budget=TINY)
    shared, _, _ = call(experiments, tmp_path / "shared", budget=TINY, crew=Machine(2))
    assert shared[0].rows == alone[0].rows


def test__reproduce__data_that_are_not_there__stop_it_unless_it_is_lenient(tmp_path):
    both, progress = [experiment("a", -1.0), experiment("b")], Counting()
    with pytest.raises(MissingDataError, match="no such data"):
        call(both, tmp_path)
    results, page, said = call(both, tmp_path, lenient=True, progress=progress)
    assert said[0] == "a: left out. no such data"
    assert [result.experiment for result in results] == ["b"]
    assert 'id="a"' not in page.read_text()
    assert progress.total == progress.done == len(still_to_do(both[0].jobs(TINY, 0).values(), Nothing())) + 1


def test__reproduce__standard__does_not_replace_paper_budget(tmp_path, calls):
    call([experiment("a")], tmp_path, budget=BUDGETS["paper"])
    with pytest.raises(ResultError, match="--force"):
        call([experiment("a")], tmp_path, budget=BUDGETS["standard"])
    assert calls == ["a"]


def test__page__escapes_and_names_the_command(tmp_path):
    _, page, _ = call([experiment("a")], tmp_path)
    html = page.read_text()
    assert "A title &lt;b&gt;" in html
    assert "polythetic reproduce a --budget quick --seed 0" in html
    assert "It is 1.0." in html


def test__page__one_experiment_again__keeps_the_sections_of_the_others(tmp_path):
    call(experiments_named(["figure13", "figure5"]), tmp_path)
    _, page, _ = call(experiments_named(["figure5"]), tmp_path)
    html = page.read_text()
    assert html.index('id="figure5"') < html.index('id="figure13"')  # in the paper's order


def test__reproduce__after_the_code_has_changed__makes_the_result_again_of_the_parts_that_still_hold(
    tmp_path, monkeypatch, calls
):
    call([experiment("a")], tmp_path)
    monkeypatch.setattr("polythetic.experiments.reproduce.versions", lambda: {"source": "another"})
    _, _, said = call([experiment("a")], tmp_path)
    assert "a: done" in said[0]
    assert calls == ["a"]


def test__reproduce__a_result_of_another_version__is_left_out_of_the_report_and_that_is_said(tmp_path):
    table1 = experiments_named(["table1"])[0].name
    call([experiment(table1)], tmp_path)  # with none of the rows that Table 1 has
    _, page, said = call([experiment("a")], tmp_path)
    assert any("table1: in" in line and "another version" in line for line in said)
    assert "A title" in page.read_text()


def test__report__of_results_that_are_there__runs_nothing(tmp_path, calls):
    call([experiment("a"), *experiments_named(["figure5"])], tmp_path)
    quick = tmp_path / "quick"
    kept = (quick / "figure5.json").read_bytes()
    for path in ("report.html", "tables/figure5.md", "figures/figure5.png"):
        (quick / path).unlink()
    done = report(experiments_named([]), out=quick)
    assert calls == ["a"]
    assert [result.experiment for result in done.results] == ["figure5"]
    html = done.page.read_text()
    assert html.count("data:image/png") == 1
    assert "Quick budget: one set of vectors, no tasks." in html
    assert (quick / "tables" / "figure5.md").exists()
    assert (quick / "figure5.json").read_bytes() == kept


def test__report__of_rows_of_another_version__says_so_and_goes_on(tmp_path):
    call([experiment("figure3"), *experiments_named(["figure13"])], tmp_path)  # with none of Figure 3's rows
    said = []
    done = report(experiments_named([]), out=tmp_path / "quick", say=said.append)
    assert [section.name for section in done.sections] == ["figure13"]
    assert any("figure3: in" in line and "another version" in line for line in said)


def test__report__of_nothing__says_what_is_needed(tmp_path):
    with pytest.raises(InputError, match=r"--out = .*: expected a folder of results"):
        report(experiments_named([]), out=tmp_path)
