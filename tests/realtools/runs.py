"""The stored runs: what each plants, which tool makes it, and how it becomes a folder of examples/data.

    python3 runs.py WORK DATA [NAME…]

WORK is the folder that make.sh prepared (venv-ais, venv-lm), DATA where the runs go, NAME which of RUNS to make.
"""
import datetime
import json
import os
import shutil
import subprocess
import sys

import planted
import questions
import server

PORT = 8000
SUM_SETS = {"gsm8k": (0, 60), "gsm8k_short": (0, 40), "gsm8k_tiny": (0, 20), "gsm8k_extra": (44, 8)}
AIS_VERSION, LM_VERSION = "3.1.20260630", "0.4.13"

MODEL = """from ais_bench.benchmark.models import {cls}
from ais_bench.benchmark.utils.postprocess.model_postprocessors import extract_non_reasoning_content

models = [
    dict(
        attr="service",
        type={cls},
        abbr="{abbr}",
        path="",
        model="{model}",
        stream={stream},
        request_rate=0,
        use_timestamp=False,
        retry=2,
        api_key="",
        host_ip="127.0.0.1",
        host_port={port},
        url="",
        max_out_len={max_out_len},
        batch_size=4,
        trust_remote_code=False,
        generation_kwargs=dict({kwargs}),
        pred_postprocessor=dict(type=extract_non_reasoning_content),
    )
]
"""

SUMS_CHAT = """from ais_bench.benchmark.openicl.icl_prompt_template import PromptTemplate
from ais_bench.benchmark.openicl.icl_retriever import ZeroRetriever
from ais_bench.benchmark.openicl.icl_inferencer import GenInferencer
from ais_bench.benchmark.datasets import GSM8KDataset, gsm8k_postprocess, gsm8k_dataset_postprocess, Gsm8kEvaluator

{abbr}_datasets = [
    dict(
        abbr='{abbr}',
        type=GSM8KDataset,
        path='{path}',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template={template}),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer)),
        eval_cfg=dict(evaluator=dict(type=Gsm8kEvaluator),
                      pred_postprocessor=dict(type=gsm8k_postprocess),
                      dataset_postprocessor=dict(type=gsm8k_dataset_postprocess)))
]
"""
TEMPLATES = {      # the first and the third are AISBench's own wordings
    "line": """dict(round=[dict(role='HUMAN', prompt='Answer the following question.The last line of the response should follow this format: "answer:$ANSWER" (without quotes), where ANSWER is a number. Let\\'s think step by step.\\n\\nQuestion: {question}')])""",
    "boxed": """dict(round=[dict(role='HUMAN', prompt='{question}\\nPlease reason step by step, and put your final answer within \\\\boxed{}.')])""",
    "plain": """"Question: {question}\\nLet's think step by step\\nAnswer:\"""",
}

CEVAL = """from ais_bench.benchmark.openicl.icl_prompt_template import PromptTemplate
from ais_bench.benchmark.openicl.icl_retriever import ZeroRetriever
from ais_bench.benchmark.openicl.icl_inferencer import GenInferencer
from ais_bench.benchmark.openicl.icl_evaluator import AccEvaluator
from ais_bench.benchmark.datasets import CEvalDataset
from ais_bench.benchmark.utils.postprocess.text_postprocessors import last_option_postprocess

ceval_datasets = []
for _name, _title in {subjects}:
    ceval_datasets.append(dict(
        type=CEvalDataset,
        path='{path}',
        name=_name,
        abbr='ceval-' + _name,
        reader_cfg=dict(input_columns=['question', 'A', 'B', 'C', 'D'], output_column='answer',
                        train_split='dev', test_split='val'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[
                dict(role='HUMAN', prompt=f'以下是中国关于{{_title}}考试的单项选择题，请选出其中的正确答案。回答的最后一行应采用以下格式：”answer:$LETTER“（不带引号），其中LETTER 是ABCD之一。回答之前先一步步思考。\\n\\n{{{{question}}}}\\nA. {{{{A}}}}\\nB. {{{{B}}}}\\nC. {{{{C}}}}\\nD. {{{{D}}}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer)),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator),
                      pred_postprocessor=dict(type=last_option_postprocess, options='ABCD'))))
"""

GROUPS = """ceval_summary_groups = [
    dict(name='ceval-stem', subsets=['ceval-computer_network', 'ceval-high_school_physics']),
    dict(name='ceval-humanities', subsets=['ceval-high_school_history', 'ceval-logic']),
    dict(name='ceval', subsets=['ceval-computer_network', 'ceval-high_school_physics',
                                'ceval-high_school_history', 'ceval-logic']),
]
summarizer = dict(attr='accuracy', summary_groups=ceval_summary_groups)
"""
PLAIN = "summarizer = dict(attr='accuracy', summary_groups=[])\n"     # the stock one puts 80 kB of groups into each config

LM_TASK = """task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    train: {path}/train.jsonl
    test: {path}/test.jsonl
output_type: generate_until
fewshot_split: train
test_split: test
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
    ignore_punctuation: false
    regexes_to_ignore:
      - ","
      - "\\\\$"
      - "(?s).*#### "
      - "\\\\.$"
generation_kwargs:
  until:
    - "Question:"
    - "</s>"
    - "<|im_end|>"
  do_sample: false
  temperature: 0.0
repeats: {repeats}
num_fewshot: 2
filter_list:
  - name: "strict-match"
    filter:
      - function: "regex"
        regex_pattern: "#### (\\\\-?[0-9\\\\.\\\\,]+)"
      - function: "take_first"
  - name: "flexible-extract"
    filter:
      - function: "regex"
        group_select: -1
        regex_pattern: "(-?[$0-9.,]{{2,}})|(-?[0-9]+)"
      - function: "take_first"
metadata:
  version: 3.0
"""

LM_CLOZE = """task: cloze_local
dataset_path: json
dataset_kwargs:
  data_files:
    test: {path}
output_type: multiple_choice
test_split: test
doc_to_text: "{{{{query}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: gold
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""


def spread(total, **kinds):
    """`total` lists of kinds: the counted kinds far apart and in a fixed order, the others good."""
    todo = [kind if isinstance(kind, list) else [kind] for kind, count in kinds.pop("also", []) for _ in range(count)]
    todo += [[kind] for kind, count in kinds.items() for _ in range(count)]
    plan, place = [["good"]] * total, 3 % total
    for kind in todo:
        while plan[place] != ["good"]:
            place = (place + 1) % total
        plan[place], place = kind, (place + 17) % total
    return plan


AIS_FLAGS = ["--mode", "all", "--dump-eval-details", "--num-warmups", "0"]    # a warm-up asks the first question twice
SAMPLING = "temperature=0.6, top_p=0.95, ignore_eos=False"
RUNS = {
    "aisbench_low_score": dict(
        tool="ais", what="a low score of which most is breakage, as an engine fault gives it", stock=True,
        sets={"gsm8k": "line"}, plan={"gsm8k": spread(
            60, loop=6, unclosed=4, unclosed_right=1, garbled=3, garbled_right=1, empty=2, cut=3, leak=1, not_extracted=2,
            http500=2, wrong=4, think=14)}),
    "aisbench_gsm8k_chat": dict(
        tool="ais", what="every kind of breakage that a chat run without a reasoning parser can show",
        sets={"gsm8k": "line"}, plan={"gsm8k": spread(
            60, wrong=4, loop=5, loop_inside=1, unclosed=3, unclosed_right=1, unclosed_loop=1, garbled=3, garbled_right=1,
            control=1, nonchar=1, empty=2, blank=1, null=1, think_only=1, error200=1, cut=4, leak=2, leak_wrong=1,
            not_extracted=2, no_final=1, http500=2, disconnect=1, think=5, orphan=2)}),
    "aisbench_gsm8k_stream": dict(
        tool="ais", what="streamed, a server with a reasoning parser, broken streams", stream=True, reasoning_parser=True,
        sets={"gsm8k_short": "line"}, plan={"gsm8k_short": spread(
            40, also=[(["stream_abort", "good"], 2)], think=12, think_only=1, unclosed=2, unclosed_right=1, unclosed_loop=1,
            loop=2, cut=1, garbled=1, empty=1, wrong=2, stream_no_done=2, stream_error=2, stream_abort=1,
            stream_bad_json=1, http500=1)}),
    "aisbench_gsm8k_repeats": dict(
        tool="ais", what="three answers to each question", repeats=3, sets={"gsm8k_tiny": "boxed"},
        plan={"gsm8k_tiny": spread(20, also=[
            (["good", "loop", "good"], 2), (["wrong", "good", "good"], 3), (["empty", "good", "unclosed"], 1),
            (["good", "good", "garbled"], 1), (["loop", "loop", "good"], 1), (["wrong"], 2), (["leak", "good", "cut"], 1),
            (["no_final", "good", "not_extracted"], 1)])}),
    "aisbench_gsm8k_repeats_failed": dict(
        tool="ais", what="three answers to each question, of which some requests failed", repeats=3,
        sets={"gsm8k_tiny": "boxed"}, plan={"gsm8k_tiny": spread(20, also=[
            (["good", "http500", "good"], 1), (["http500"], 1), (["wrong", "loop", "good"], 2)])}),
    "aisbench_gsm8k_completions": dict(
        tool="ais", what="the completions endpoint", chat=False, sets={"gsm8k_short": "plain"},
        plan={"gsm8k_short": spread(40, wrong=3, loop=3, cut=2, empty=1, garbled=1, leak=1, unclosed=1, http500=1)}),
    "aisbench_gsm8k_healthy": dict(
        tool="ais", what="nothing is broken, five answers are wrong", sets={"gsm8k": "line"},
        plan={"gsm8k": spread(60, wrong=5, think=20)}),
    "aisbench_gsm8k_cut": dict(
        tool="ais", what="mass truncation at max_out_len 96", max_out_len=96, sets={"gsm8k": "boxed"},
        plan={"gsm8k": spread(60, cut=34, wrong=2)}),
    "aisbench_ceval": dict(
        tool="ais", what="four subjects and their groups, in Chinese", sets={"ceval": "letter"},
        plan={"ceval-computer_network": spread(8, wrong=1, loop=1), "ceval-high_school_physics": spread(8, not_extracted=1),
              "ceval-high_school_history": spread(8, wrong=2, garbled=1, http500=1),
              "ceval-logic": spread(8, think=3, unclosed_loop=1, empty=1)}),
    "aisbench_one_failed": dict(
        tool="ais", what="every request of one of two datasets failed",
        sets={"gsm8k_tiny": "line", "gsm8k_extra": "line"},
        plan={"gsm8k_tiny": spread(20, wrong=2), "gsm8k_extra": [["disconnect"]] * 4 + [["http500"]] * 4}),
    "lm_eval_gsm8k_chat": dict(
        tool="lm", what="the chat endpoint", sets={"gsm8k_short": "hash"},
        plan={"gsm8k_short": spread(40, wrong=3, loop=3, unclosed=2, unclosed_right=1, garbled=2, control=1,
                                    empty=1, null=1, error200=1, cut=2, leak=1, not_extracted=2, no_final=1, orphan=1,
                                    think=3)}),
    "lm_eval_gsm8k_completions": dict(
        tool="lm", what="the completions endpoint, prompts as text", chat=False, sets={"gsm8k_short": "hash"},
        plan={"gsm8k_short": spread(40, wrong=3, loop=3, unclosed_loop=1, garbled=1, empty=2, cut=2, leak_wrong=1,
                                    nonchar=1, not_extracted=2, think=2, orphan=2)}),
    "lm_eval_gsm8k_repeats": dict(
        tool="lm", what="three answers to each question, different ones", repeats=3, sets={"gsm8k_tiny": "hash"},
        plan={"gsm8k_tiny": spread(20, also=[
            (["good", "loop", "good"], 2), (["wrong", "good", "good"], 2), (["good", "empty", "garbled"], 1),
            (["loop", "unclosed", "good"], 1)])}),
    "lm_eval_gsm8k_same_repeats": dict(
        tool="lm", what="three answers to each question, all alike: the server honours lm-eval's fixed seed", repeats=3,
        same_repeats=True, sets={"gsm8k_tiny": "hash"}, plan={"gsm8k_tiny": spread(20, wrong=3, loop=1)}),
    "aisbench_lost": dict(
        tool="ais", what="half a surrogate pair in two answers, and the tool wrote none of the twenty", lost=True,
        sets={"gsm8k_tiny": "line"}, plan={"gsm8k_tiny": spread(20, surrogate=2)}),
    "lm_eval_lost": dict(
        tool="lm", what="half a surrogate pair in two answers, and the tool wrote none of the twenty", lost=True,
        sets={"gsm8k_tiny": "hash"}, plan={"gsm8k_tiny": spread(20, surrogate=2)}),
    "lm_eval_cloze": dict(tool="lm", what="loglikelihood of four choices, completions with echo", chat=False, sets={},
                          plan={}),
}


def items_of(run):
    """The server's plan and, in the same order, which (dataset, id) each item is."""
    items, names = [], []
    for dataset, kinds in run["plan"].items():
        if dataset.startswith("ceval-"):
            rows, form = questions.exam(dataset[6:]), "letter"
        else:
            first, count = SUM_SETS[dataset]
            rows, form = questions.sums()[first:first + count], run["sets"][dataset]
        for place, (row, kind) in enumerate(zip(rows, kinds)):
            items.append({"key": row["question"], "ending": "line" if form == "plain" else form, "steps": row["steps"],
                          "answer": row["answer"], "wrong": row["wrong"], "kinds": kind})
            names.append((dataset, place))
    if not items:       # the cloze task: keys are the endings that the server likes, three of them wrong
        items = [{"key": q + " " + c[(g + 1) % 4 if n in (2, 5, 9) else g]} for n, (q, c, g) in enumerate(questions.CLOZE)]
    return items, names


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def ais_command(run, work):
    chat, stream = run.get("chat", True), run.get("stream", False)
    kwargs = SAMPLING + (", num_return_sequences=%d" % run["repeats"] if "repeats" in run else "")
    model = ("vllm_api_stream_chat" if stream else "vllm_api_general_chat") if chat else "vllm_api_general"
    write(work + "/cfg/models/%s.py" % model, MODEL.format(
        cls="VLLMCustomAPIChat" if chat else "VLLMCustomAPI", abbr=model.replace("_", "-"), model="", stream=stream,
        port=PORT, max_out_len=run.get("max_out_len", 512), kwargs=kwargs))
    for name, form in run["sets"].items():
        if name == "ceval":
            subjects = [(subject, title[0]) for subject, title in questions.SUBJECTS.items()]
            write(work + "/cfg/datasets/ceval.py", CEVAL.format(path=work + "/data/ceval", subjects=subjects))
        else:
            write(work + "/cfg/datasets/%s.py" % name,
                  SUMS_CHAT.format(abbr=name, path=work + "/data/" + name, template=TEMPLATES[form]))
    command = ["venv-ais/bin/ais_bench", "--models", model, "--datasets", *run["sets"], *AIS_FLAGS, "--config-dir", "cfg",
               "--work-dir", "outputs"]
    if run.get("stock"):
        return command
    write(work + "/cfg/summarizers/small.py", GROUPS if "ceval" in run["sets"] else PLAIN)
    return command + ["--summarizer", "small"]


def lm_command(run, work):
    chat, base = run.get("chat", True), "http://127.0.0.1:%d/v1/" % PORT
    if run["sets"]:
        (name, _), = run["sets"].items()
        task = "gsm8k_local"
        write(work + "/tasks/gsm8k_local.yaml",
              LM_TASK.format(task=task, path=work + "/data/" + name, repeats=run.get("repeats", 1)))
        tokens = ",tokenized_requests=False,tokenizer_backend=None"
    else:
        task, tokens = "cloze_local", ",tokenizer_backend=remote"
        write(work + "/tasks/cloze_local.yaml", LM_CLOZE.format(path=work + "/data/cloze.jsonl"))
    arguments = "model=toy-8b,base_url=%s%s,num_concurrent=4%s" % (
        base, "chat/completions" if chat else "completions", tokens)
    command = ["venv-lm/bin/lm_eval", "--model", "local-chat-completions" if chat else "local-completions",
               "--model_args", arguments, "--include_path", "tasks", "--tasks", task, "--log_samples", "--output_path",
               "outputs"]
    if "repeats" in run:
        command += ["--gen_kwargs", "temperature=0.6,top_p=0.95,do_sample=True"]
    return command + (["--apply_chat_template"] if chat else [])


def make(name, work, data):
    run = RUNS[name]
    for folder in ("cfg", "tasks", "outputs"):
        shutil.rmtree(os.path.join(work, folder), ignore_errors=True)
    items, names = items_of(run)
    plan = {"model": "toy-8b", "reasoning_parser": run.get("reasoning_parser", False),
            "same_repeats": run.get("same_repeats", False), "items": items}
    command = (ais_command if run["tool"] == "ais" else lm_command)(run, work)
    log = os.path.join(work, "served.jsonl")
    running = server.serve(plan, PORT, log)
    try:
        with open(os.path.join(work, name + ".out"), "w", encoding="utf-8") as out:
            code = subprocess.run(command, cwd=work, stdout=out, stderr=subprocess.STDOUT, check=False,
                                  env={**os.environ, "HF_HOME": work + "/hf", "COLUMNS": "120"}).returncode
    finally:
        running.shutdown()
        running.server_close()
    folders = os.listdir(os.path.join(work, "outputs"))
    if code or len(folders) != 1:
        raise SystemExit("%s: exit code %d, see %s/%s.out" % (name, code, work, name))
    target = os.path.join(data, name)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(os.path.join(work, "outputs", folders[0]), os.path.join(target, "run", folders[0]),
                    ignore=None if run.get("stock") else shutil.ignore_patterns("logs"))
    with open(log, encoding="utf-8") as lines:
        served = [json.loads(line) for line in lines]
    rows = planted.rows(run, names, served, os.path.join(target, "run", folders[0]))
    with open(os.path.join(target, "planted.json"), "w", encoding="utf-8") as out:
        out.write("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
    shown = " ".join(word if word.replace("-", "").isalnum() or "{" not in word else "'%s'" % word for word in command)
    tool = "ais-bench-benchmark " + AIS_VERSION if run["tool"] == "ais" else "lm_eval " + LM_VERSION
    write(os.path.join(target, "PROVENANCE.md"), planted.provenance(
        name, run["what"], tool, shown, datetime.date.today().isoformat(), rows,
        "nothing" if run["tool"] == "lm" or run.get("stock") else "nothing, but the folder logs/ was left out"))


def main():
    work, data, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:] or list(RUNS)
    questions.write_all(os.path.join(work, "data"), SUM_SETS)
    for name in names:
        make(name, work, data)
        print("made", name, flush=True)


if __name__ == "__main__":
    main()
