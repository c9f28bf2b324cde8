"""Text out of the files of packages: HTML and manual pages as a person reads them, everything else as it stands."""
import html.parser
import re

BLOCKS = {"p", "div", "section", "article", "header", "table", "ul", "ol", "dl", "dd", "dt", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}


class Reader(html.parser.HTMLParser):
    """HTML to Markdown-like text: headings, list marks, fenced <pre>, table rows with bars."""

    def __init__(self):
        super().__init__()
        self.out, self.hidden, self.pre = [], 0, 0

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "head"):
            self.hidden += 1
        elif tag == "pre":
            self.pre += 1
            self.out.append("\n\n```\n")
        elif tag in BLOCKS:
            self.out.append("\n\n" + "#" * int(tag[1]) + " " if re.fullmatch("h[1-6]", tag) else "\n\n")
        elif tag == "li":
            self.out.append("\n- ")
        elif tag == "tr":
            self.out.append("\n")
        elif tag in ("td", "th"):
            self.out.append(" | ")
        elif tag == "br":
            self.out.append("\n")

    def handle_endtag(self, tag):
        if tag in ("script", "style", "head"):
            self.hidden = max(0, self.hidden - 1)
        elif tag == "pre":
            self.pre = max(0, self.pre - 1)
            self.out.append("\n```\n\n")

    def handle_data(self, data):
        if not self.hidden:
            self.out.append(data if self.pre else re.sub(r"\s+", " ", data))


def from_html(text: str) -> str:
    reader = Reader()
    reader.feed(text)
    lines = (line.strip() if not line.startswith("    ") else line.rstrip() for line in "".join(reader.out).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def from_roff(text: str) -> str:
    """A manual page without its macros; paragraphs end where a macro begins one."""
    lines = []
    for line in text.split("\n"):
        if line.startswith((".\\\"", "'")):
            continue
        if line.startswith("."):
            macro, _, rest = line[1:].partition(" ")
            if macro in ("SH", "SS", "Sh", "Ss"):
                lines += ["", "## " + rest.strip('"'), ""]
            elif macro in ("PP", "P", "LP", "TP", "IP", "Pp", "It", "sp"):
                lines.append("")
            elif macro in ("B", "I", "BR", "RB", "IR", "BI", "Fl", "Ar", "Nm", "Xr", "Nd"):
                lines.append(rest.replace('"', ""))
            continue
        lines.append(line)
    body = "\n".join(lines)
    body = re.sub(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\&|\\[|/,^)]|\\s[-+]?\d", "", re.sub(r"\\\[(\w\w)\]", r"\\(\1", body))
    for mark, plain in (("\\-", "-"), ("\\(aq", "'"), ("\\(dq", '"'), ("\\(em", "—"), ("\\(bu", "•"), ("\\e", "\\"), ("\\ ", " "), ("\\(co", "©")):
        body = body.replace(mark, plain)
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def from_xml(text: str) -> str:
    """Mallard and DocBook pages: their words, a paragraph a line."""
    text = re.sub(r"<\?.*?\?>|<!--.*?-->|<info>.*?</info>", "", text, flags=re.S)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"</?(?:p|title|item|section|steps|list|note|td|tr|table|page|terms)\b[^>]*>", "\n\n", text)
    text = re.sub(r"<[^>]+>", "", text)
    for mark, plain in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(mark, plain)
    return re.sub(r"\s*\n\s*", "\n\n", text).strip()


def text_of(name: str, data: bytes) -> str:
    """The text of a file by its name; empty where it is not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    if "\0" in text:
        return ""
    text = re.sub(r"\x1b\[[\d;]*m", "", text)  # colours
    name = name[:-3] if name.endswith(".gz") else name
    if name.endswith((".html", ".htm", ".xhtml")):
        return from_html(text).split("### Help content debug info")[0]  # the same end under every page of LibreOffice's help
    if re.search(r"/man\d/", name):
        return "" if text.startswith(".so") else from_roff(text)
    if name.endswith(".page"):
        return from_xml(text)
    return text
