"""CPU time of a streamed token and of a request: vaa_capture, a client written with aiohttp, and the curl command, over the same streams from the loopback.

    python tests/bench/ask_vs_aiohttp.py BUILD/tests/bench/ask_bench

The aiohttp client does what benchmark clients do, on aiohttp's parser in C: it reads lines, parses each event with json and keeps text and ids. vaa keeps the whole sample with its times, and reads a
stream that has brought its first token late, several tokens at a time (docs/ask.md); aiohttp reads as bytes come. curl parses nothing and throws the bytes away. All are measured in one run, turn by
turn, three times; the least is taken. Of curl, what its start costs is taken off.
"""
import asyncio
import json
import os
import resource
import subprocess
import sys
import time

REQUEST = {"model": "toy", "messages": [{"role": "user", "content": "hi"}], "stream": True}
PATH = "/v1/chat/completions"


async def aiohttp_ask(url, at_once, requests):
    import aiohttp
    import aiohttp.http_parser

    assert aiohttp.http_parser.HttpResponseParser.__module__ == "aiohttp._http_parser", "aiohttp without its parser in C"
    tokens = 0
    left = iter(range(requests))

    async def work(session):
        nonlocal tokens
        for _ in left:
            text, ids = [], []
            async with session.post(url + PATH, json=REQUEST) as response:
                if response.content_type == "text/event-stream":
                    async for line in response.content:
                        if line.startswith(b"data: ") and not line.startswith(b"data: [DONE]"):
                            choice = json.loads(line[6:])["choices"][0]
                            text.append(choice["delta"]["content"])
                            ids.extend(choice["token_ids"])
                else:
                    choice = json.loads(await response.read())["choices"][0]
                    text.append(choice["message"]["content"])
                    ids.extend(choice["token_ids"])
            tokens += len(ids)

    connector = aiohttp.TCPConnector(limit=at_once)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(total=None)) as session:
        before = time.process_time()
        await asyncio.gather(*(work(session) for _ in range(at_once)))
        print(requests, 0, tokens, f"{time.process_time() - before:.6f}")


def run(command):
    words = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    return int(words[0]), int(words[2]), float(words[3]), [int(word) for word in words[4:]]


def curl_seconds(url, at_once, requests):
    def used(count):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["curl", "-s", "-N", "--parallel", "--parallel-max", str(min(at_once, 300)), "-H", "Content-Type: application/json", "-d", json.dumps(REQUEST), "-o", "/dev/null",
                        f"{url}{PATH}?n=[1-{count}]"], check=True, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["curl", "--version"], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used(requests) - (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def compare(bench, title, at_once, requests, tokens, pace=0, whole=False):
    command = [bench, "serve", "--tokens", str(tokens), "--pace", str(pace)] + (["--whole"] if whole else [])
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        rounds = {"vaa": [], "aiohttp": [], "curl": []}
        for _ in range(3):
            done, got, seconds, _ = run([bench, "ask", url, "--at-once", str(at_once), "--requests", str(requests)])
            rounds["vaa"].append(seconds)
            _, other, seconds, _ = run([sys.executable, __file__, "--aiohttp", url, str(at_once), str(requests)])
            assert whole or got == other == requests * tokens, (got, other)
            rounds["aiohttp"].append(seconds)
            rounds["curl"].append(curl_seconds(url, at_once, requests))
        server.stdin.close()
    units = requests if whole else requests * tokens
    best = {name: min(values) / units * 1e6 for name, values in rounds.items()}
    print(f"| {title} | {best['vaa']:.2f} | {best['aiohttp']:.2f} | {best['curl']:.2f} | {best['aiohttp'] / best['vaa']:.1f} | {best['vaa'] / best['curl']:.2f} |", flush=True)


def memory(bench):
    with subprocess.Popen([bench, "serve", "--tokens", "2000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}"
        done, tokens, _, resident = run([bench, "ask", url, "--at-once", "64", "--requests", "4000"])
        server.stdin.close()
    print(f"\n{done:,} streams of 2,000 tokens, 64 at once: {tokens:,} tokens; resident after each quarter, MB: " + ", ".join(f"{kib / 1024:.1f}" for kib in resident))


def main():
    if sys.argv[1] == "--aiohttp":
        asyncio.run(aiohttp_ask(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
        return
    bench = os.path.abspath(sys.argv[1])
    print("| | vaa | aiohttp | curl | aiohttp : vaa | vaa : curl |\n|---|---:|---:|---:|---:|---:|")
    compare(bench, "a token, 256 streams at 20 ms a token, µs", 256, 256, 300, pace=20)
    compare(bench, "a token, 512 streams at 50 ms a token, µs", 512, 512, 100, pace=50)
    compare(bench, "a token, 64 streams as fast as they go, µs", 64, 128, 2000)
    compare(bench, "a request of one small body, 64 at once, µs", 64, 20000, 1, whole=True)
    memory(bench)


main()
