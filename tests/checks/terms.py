"""One Chinese word for one term, in the reports' words and the Chinese pages: names what stands for it elsewhere."""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
# The term, the word for it, what else it might be called.
TERMS = [
    ("score", "得分", r"分数"),
    ("flag", "标记", r"标志"),
    ("token", "词元", r"令牌|(?<=[\u4e00-\u9fff]) ?\btoken\b(?![-_`])"),
    ("undecided", "尚无定论", r"未定(?!义)"),
    ("near tie", "近似并列", r"平局"),
    ("chat template", "对话模板", r"聊天模板"),
    ("stop string", "停止串", r"停止字符串"),
]
# Words that detectors look for in answers, which people write as they like.
LOOKED_FOR = {"language_names.cpp"}


def main() -> int:
    faults = 0
    pages = [path for path in (ROOT / "lib").rglob("*") if path.suffix in (".h", ".cpp") and path.name not in LOOKED_FOR]
    for path in sorted([*pages, *(ROOT / "bindings" / "python").rglob("*.py"), ROOT / "README.zh-CN.md", *(ROOT / "docs").glob("*.zh-CN.md")]):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for term, word, others in TERMS:
                for found in re.finditer(others, line):
                    print(f"{path.relative_to(ROOT)}:{number}: {found[0].strip()}: {term} is {word}")
                    faults += 1
    print(f"{len(TERMS)} terms, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
