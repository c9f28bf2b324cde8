"""vaa compare of several runs, means over subjects, what to ask next, git bisect."""
import json
import random
import statistics
import subprocess
import sys

import pytest

import vaa
from conftest import ROOT
from test_command import run
from test_compare import answers, compared, looping, record, step, write


def with_loops(n, loops, seed):
    draw = random.Random(seed)
    return [record(i, looping("It is") if i in loops else f"Step {i} gives {draw.randrange(1000)}, and that is what was asked.") for i in range(n)]


@pytest.fixture
def runs(tmp_path):
    """ref, graph (1 in 10 loops), mtp (clean)."""
    for name, loops in (("ref", ()), ("graph", range(0, 400, 10)), ("mtp", ())):
        write(tmp_path / f"{name}.jsonl", with_loops(400, set(loops), len(name)))
    return tmp_path


def test_each_run_has_a_row_and_the_worst_counts(runs):
    code, out, err = run("compare", runs / "ref.jsonl", runs / "graph.jsonl", runs / "mtp.jsonl", "--format", "json")
    document = json.loads(out)
    assert code == 1 and document["kind"] == "variants"
    rows = document["variants"]["runs"]
    assert [r["code"] == 1 for r in rows] == [True, False] and rows[0]["kinds"][0] == "catastrophic_bad_cases"
    p = [r["p"] for r in rows]
    holm = sorted(p)  # by hand: the smaller one twice, the larger one at least that
    assert rows[0]["p_adjusted"] == min(1, 2 * holm[0]) and rows[1]["p_adjusted"] == max(min(1, 2 * holm[0]), holm[1])


def test_forms_languages_and_schema(runs):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    matrix = "run,graph,mtp\nref.jsonl,0,0\ngraph.jsonl,1,0\nmtp.jsonl,0,1\n"
    report = vaa.compare_variants(runs / "ref.jsonl", [runs / "graph.jsonl", runs / "mtp.jsonl"], matrix=matrix)
    jsonschema.validate(report.to_dict(), schema)
    (runs / "m.csv").write_text(matrix)
    for lang, word in (("en", "switching graph off removes it: 0 of 400 against 40 of 400"), ("zh", "关闭 graph 后消失")):
        for form in ("text", "markdown"):
            code, out, err = run("compare", runs / "ref.jsonl", runs / "graph.jsonl", runs / "mtp.jsonl", "--matrix", runs / "m.csv", "--lang", lang, "--format", form)
            assert code == 1 and word.replace(" ", "") in "".join(out.split()), (out, err)
    assert str(runs) not in run("compare", runs / "ref.jsonl", runs / "graph.jsonl", runs / "mtp.jsonl", "--no-text")[1]


def test_switches_against_an_independent_test(runs):
    """Three strata of the other two switches, repeats of a question as clusters of one: the exact conditional p by convolution of hypergeometric laws."""
    stats, numpy = pytest.importorskip("scipy.stats"), pytest.importorskip("numpy")
    draw = random.Random(5)
    counts, matrix, names = {}, {}, []
    for graph in (0, 1):
        for mtp in (0, 1):
            for fp8 in (0, 1):
                if (graph, mtp, fp8) == (1, 1, 1):
                    continue  # a setting that was not run: its stratum says nothing
                k = draw.randrange(0, 3) + 4 * graph
                name = f"g{graph}m{mtp}f{fp8}.jsonl"
                write(runs / name, with_loops(200, set(range(k)), len(names)))
                counts[graph, mtp, fp8] = k
                matrix[name] = {"graph": bool(graph), "mtp": bool(mtp), "fp8": bool(fp8)}
                names.append(name)
    document = vaa.compare_variants(runs / names[0], [runs / name for name in names[1:]], matrix=matrix).to_dict()
    rows = [r for r in document["variants"]["switches"] if r["flag"] == "broken"]
    for at, name in enumerate(("graph", "mtp", "fp8")):
        law, seen = numpy.ones(1), 0
        strata = 0
        for setting, off in counts.items():
            on = counts.get(tuple(1 if i == at else v for i, v in enumerate(setting)))
            if setting[at] or on is None:
                continue
            strata += 1
            law = numpy.convolve(law, stats.hypergeom(400, on + off, 200).pmf(numpy.arange(on + off + 1)))
            seen += on
        p = law[law <= law[seen] * (1 + 1e-7)].sum()
        row = next(r for r in rows if r["switch"] == name)
        assert row["strata"] == strata and row["on"]["k"] == seen
        assert row["p"] == pytest.approx(p, rel=1e-9)
    one = vaa.compare_variants(runs / names[0], [runs / names[-1]], matrix={names[0]: {"x": False}, names[-1]: {"x": True}}).to_dict()["variants"]["switches"][0]
    k, base = counts[1, 1, 0], counts[0, 0, 0]
    assert one["p"] == pytest.approx(stats.fisher_exact([[k, 200 - k], [base, 200 - base]])[1], rel=1e-9)


def test_again_tells_a_change_from_time(runs):
    write(runs / "after.jsonl", with_loops(400, set(), 77))
    assert vaa.compare_variants(runs / "ref.jsonl", [runs / "graph.jsonl", runs / "after.jsonl"], again=True).to_dict()["variants"]["again"] == "reproducible"
    write(runs / "after.jsonl", with_loops(400, set(range(40)), 78))
    code, out, _ = run("compare", runs / "ref.jsonl", runs / "graph.jsonl", runs / "after.jsonl", "--again", "--lang", "en")
    assert code == 3 and "drift in time" in out


def test_usage_is_checked(runs):
    ref, graph, mtp = runs / "ref.jsonl", runs / "graph.jsonl", runs / "mtp.jsonl"
    (runs / "bad.csv").write_text("run,graph\nref.jsonl,0\nelsewhere,1\n")
    for arguments, word in (((ref, graph, "--again"), "two NEW"), ((ref, graph, mtp, "--ask", runs / "f"), "one NEW"), ((ref, graph, "--matrix", runs / "bad.csv"), "graph.jsonl"),
                            ((ref, graph, "--matrix", runs / "none.csv"), "none.csv"), ((ref, graph, graph), "before"), ((ref, graph, "--ask", ref), "is a run that is compared"),
                            ((ref, graph, "--primary", "tokens", "--change", "quant"), "tokens decide nothing")):
        code, out, err = run("compare", *arguments)
        assert code == 2 and word in err and out == "", (arguments, err)
    with pytest.raises(vaa.Error, match="must be compare"):
        vaa.Variants().push("a", vaa.check(ref))


def test_bisect_codes(runs):
    ref = runs / "ref.jsonl"
    write(runs / "same.jsonl", with_loops(4000, set(), 5))
    write(runs / "big.jsonl", with_loops(4000, set(), 6))
    write(runs / "few.jsonl", with_loops(400, {3}, 5))
    for old, new, code in ((runs / "big.jsonl", runs / "same.jsonl", 0), (ref, runs / "graph.jsonl", 1), (ref, ref, 125), (ref, runs / "few.jsonl", 125), (ref, runs / "nowhere", 125)):
        assert run("compare", old, new, "--bisect", "--quiet")[0] == code, (new, code)
    assert run("compare", ref, runs / "few.jsonl", "--bisect", "--wrong")[0] == 125  # git would take 2 for a bad commit
    assert run("compare", ref, runs / "few.jsonl", "--wrong")[0] == 2


def test_git_bisect_finds_the_commit(runs):
    git = lambda *words: subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=runs / "work", check=True, capture_output=True, text=True).stdout
    (runs / "work").mkdir()
    git("init", "-q")
    for i in range(8):
        write(runs / "work" / "run.jsonl", with_loops(4000, set(range(0, 4000, 10)) if i >= 5 else set(), 10 + i))
        git("add", ".")
        git("commit", "-qm", f"commit {i}")
    write(runs / "big.jsonl", with_loops(4000, set(), 6))
    git("bisect", "start", "HEAD", "HEAD~7")
    out = git("bisect", "run", sys.executable, "-m", "vaa", "compare", str(runs / "big.jsonl"), "run.jsonl", "--bisect", "--quiet")
    assert "commit 5" in out and "is the first bad commit" in out


def subject_run(seed, drop):
    """Three subjects of 200, 30 and 10 questions; the small ones fall."""
    draw = random.Random(seed)
    out = []
    for subject, n in (("ceval-law", 200), ("ceval-art", 30), ("ceval-sea", 10)):
        for i in range(n):
            chance = 0.8 - (drop if n < 100 else 0)
            out.append({**record(i, f"The answer to {i} is {draw.randrange(10**6)}.", draw.random() < chance), "dataset": subject, "prompt": {"text": f"{subject} {i}"}})
    return out


def test_mean_over_subjects_against_an_independent_computation(tmp_path):
    stats = pytest.importorskip("scipy.stats")
    old, new = subject_run(1, 0), subject_run(2, 0.4)
    _, document = compared(tmp_path, old, new)
    score = step(document, "score")
    by = {}
    for a, b in zip(old, new):
        by.setdefault(a["dataset"], []).append(b["score"]["correct"] - a["score"]["correct"])
    effect = statistics.fmean(statistics.fmean(d) for d in by.values())
    parts = [statistics.variance(d) / len(d) for d in by.values()]
    error = sum(parts) ** 0.5 / len(by)
    df = sum(parts) ** 2 / sum(v * v / (len(d) - 1) for v, d in zip(parts, by.values()))
    half = stats.t.ppf(0.975, df) * error
    assert score["effect"] == pytest.approx(effect, rel=1e-12)
    assert score["interval"] == pytest.approx([effect - half, effect + half], rel=1e-9)
    assert score["p"] == pytest.approx(2 * stats.t.sf(abs(effect) / error, df), rel=1e-9)
    assert "mean over 3 subjects" in score["words"]["en"] and score["data"]["rests_on"] == "mean_of_subjects"
    every = [d for group in by.values() for d in group]
    assert score["data"]["pooled"]["effect"] == pytest.approx(statistics.fmean(every), rel=1e-12)


def test_datasets_that_are_no_subjects_are_pooled_and_their_mean_is_shown(tmp_path):
    old, new = subject_run(1, 0), subject_run(2, 0)
    for one in (*old, *new):
        one["dataset"] = one["dataset"].replace("ceval-", "")
    _, document = compared(tmp_path, old, new)
    score = step(document, "score")
    every = [b["score"]["correct"] - a["score"]["correct"] for a, b in zip(old, new)]
    assert score["effect"] == pytest.approx(statistics.fmean(every), abs=1e-12) and score["data"]["rests_on"] == "pooled"
    assert "mean over 3 datasets" in json.dumps(document["sections"])


def test_mean_over_subjects_raises_no_false_alarm(tmp_path):
    alarms = sum(compared(tmp_path, subject_run(100 + i, 0), subject_run(200 + i, 0))[0].exit_code == 1 for i in range(40))
    assert alarms <= 5  # P(Bin(40, 0.05) > 5) = 1.4 %


def test_asks_again_each_question_where_answers_are_too_few(tmp_path):
    write(tmp_path / "old.jsonl", answers(60, 1))
    write(tmp_path / "new.jsonl", answers(60, 2))
    code, _, err = run("compare", tmp_path / "old.jsonl", tmp_path / "new.jsonl", "--ask", tmp_path / "ask.jsonl", "--lang", "en", "--quiet")
    assert code == 3 and "60 requests written" in err and "vaa ask" in err and "--repeat" in err
    lines = [json.loads(line) for line in (tmp_path / "ask.jsonl").read_text().splitlines()]
    assert len({line["custom_id"] for line in lines}) == 60 and lines[0]["body"]["prompt"] == "question 0"
    assert "token ids are not recorded" in err


def test_asks_nothing_where_nothing_is_undecided(runs):
    code, _, err = run("compare", runs / "ref.jsonl", runs / "graph.jsonl", "--ask", runs / "ask.jsonl", "--lang", "en")
    assert code == 1 and "nothing is undecided" in err and not (runs / "ask.jsonl").exists()
