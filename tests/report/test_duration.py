from polythetic.report.duration import all_together
from polythetic.report.page import write_report
from tests.report.test_page import section


def test__all_together__what_two_sections_share__counts_once():
    sections = [section("table4")._replace(costs={"a": 7200.0}), section("table5")._replace(costs={"a": 7200.0})]
    assert "takes about 2.0 core hours, 1.0 hours on 2 cores" in all_together(sections)


def test__all_together__without_data__says_what_is_not_counted():
    sections = [section("table1")._replace(costs={"a": 60.0}), section("table4")]
    assert "Not counted, since their data are not here: Table4." in all_together(sections)
    assert all_together(sections[1:]) == ""


def test__all_together__measured_seconds__are_pointed_to():
    row = {"method": "PN", "setting": {}, "metric": "seconds of one core a step", "mean": 0.5}
    said = all_together([section("theory", [row])._replace(costs={"a": 1.0})])
    assert "measured are in: Title of theory & <b> (a few steps; the minutes of a training are as many steps" in said
    task = all_together([section("theory", [row | {"metric": "seconds"}])._replace(costs={"a": 1.0})])
    assert "measured are in: Title of theory & <b>." in task


def test__page__says_how_long_each_and_all_take(tmp_path):
    page = write_report([section("table1")._replace(costs={"a": 640.0})], tmp_path, budget="standard")
    html = page.read_text(encoding="utf-8")
    assert "<code>polythetic reproduce table1</code> · about 11 core minutes</p>" in html
    assert "all of it takes about 11 core minutes" in html
