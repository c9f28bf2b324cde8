"""What the scripted model says: one function from (item, kind, variant) to a Reply. No state, no randomness.

An item is a dict of the plan: key, steps, answer, wrong, and `ending`, the form of the last line that the task's prompt
asks for. `variant` tells repeats of a question apart. Kinds and what each plants are the rows of KINDS.
"""
from dataclasses import dataclass

ENDINGS = {
    "line": "answer:{}",            # AISBench's stock prompt for gsm8k
    "boxed": "The answer is \\boxed{{{}}}.",
    "hash": "#### {}",              # the form of gsm8k's own worked answers
    "letter": "answer:{}",          # AISBench's stock prompt for C-Eval
}

OPENERS = ["Let me work through this step by step.", "We start from what is given.", "Take it one step at a time.",
           "First I write down what happens.", "The story gives three numbers; here is how they fit together.",
           "I go through the story in order."]
LINKS = ["Next, ", "Then, ", "After that, ", "Continuing, ", "Now, ", "From there, "]
OPENERS_ZH = ["先分析题意。", "逐项考虑各个选项。", "回忆相关的知识点。", "从定义出发来判断。"]

# Asides of somebody who thinks for too long. All different, so that a long answer is long and not a loop.
ASIDES = [
    "Before I write the result down, it is worth looking at the units once more.",
    "The story mentions a person, but the name plays no part in the sum.",
    "One could also draw a small table with one row for every event.",
    "A number line would show the same thing with less writing.",
    "If the order of the events were different, the sum would still be the same.",
    "Somebody in a hurry might subtract where an addition is meant.",
    "That would be easy to notice, because the result would look far too small.",
    "It helps to estimate first and to round every value to the nearest ten.",
    "The estimate lands close to the exact value, which is reassuring.",
    "Fractions do not appear anywhere, so whole numbers are enough.",
    "Nothing in the text says that anything is shared between several people.",
    "The word \"each\" is the hint that calls for a multiplication.",
    "The word \"left\" at the end would call for a subtraction.",
    "I prefer to name the value in the middle so that I can point at it later.",
    "With a calculator this takes a second, but the reasoning matters more.",
    "A teacher might ask why the first step comes before the second one.",
    "The reason is that the second step needs what the first one produces.",
    "Another way would be to work backwards from the end of the story.",
    "Working backwards gives an equation with a single unknown.",
    "Solving it for the unknown brings back exactly the same steps.",
    "Both ways agree, and that makes a slip less likely.",
    "Still, the digits should be compared one by one.",
    "The tens are fine, and so are the hundreds where there are any.",
    "Perhaps the largest number in the story deserves a second look.",
    "It is used only once, in the last step, as it should be.",
    "No value was left out, and none was taken twice.",
    "A friend could retell the story in other words and get this far too.",
    "Some books would present the whole thing as a single line with brackets.",
    "Brackets make the order visible, although they are harder to read aloud.",
    "Written out in words, the line becomes rather long.",
    "There is no hidden condition such as a discount or a fee.",
    "Time does not matter here, only amounts do.",
    "Colours, weekdays and places are decoration in this kind of exercise.",
    "Let me also think about whether the result can be this large at all.",
    "Compared with everyday experience it looks perfectly ordinary.",
    "A sceptic would now ask for a proof by a different route.",
    "Counting everything on fingers is possible but tiresome.",
    "Grouping by fives makes the counting faster and safer.",
    "Suppose the first value were one larger; the result would grow accordingly.",
    "That small experiment shows which operation is at work.",
    "Having said all this, the plan has not changed since the beginning.",
    "Only the last line of the answer is still to be written.",
    "For the sake of order I look at the question one final time.",
    "It asks for a single number without any unit attached.",
    "So the format of the last line is clear as well.",
    "Maybe a short remark about rounding belongs here, although nothing is rounded.",
    "In a longer exercise this would be the place for an intermediate summary.",
    "The summary would mention the given values and the one that is sought.",
]

LOOPS = ["Wait, let me check the sum once more. ", "Hmm, that does not look right, so I start again from the beginning.\n",
         "So the total is the same as before, and the total is the same as before, and ",
         "Step 1: read the question.\nStep 2: collect the numbers.\nStep 3: go back to step 1.\n"]
LOOPS_ZH = ["让我再检查一遍这道题目的选项。", "等等，这里似乎不对，我们重新分析一下题意。\n"]


@dataclass
class Reply:
    text: str = ""
    reasoning: str = None       # what stands between the think tags, None: the model did not think
    closed: bool = True         # the closing tag was written
    opened: bool = True         # the opening tag was written (not by the chat template)
    finish: str = "stop"
    endless: bool = False       # goes on until the limit: text is longer than any limit that is used
    content_null: bool = False
    fault: str = None           # http500, disconnect, error200, badbody, or one of the stream faults


def ending(item, value):
    return ENDINGS[item["ending"]].format(value)


def chinese(item):
    return item["ending"] == "letter"


def solution(item, value, variant):
    """An ordinary answer that ends in `value`."""
    seed = sum(map(ord, item["key"])) + variant
    if chinese(item):
        return "%s%s因此应选择这一项。\n%s" % (OPENERS_ZH[seed % len(OPENERS_ZH)], item["steps"][0], ending(item, value))
    steps = list(item["steps"])
    if value != item["answer"]:     # a wrong answer has its slip in the last step
        steps[-1] = steps[-1].replace(str(item["answer"]), str(value))
    lines = [OPENERS[seed % len(OPENERS)], steps[0]] + [LINKS[seed % len(LINKS)] + s[0].lower() + s[1:] for s in steps[1:]]
    return " ".join(lines) + "\n" + ending(item, value)


def thought(item, variant):
    seed = sum(map(ord, item["key"])) + variant
    if chinese(item):
        return "题目考查的是基本概念。" + item["steps"][0]
    return "The question wants one number. " + " ".join(item["steps"]) + " " + ASIDES[seed % len(ASIDES)]


def rambling(item, variant):
    """Goes on for about 700 tokens without saying anything twice."""
    seed = sum(map(ord, item["key"])) * 7 + variant * 11
    order = [ASIDES[(seed + 5 * i) % len(ASIDES)] for i in range(len(ASIDES))]
    return " ".join([OPENERS[seed % len(OPENERS)], item["steps"][0]] + order)


def loop_unit(item, variant):
    units = LOOPS_ZH if chinese(item) else LOOPS
    return units[(sum(map(ord, item["key"])) + variant) % len(units)]


def started(item, variant):
    opener = OPENERS_ZH if chinese(item) else OPENERS
    return opener[variant % len(opener)] + " " + item["steps"][0] + " "


def good(item, v):
    return Reply(solution(item, item["answer"], v))


def wrong(item, v):
    return Reply(solution(item, item["wrong"], v))


def think(item, v):
    return Reply("\n\n" + solution(item, item["answer"], v), thought(item, v))


def orphan(item, v):
    return Reply("\n\n" + solution(item, item["answer"], v), thought(item, v), opened=False)


def empty(item, v):
    return Reply("")


def blank(item, v):
    return Reply("\n\n \n")


def null(item, v):
    return Reply("", content_null=True)


def think_only(item, v):
    return Reply("", thought(item, v))


def cut(item, v):
    return Reply(rambling(item, v), endless=True)


def loop(item, v):
    return Reply(started(item, v) + loop_unit(item, v) * 400, endless=True)


def loop_inside(item, v):
    """Loops for a while, comes out of it and answers rightly."""
    unit = loop_unit(item, v)
    return Reply(started(item, v) + unit * max(12, 700 // len(unit)) + "\n" + solution(item, item["answer"], v))


def unclosed(item, v):
    """Thinks until the limit."""
    return Reply("", rambling(item, v), closed=False, endless=True)


def unclosed_right(item, v):
    """Never closes its thought, whose last number happens to be the right one."""
    return Reply("", thought(item, v) + " That makes %s" % item["answer"], closed=False)


def unclosed_loop(item, v):
    return Reply("", started(item, v) + loop_unit(item, v) * 400, closed=False, endless=True)


def garbled(item, v):
    """Bytes that the detokenizer could not join, in an answer that is wrong for it."""
    text = solution(item, item["wrong"], v)
    return Reply(text.replace(" the ", " th\ufffd\ufffd ", 2).replace("。", "\ufffd\ufffd。", 1).replace(". ", "\ufffd. ", 1))


def garbled_right(item, v):
    text = solution(item, item["answer"], v)
    return Reply(text[:20] + "\ufffd\ufffd" + text[20:])


def control(item, v):
    text = solution(item, item["answer"], v)
    return Reply(text[:24] + "\x1c\x1c" + text[24:])


def nonchar(item, v):
    text = solution(item, item["answer"], v)
    return Reply(text[:24] + "\ufdd0" + text[24:])


def surrogate(item, v):
    text = solution(item, item["answer"], v)
    return Reply(text[:24] + "\ud83d" + text[24:])


def leak(item, v):
    return Reply(solution(item, item["answer"], v) + "<|eot_id|>")


def leak_wrong(item, v):
    text = solution(item, item["wrong"], v)
    return Reply(text.replace(" ", " <|reserved_special_token_7|>", 1) if " " in text else "<|endoftext|>" + text)


def no_final(item, v):
    """Ends in peace without giving the answer."""
    return Reply(started(item, v) + ("综合以上分析即可得出结论。" if chinese(item) else
                                     "With that in hand the rest follows in the same way as before."))


def not_extracted(item, v):
    """The right answer in the form that was asked for, then a remark that the framework's rule trips over."""
    text = solution(item, item["answer"], v)
    if item["ending"] == "hash":        # strict-match wants "#### n"
        return Reply(text.replace("#### ", "Answer: "))
    return Reply(text + ("\n（注意与选项%s区分。）" % item["wrong"] if chinese(item) else "\nI checked this in 2 ways."))


def faulty(fault):
    def reply(item, v):
        return Reply(solution(item, item["answer"], v), fault=fault)
    return reply


# kind → (what it says, flags that must be found, flags that may be found as well). The part that depends on the tool is
# in planted.py.
KINDS = {
    "good": (good, [], []),
    "wrong": (wrong, [], []),
    "think": (think, [], []),
    "orphan": (orphan, ["think_orphan_close"], []),
    "empty": (empty, ["empty"], ["no_final_answer"]),
    "blank": (blank, ["empty"], ["no_final_answer"]),
    "null": (null, ["empty"], ["no_final_answer"]),
    "think_only": (think_only, ["empty"], ["no_final_answer"]),
    "cut": (cut, [], ["truncated", "no_final_answer"]),
    "loop": (loop, ["repetition_loop"], ["truncated", "no_final_answer"]),
    "loop_inside": (loop_inside, ["repetition_loop"], []),
    "unclosed": (unclosed, ["think_unclosed"], ["truncated", "no_final_answer"]),
    "unclosed_right": (unclosed_right, ["think_unclosed"], ["truncated", "no_final_answer"]),
    "unclosed_loop": (unclosed_loop, ["think_unclosed", "repetition_loop"], ["truncated", "no_final_answer"]),
    "garbled": (garbled, ["replacement_char"], []),
    "garbled_right": (garbled_right, ["replacement_char"], []),
    "control": (control, ["control_char"], []),
    "nonchar": (nonchar, ["invalid_unicode"], []),
    "surrogate": (surrogate, ["invalid_unicode"], []),
    "leak": (leak, ["special_token_leak"], []),
    "leak_wrong": (leak_wrong, ["special_token_leak"], []),
    "no_final": (no_final, [], ["no_final_answer"]),
    "not_extracted": (not_extracted, ["answer_not_extracted"], []),
    "http500": (faulty("http500"), [], []),
    "disconnect": (faulty("disconnect"), [], []),
    "error200": (faulty("error200"), ["empty"], ["no_final_answer"]),
    "badjson": (faulty("badjson"), [], []),
    "stream_no_done": (faulty("stream_no_done"), [], ["truncated", "no_final_answer"]),
    "stream_error": (faulty("stream_error"), [], ["truncated", "no_final_answer"]),
    "stream_abort": (faulty("stream_abort"), [], []),
    "stream_bad_json": (faulty("stream_bad_json"), [], []),
}


def say(item, kind, variant):
    return KINDS[kind][0](item, variant)
