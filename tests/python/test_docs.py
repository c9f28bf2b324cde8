"""What the documentation prints is what the commands print; its examples run."""
import pathlib
import re
import shutil
import subprocess
import sys

from conftest import need, pkg_config

import vaa

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


def test_printed_reports_are_what_the_commands_print():
    done = subprocess.run([sys.executable, "tools/refresh_docs.py", "--check"], cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def run_block(page, block, folder):
    done = subprocess.run([sys.executable, "-c", block], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{page}:\n{block}\n{done.stderr}"
    return done.stdout


def blocks_of(page):
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / page).read_text(encoding="utf-8"), re.S)
    assert blocks, page
    return blocks


def test_python_examples_run():
    pages = [str(page.relative_to(REPOSITORY)) for page in sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")]) if "```python" in page.read_text(encoding="utf-8")]
    assert {"README.md", "README.zh-CN.md", "docs/monitor.md"} <= set(pages)
    for page in pages:
        for block in blocks_of(page):
            if "http://" not in block:
                run_block(page, block, REPOSITORY)


def test_python_examples_of_live_engines_run(serve, capture, tmp_path):
    """Behind the commands above them, with the scripted servers that the page names."""
    from toy_model import Options
    reference, target = serve(model=Options(eos_rate=0.001)), serve(model=Options(eos_rate=0.001, fault_from=777))
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    vaa.ask(tmp_path / "examples/data/aisbench_gsm8k_chat/run", tmp_path / "long.jsonl", url=reference.url, sample=12, max_tokens=1200, temperature=0)
    for page in ("README.md", "README.zh-CN.md"):
        live = [block for block in blocks_of(page) if "http://" in block]
        assert live, page
        for block in live:
            here = block.replace("http://127.0.0.1:8000", reference.url).replace("http://127.0.0.1:8001", target.url)
            run_block(page, here + "\nassert report.verdict == 'fail', report", tmp_path)
        for made in ("answers.jsonl", "parts.jsonl"):
            (tmp_path / made).unlink()


def test_links_lead_somewhere():
    for page in [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.relative_to(REPOSITORY)}: {target}"


def test_the_c_example_builds_and_gives_the_verdict_of_the_command(tmp_path):
    flags = pkg_config("--cflags", "--libs", "vaa")
    program = tmp_path / "check"
    subprocess.run([need(shutil.which("cc"), "cc"), "-std=c99", "-Wall", "-Werror", REPOSITORY / "examples" / "check.c", *flags, "-o", program], check=True)
    for name in ("aisbench_low_score", "aisbench_gsm8k_healthy", "aisbench_lost"):
        run = f"examples/data/{name}/run"
        ours = subprocess.run([program, run], cwd=REPOSITORY, capture_output=True, text=True)
        command = subprocess.run([sys.executable, "-m", "vaa", "check", "--lang", "en", run], cwd=REPOSITORY, capture_output=True, text=True)
        assert (ours.returncode, ours.stdout) == (command.returncode, command.stdout)
    missing = subprocess.run([program, tmp_path / "nowhere"], capture_output=True, text=True)
    assert missing.returncode == 2 and "nowhere" in missing.stderr
