"""The command: output forms, exit codes, usage, terminals and pipes. What bad input does is in test_bad_input.py."""

import json
import os
import pty
import re
import subprocess
import sys
import time

import pytest

import vaa
from conftest import GOLDEN
from vaa import cli
from vaa._progress import Progress

RECORDS = GOLDEN / "samples" / "vaa_records.jsonl"
WELL = '{"schema": "vaa.record/1", "id": "%d", "output": {"text": "It is well, and the answer is %d."}, "finish_reason": "stop"}\n'


def run(*arguments, **keywords):
    """(exit code, stdout, stderr) of the command, as in a pipe."""
    environment = dict(os.environ, LANG="C.UTF-8", LC_ALL="C.UTF-8")
    environment.pop("NO_COLOR", None)
    environment.update(keywords.pop("env", {}))
    done = subprocess.run([sys.executable, "-m", "vaa", *map(str, arguments)], capture_output=True, env=environment, timeout=120, **keywords)
    out, err = done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "surrogateescape")
    assert "Traceback" not in err, err
    return done.returncode, out, err


@pytest.fixture
def healthy(tmp_path):
    path = tmp_path / "healthy.jsonl"
    path.write_text("".join(WELL % (i, i) for i in range(400)))
    return path


def test_exit_codes(tmp_path, healthy):
    assert run("check", healthy)[0] == 0
    assert run("check", RECORDS)[0] == 1
    assert run("check", tmp_path / "nothing")[0] == 2
    assert run("check", healthy, "--expect", "nonsense")[0] == 2


def test_of_several_inputs_the_worst_counts(tmp_path, healthy):
    assert run("check", healthy, healthy)[0] == 0
    code, out, err = run("check", healthy, RECORDS, "--format", "json", "--quiet")
    assert code == 1 and len([json.loads(line) for line in out.splitlines()]) == 2 and err == ""
    code, out, err = run("check", tmp_path / "nothing", RECORDS, healthy, "--format", "json")
    assert code == 2 and len(out.splitlines()) == 2 and "nothing" in err
    code, out, err = run("check", healthy, RECORDS, "--out", tmp_path / "report")
    assert code == 2 and "--out: takes one PATH, 2 are given" in err


def test_every_form_on_the_standard_output_and_in_a_file(tmp_path):
    for form in ("text", "json", "markdown", "jsonl"):
        code, out, err = run("check", RECORDS, "--format", form)
        assert code == 1 and "\x1b" not in out
        path = tmp_path / form
        code, nothing, err = run("check", RECORDS, "--format", form, "--out", path)
        assert code == 1 and nothing == "" and err == f"vaa: {RECORDS}: fail, written to {path}\n"
        assert path.read_text(encoding="utf-8").rstrip("\n") == out.rstrip("\n")
        assert list(tmp_path.iterdir()) == [path]
        path.unlink()


def test_lines_of_samples(tmp_path):
    code, out, err = run("check", RECORDS, "--format", "jsonl", "--threads", 3)
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and [line["id"] for line in lines] == [str(i) for i in range(10)] and err == f"vaa: {RECORDS}: fail\n"
    for line in lines:
        assert {"id", "repeat", "dataset", "flags", "findings", "unknown"} <= line.keys()
        for finding in line["findings"]:
            assert {"flag", "severity", "confidence", "part"} <= finding.keys()
            assert (finding["flag"] in line["flags"]) == (finding["severity"] in ("fail", "warn")) or finding["severity"] == "info"
    loop = next(f for f in lines[1]["findings"] if f["flag"] == "repetition_loop")
    assert {"onset_byte", "onset_char", "length_bytes", "length_chars", "period_bytes", "period_chars"} <= loop.keys()


def test_languages():
    english, chinese = run("check", RECORDS)[1], run("check", RECORDS, "--lang", "zh")[1]
    assert english != chinese and re.search("[\u4e00-\u9fff]", chinese)
    assert run("check", RECORDS, env={"LC_ALL": "", "LANG": "zh_CN.UTF-8"})[1] == chinese
    assert run("check", RECORDS, env={"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"})[1] == english


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "gbk"])
def test_a_terminal_that_has_no_such_letters(encoding):
    code, out, err = run("check", RECORDS, "--lang", "zh", env={"PYTHONIOENCODING": encoding})
    assert code == 1 and out and err == ""


def test_no_text_leaves_no_text():
    for form in ("text", "json", "markdown", "jsonl"):
        assert "Twelve stops" in run("check", RECORDS, "--format", form)[1]
        assert "Twelve stops" not in run("check", RECORDS, "--format", form, "--no-text")[1]


def test_export(tmp_path):
    out = tmp_path / "again.jsonl"
    code, _, err = run("check", RECORDS, "--export", "repetition_loop", "--export-out", out)
    assert code == 1 and f"requests written to {out}" in err
    requests = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(requests) == 1 and requests[0]["custom_id"] and requests[0]["body"]["messages"]
    code, _, err = run("check", RECORDS, "--export", "empty", cwd=tmp_path)
    assert code == 1 and (tmp_path / "empty.requests.jsonl").exists()
    assert run("check", RECORDS, "--export-out", out)[0] == 2
    assert run("check", RECORDS, "--export", "emty")[0] == 2


def test_baselines_and_gates(tmp_path, healthy):
    assert run("check", healthy, "--fail-on", "any")[0] == 0
    assert run("check", RECORDS, "--fail-on", "empty:0.5", "--fail-on", "any")[0] == 1
    assert run("check", RECORDS, "--baseline", RECORDS)[0] in (0, 3)
    assert run("check", RECORDS, "--baseline", "0/1000")[0] == 1
    assert run("check", RECORDS, "--baseline", tmp_path / "none")[0] == 2
    assert run("check", healthy, "--require", "answer_not_extracted")[0] == 2
    assert run("check", healthy, "--flags", "empty", "--fail-on", "empty")[0] == 0


def test_plain_lines_of_any_form(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"n": 1, "a": [{"t": "well"}]}\n{"n": 2, "a": [{"t": ""}]}\n')
    code, out, err = run("check", path, "--format", "jsonl", "--text-field", "a.0.t", "--id-field", "n", "--quiet")
    assert [(line["id"], line["flags"]) for line in map(json.loads, out.splitlines())] == [("1", []), ("2", ["empty"])] and err == ""
    code, out, err = run("check", path, "--input-format", "vaaa")
    assert code == 2 and "vaaa" in err


USAGE = [
    (["chek"], "did you mean check?"), (["check"], "PATH"), (["check", "x", "--treads", "3"], "did you mean --threads?"),
    (["check", "x", "--format", "jsn"], "did you mean json?"), (["check", "x", "--threads", "many"], "--threads"), ([], "VERB"),
    (["check", "x", "--lang", "de"], "en, zh"), (["check", "x", "--form", "json"], "--form"), (["formats", "x"], "x: no such option"),
]


@pytest.mark.parametrize("arguments, words", USAGE)
def test_usage_errors_are_one_line_and_2(arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and err.startswith("vaa: ") and err.count("\n") == 1 and words in err, err


@pytest.mark.parametrize("name, shown", [(b"a\x1b[31mb", "a\\x1b[31mb"), (b"\xff", "\\xff"), ("运行".encode(), "运行")])
def test_a_path_is_named_and_never_obeyed_by_the_terminal(tmp_path, name, shown):
    code, out, err = run("check", os.fsdecode(name), cwd=tmp_path)
    assert (code, out, err) == (2, "", f"vaa: {shown}: cannot open: No such file or directory\n")


def test_options_out_of_range_are_the_librarys_to_refuse():
    for arguments, words in ((["--threads", "0"], "threads: 0 is out of range, allowed are 1 to 1024"), (["--max-line", "5"], "max_line"),
                             (["--fail-on", "emty"], "emty"), (["--flags", "emty"], "emty"), (["--baseline", "5/3"], "5/3")):
        code, out, err = run("check", RECORDS, *arguments)
        assert (code, out) == (2, "") and words in err and err.count("\n") == 1, err


def test_help_and_version():
    code, out, err = run("--help")
    assert code == 0 and "vaa check" in out and err == ""
    code, out, err = run("check", "--help")
    assert code == 0 and "exit codes:" in out and "examples:" in out
    assert run("version")[1] == run("--version")[1] == f"vaa {vaa.__version__}\n"


def test_formats_and_flags():
    names = {one["name"] for one in vaa.formats()}
    assert {line.split()[0] for line in run("formats")[1].splitlines()} == names
    assert {one["name"] for one in json.loads(run("formats", "--format", "json")[1])} == names
    assert [line.split()[0] for line in run("flags")[1].splitlines()] == [flag["name"] for flag in vaa.flags()]
    assert re.search("[\u4e00-\u9fff]", run("flags", "--lang", "zh")[1])


def in_terminal(*arguments, **environment):
    """What the command shows on a terminal, both streams."""
    main, side = pty.openpty()
    child = subprocess.Popen([sys.executable, "-m", "vaa", *map(str, arguments)], stdin=side, stdout=side, stderr=side, env=dict(os.environ, TERM="xterm", **environment))
    os.close(side)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            part = b""
        if not part:
            break
        shown += part
    os.close(main)
    return child.wait(), shown.decode("utf-8", "replace")


def test_colour_on_a_terminal_only(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    colour = "\x1b[1"
    assert re.search(r"\x1b\[[0-9;]*m", in_terminal("check", RECORDS)[1])
    assert not re.search(r"\x1b\[[0-9;]*m", in_terminal("check", RECORDS, NO_COLOR="1")[1])
    assert not re.search(r"\x1b\[[0-9;]*m", in_terminal("check", RECORDS, "--color", "never")[1])
    assert colour[:2] in run("check", RECORDS, "--color", "always")[1]


def test_progress_on_a_terminal_only(tmp_path):
    path = tmp_path / "slow.jsonl"
    os.mkfifo(path)
    lines = RECORDS.read_bytes().split(b"\n", 1)[1]
    if os.fork() == 0:
        with open(path, "wb", buffering=0) as pipe:
            for _ in range(4):
                pipe.write(lines)
                time.sleep(0.1)
        os._exit(0)
    code, shown = in_terminal("check", path, "--format", "json")
    os.wait()
    assert code == 1 and "samples" in shown and "\r" in shown and "\x1b[K" in shown
    assert "\r" not in run("check", RECORDS)[2]


def test_the_line_of_progress():
    bar = Progress(shown=True)
    assert bar.line(5_000_000, 20_000_000, 321, 2.0) == "[#####...............]  25%  5.0 MB of 20.0 MB  321 samples  2.5 MB/s  0:06 left"
    assert bar.line(999, 0, 3, 0.0) == "999 B  3 samples  0 B/s"
    assert "100%" in bar.line(30, 20, 1, 2.0)


def test_a_reader_that_leaves(tmp_path):
    for form in ("text", "jsonl"):
        path = tmp_path / f"{form}.jsonl"
        path.write_text("".join(WELL % (i, i) for i in range(20000)))
        child = subprocess.Popen([sys.executable, "-m", "vaa", "check", str(path), "--format", form, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.read(10)
        child.stdout.close()
        errors = child.stderr.read().decode()
        assert child.wait(60) in (0, 141) and errors == "", errors


def test_a_full_standard_output():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "vaa", "check", str(RECORDS)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and done.stderr.startswith("vaa: ") and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_cores_and_language(monkeypatch):
    assert 1 <= cli.cores() <= 1024
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert cli.system_language() == "zh"
    monkeypatch.setenv("LC_ALL", "C")
    assert cli.system_language() == "en"


def test_main_can_be_called(capsys):
    assert cli.main(["version"]) == 0
    assert capsys.readouterr().out == f"vaa {vaa.__version__}\n"


def test_explain_tells_of_flags_in_the_language_of_the_locale():
    code, out, err = run("explain")
    names = [flag["name"] for flag in vaa.flags()]
    assert code == 0 and err == "" and all(re.search(rf"^{name} ", out, re.M) for name in names)
    code, out, err = run("explain", "empty", "truncated")
    assert code == 0 and out.startswith("empty\n") and "\n\ntruncated\n" in out and out.count("\nThe next run\n") == 2 and max(map(len, out.splitlines())) <= 100
    assert "\n下一步\n" in run("explain", "empty", env={"LC_ALL": "zh_CN.UTF-8"})[1]
    assert "\nThe next run\n" in run("explain", "empty", "--lang", "en", env={"LC_ALL": "zh_CN.UTF-8"})[1]


def test_explain_in_json_and_markdown():
    assert json.loads(run("explain", "empty", "--format", "json")[1])["name"] == "empty"
    assert [one["name"] for one in json.loads(run("explain", "empty", "truncated", "--format", "json")[1])] == ["empty", "truncated"]
    assert len(json.loads(run("explain", "--format", "json")[1])) >= len(vaa.flags())
    assert run("explain", "--format", "markdown")[1].count("\n## ") >= len(vaa.flags()) - 1


def test_explain_of_a_name_that_is_unknown():
    code, out, err = run("explain", "empty", "truncatd")
    assert (code, out) == (2, "") and "did you mean truncated?" in err
    code, out, err = run("explain", "")
    assert code == 2 and "FLAG: is empty" in err
