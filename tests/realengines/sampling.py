"""Asks real engines for sampled answers at known temperatures, and holds what vaa sampler says of them to what was asked.

    python sampling.py FOLDER VAA NAME=URL…

FOLDER keeps the answers of each engine, which are not asked for again; VAA is the command, NAME vllm or llama-server, URL where it serves the model of make_model.py (setup.sh, engines.py). Prints a line a run: what was asked and declared, the temperature that is found, checks that fail. Exit code 1 where
a check fails without a fault, where none fails with a declared temperature that is wrong, or where the asked temperature lies in fewer of the 95 % intervals than one in a hundred such sets of runs has."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEMPERATURES = (0.3, 0.6, 1.0)
ANSWERS, TOKENS, ROUNDS = 30, 150, 2
NO_CUTS = {"top_p": 1.0, "top_k": 0, "min_p": 0.0}
CUTS = {"top_p": 0.9, "top_k": 20, "min_p": 0.0}


def requests(path, temperature, cuts, seeds, answers=ANSWERS):
    """`seeds` of each prompt in turn. English: of a token that ends in half a character llama-server lists nothing."""
    texts = [text[:len(text) // 2] for text in json.loads((ROOT / "tests/golden/udhr.json").read_text(encoding="utf-8"))["eng"][:answers]]
    lines = [{"custom_id": f"q{i:02}", "method": "POST", "url": "/v1/completions",
              "body": {"model": "lag", "prompt": text, "temperature": temperature, "max_tokens": TOKENS, "seed": seed, "repetition_penalty": 1.0, **cuts}}
             for seed_of in seeds for i, text in enumerate(texts) for seed in [seed_of(i)]]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def ask(vaa, folder, name, url, *asked):
    out = folder / f"{name}.jsonl"
    if out.exists():
        return out
    requests(folder / "requests.jsonl", *asked)
    done = subprocess.run([*vaa, "ask", "requests.jsonl", "--url", url, "--no-stream", "--top-logprobs", "20", "--concurrency", "4", "--out", out.name, "--force"], cwd=folder, capture_output=True, text=True, timeout=3000)
    if done.returncode != 0:
        print(done.stdout + done.stderr, flush=True)
    return out


def judged(vaa, run, *options):
    done = subprocess.run([*vaa, "sampler", str(run), "--format", "json", "--quiet", *options], capture_output=True, text=True, timeout=600)
    report = json.loads(done.stdout)
    checks = [check for group in report["sampler"]["groups"] for check in group["checks"]]
    fitted = next((check for check in checks if check["name"] == "temperature" and check["effect"] is not None), None)
    return done.returncode, fitted, sorted(check["kind"] for check in checks if check["status"] == "fail"), checks


def row(name, asked, declared, told):
    code, fitted, kinds, _ = told
    found = f"{fitted['effect']:.3f} ({fitted['interval'][0]:.3f} to {fitted['interval'][1]:.3f}), {fitted['n']:,} tokens" if fitted else "–"
    print(f"| {name} | {asked} | {declared} | {found} | {code} | {', '.join(kinds) or '–'} |", flush=True)


def main():
    vaa, failed = sys.argv[2].split(), 0
    print("| engine | asked | declared | behaves like (95 %) | exit code | called |\n|---|---|---|---|---|---|")
    for name, url in (given.split("=", 1) for given in sys.argv[3:]):
        folder = pathlib.Path(sys.argv[1]).resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        held = 0
        for temperature, number in ((t, n) for t in TEMPERATURES for n in range(ROUNDS)):
            first = 10000 * number
            run = ask(vaa, folder, f"t{temperature}-{number}", url, temperature, NO_CUTS, [lambda i: first + 1000 + i, lambda i: first + 2000 + i, lambda i: first + 3000 + i])
            told, wrong = judged(vaa, run), judged(vaa, run, "--temperature", str(1.5 * temperature))
            row(name, f"T {temperature}", "as asked", told)
            row(name, f"T {temperature}", f"T {1.5 * temperature:.2f}", wrong)
            low, high = told[1]["interval"]
            held += low <= temperature <= high
            failed += told[0] not in (0, 3) or wrong[0] != 1
        print(f"  {held} of {len(TEMPERATURES) * ROUNDS} intervals hold the temperature that was asked")
        failed += held < len(TEMPERATURES) * ROUNDS - 2
        told = judged(vaa, ask(vaa, folder, "cuts", url, 0.6, CUTS, [lambda i: 1000 + i, lambda i: 2000 + i, lambda i: 3000 + i]))
        row(name, "T 0.6, top-k 20, top-p 0.9", "as asked", told)
        failed += told[0] not in (0, 3)
        seeded = judged(vaa, ask(vaa, folder, "seeds", url, 0.6, NO_CUTS, [lambda i: 100 + i, lambda i: 100 + i, lambda i: 200 + i], 12))
        row(name, "T 0.6, two answers with one seed, one with another", "as asked", seeded)
        print("  " + "; ".join(check["words"]["en"] for check in seeded[3] if check["name"] in ("one_seed", "other_seeds")))
        failed += seeded[0] not in (0, 3)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
