"""Threads, Ctrl-C, fork, and memory over many calls."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import vaa
from conftest import GOLDEN

RECORDS = GOLDEN / "samples" / "vaa_records.jsonl"
FED = [0]  # writes into the endless pipe so far
LONG = ("The sum of the first part is what the second part needs. " * 20 + "{}\n") * 2000


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """A named pipe that is fed records without end while anybody reads it."""
    path = tmp_path_factory.mktemp("endless") / "records.jsonl"
    os.mkfifo(path)
    lines = RECORDS.read_bytes().split(b"\n", 1)[1]
    stop = threading.Event()

    def feed():
        while not stop.is_set():
            try:
                with open(path, "wb", buffering=0) as pipe:
                    while not stop.is_set():
                        pipe.write(lines * 20)
                        FED[0] += 1
            except BrokenPipeError:
                pass

    threading.Thread(target=feed, daemon=True).start()
    yield path
    stop.set()
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        pass


def wait_until_at_work():
    """Until somebody reads the endless pipe; how long a process takes to begin depends on the machine."""
    begin, since = FED[0], time.monotonic()
    while FED[0] < begin + 200:
        assert time.monotonic() - since < 60
        time.sleep(0.01)


CHILD = """
import sys, time, vaa
print("begin", flush=True)
try:
    vaa.check(sys.argv[1], threads=int(sys.argv[2]), samples_path=sys.argv[3])
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_a_check_within_100_ms(endless, tmp_path, threads):
    delays = []
    for turn in range(5):  # the machine may be busy: the best of five counts
        out = tmp_path / f"lines{turn}.jsonl"
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(endless), str(threads), str(out)], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "begin\n"
        wait_until_at_work()
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        word, when = child.communicate(timeout=20)[0].split()
        assert word == "interrupted" and child.returncode == 0
        assert not out.exists() and list(tmp_path.iterdir()) == []
        delays.append(float(when) - sent)
        if min(delays) < 0.1:
            return
    pytest.fail(f"seconds from the signal to the exception: {delays}")


def test_ctrl_c_ends_the_command_with_130(endless, tmp_path):
    out = tmp_path / "report.json"
    child = subprocess.Popen([sys.executable, "-m", "vaa", "check", str(endless), "--format", "json", "--out", str(out)], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    wait_until_at_work()
    child.send_signal(signal.SIGINT)
    words, errors = child.communicate(timeout=20)
    assert (child.returncode, words, errors) == (130, "", "vaa: interrupted\n") and list(tmp_path.iterdir()) == []


IMPATIENT = """
import os, signal, threading, time
from vaa._border import Task, interruptible
task, tidy = Task(), []
def call():
    while not task.cancelled:
        time.sleep(0.01)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)
    tidy.append("tidy")
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    interruptible(call, task)
except KeyboardInterrupt:
    print(tidy)
"""


def test_a_second_ctrl_c_does_not_leave_partial_files_behind():
    done = subprocess.run([sys.executable, "-c", IMPATIENT], capture_output=True, text=True, timeout=60)
    assert done.stdout == "['tidy']\n", done.stderr


@pytest.mark.parametrize("early", [True, False])
def test_a_task_cancels_from_another_thread(endless, early):
    task = vaa.Task()
    delay = []

    def cancel():
        if not early:
            time.sleep(0.3)
        delay.append(time.monotonic())
        task.cancel()

    canceller = threading.Thread(target=cancel)
    if early:
        cancel()
    else:
        canceller.start()
    with pytest.raises(vaa.Error) as caught:
        vaa.check(endless, task=task)
    assert caught.value.name == "VAA_ERROR_CANCELLED" and task.cancelled
    assert time.monotonic() - delay[0] < 5
    if not early:
        canceller.join()


def test_a_check_in_another_thread_than_the_main_one():
    reports = []
    worker = threading.Thread(target=lambda: reports.append(vaa.check(RECORDS, threads=2)))
    worker.start()
    worker.join()
    assert reports[0].to_json() == vaa.check(RECORDS).to_json()


def test_an_exception_of_the_progress_function_ends_the_check(endless):
    def progress(task):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        vaa.check(endless, progress=progress)


def test_the_gil_is_free_while_a_sample_is_judged():
    sample, tally, count = vaa.Sample(text=LONG * 4), vaa.Checker().tally(), 0
    worker = threading.Thread(target=lambda: [tally.push(sample) for _ in range(4)])
    worker.start()
    while worker.is_alive():
        count += 1
    assert count > 1000


def test_one_checker_in_many_threads_and_one_tally_too():
    checker = vaa.Checker()
    shared = checker.tally()
    texts = ["", "It is well.", "so " * 500, "a\x00b", None]
    expected = [checker.check_sample(vaa.Sample(text=t)).flags for t in texts]
    faults = []

    def work(number):
        own = checker.tally()
        for i in range(60):
            k = (number + i) % len(texts)
            sample = vaa.Sample(text=texts[k])
            if own.push(sample).flags != expected[k] or own.result(sample).flags != expected[k]:
                faults.append(k)
            shared.push(sample)

    workers = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not faults and shared.report().number("/counts/samples") == 16 * 60


def test_one_sample_in_many_threads_is_never_torn():
    sample = vaa.Sample()
    faults = []

    def work(letter):
        for size in range(300):
            sample["output.text"] = letter * (size * 50)
            got = sample.get("output.text")
            if len(set(got)) > 1:
                faults.append(got[:9])

    workers = [threading.Thread(target=work, args=(letter,)) for letter in "abcd"]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not faults


def test_errors_in_64_threads_keep_apart():
    faults = []

    def work(number):
        for i in range(50):
            try:
                vaa.Records(f"/no/such/{number}/{i}")
                faults.append("no error")
            except vaa.Error as error:
                if f"/no/such/{number}/{i}" not in error.message or error.status != 3:
                    faults.append(error.message)

    workers = [threading.Thread(target=work, args=(n,)) for n in range(64)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert not faults


def test_a_child_of_fork_checks_after_its_parent_did():
    checker = vaa.Checker()
    before = vaa.check(RECORDS, threads=3).to_json()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        good = vaa.check(RECORDS, threads=3).to_json() == before and "empty" in checker.check_sample(vaa.Sample(text="")).flags
        os.write(writing, b"y" if good else b"n")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 1) == b"y"
    os.close(reading)
    os.close(writing)


def resident():
    """Bytes of memory in use."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat_over_10000_failures_and_results():
    sample, tally = vaa.Sample(text="so " * 500), vaa.Checker().tally(max_rows=0)

    def round_of(count):
        for _ in range(count):
            with pytest.raises(vaa.Error):
                vaa.check("/no/such/run")
            with pytest.raises(vaa.Error):
                vaa.Checker(flags=["nonsense"])
            with pytest.raises(vaa.Error):
                sample["output.txt"] = "a"
            tally.push(sample)
            tally.result(sample)
            vaa.check_text("so " * 300)

    round_of(1000)
    before = resident()
    round_of(5000)
    assert resident() - before < 8 << 20
