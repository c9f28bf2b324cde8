"""Commands in the documentation, and what they print.

A comment such as

    <!-- prints: vaa check examples/data/aisbench_low_score/run --lang zh | lines 40 -->

stands before a fenced block. This program runs the command from the repository's root and writes its output (the first lines of it, where `| lines N` says so) into the block;
with --check it changes nothing and fails where a block is not what the command prints. Output that is Markdown itself stands between

    <!-- includes: vaa explain --format markdown -->
    <!-- end -->

    python tools/refresh_docs.py [--check]
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COMMAND = r" (?P<command>[^|\n]+?)(?: \| lines (?P<lines>\d+))? -->\n"
PRINTED = re.compile(r"(?P<head><!-- prints:" + COMMAND + r"\n*```[a-z]*\n)(?P<body>(?:(?!```).*\n)*)(?P<end>```)")
INCLUDED = re.compile(r"(?P<head><!-- includes:" + COMMAND + r")(?P<body>(?:(?!<!-- end -->).*\n)*)(?P<end><!-- end -->)")


def output(command, lines):
    words = shlex.split(command)
    if words[0] == "vaa":
        words[:1] = [sys.executable, "-m", "vaa"]
    elif words[0] == "python":
        words[0] = sys.executable
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
    if not done.stdout:
        raise SystemExit(f"{command}: exit code {done.returncode}: {done.stderr}")
    shown = done.stdout.rstrip("\n").split("\n")
    return "\n".join(shown[:int(lines)] + ["…"] if lines and len(shown) > int(lines) else shown)


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        raise SystemExit(__doc__)
    stale, blocks = [], 0
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]):
        text = page.read_text(encoding="utf-8")

        def fresh(match):
            nonlocal blocks
            blocks += 1
            body = output(match["command"], match["lines"]) + "\n"
            if body != match["body"]:
                stale.append(f"{page.relative_to(ROOT)}: {match['command']}")
            return match["head"] + body + match["end"]

        new = INCLUDED.sub(fresh, PRINTED.sub(fresh, text))
        if new != text and not check:
            page.write_text(new, encoding="utf-8")
    for line in stale:
        print(("differs: " if check else "refreshed: ") + line)
    print(f"{blocks} blocks, {len(stale)} {'differ' if check else 'refreshed'}")
    return 1 if check and (stale or blocks == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
