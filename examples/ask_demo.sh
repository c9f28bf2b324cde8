#!/usr/bin/env bash
# Asks a live server the questions of an old run, checks the answers, and finds the position from which a second server parts from the first. Both servers are scripted and come with
# the tests: their model is small and known, and the second one's goes wrong from absolute position 777 on.
#   bash examples/ask_demo.sh [FOLDER]      FOLDER gets the answers; default: a new one
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
python="${PYTHON:-$root/.venv/bin/python}"
out="${1:-$(mktemp -d)}"
run="$root/examples/data/aisbench_gsm8k_chat/run"
vaa() { printf '\n$ vaa %s\n' "$*"; "$python" -m vaa "$@"; }

servers=()
trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
serve() {  # NAME OPTION…: starts a server and waits for its port, which is its first line
  local name=$1; shift
  "$python" "$root/tests/capture/server.py" --port 0 --eos-rate 0.001 "$@" >"$out/$name.port" 2>"$out/$name.log" &
  servers+=($!)
  until [ -s "$out/$name.port" ]; do kill -0 "${servers[-1]}" && sleep 0.05; done
}
serve reference
serve target --fault-from 777
a="http://127.0.0.1:$(head -1 "$out/reference.port")" b="http://127.0.0.1:$(head -1 "$out/target.port")"

vaa ask --probe --url "$a"
vaa ask --from "$run" --sample 50 --url "$a" --out "$out/new.jsonl" --force
vaa check "$out/new.jsonl" || echo "(exit code $?)"
# Longer answers, to cut: what a faulty RoPE table does begins far behind the prompt.
vaa ask --from "$run" --sample 12 --max-tokens 1200 --temperature 0 --url "$a" --out "$out/long.jsonl" --force
vaa ladder "$out/long.jsonl" --bisect --url "$a" --url "$b" --out "$out/bisect.jsonl" --force || echo "(exit code $?)"
