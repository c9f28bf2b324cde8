// Pages, logs and answers of any bytes: what is no evidence is counted, a log says the same in pieces of any size, and a report is made whatever came.
#include <cmath>
#include <string>
#include <string_view>

#include "base/failure.h"
#include "must.h"
#include "records/sample.h"
#include "reject/reject_audit.h"
#include "reject/page_cutter.h"
#include "report/document.h"

using namespace vaa;

namespace {

void push_page(RejectAudit* audit, std::string_view page, double time_s) {
  try {
    audit->scrapes().push("", page, time_s);
  } catch (const Failure& failure) {
    VAA_MUST(failure.status() == VAA_ERROR_FORMAT);
  }
}

// A series in one file: every page that is cut out of it is a page or refused.
void push_pages(RejectAudit* audit, std::string_view text) {
  PageCutter cutter;
  CutPage page;
  size_t bytes = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    bytes += line.size() + 1;
    if (!cutter.line(line, &page)) continue;
    VAA_MUST(page.text.size() <= bytes);
    push_page(audit, page.text, page.time_s);
  }
  if (cutter.end(&page)) push_page(audit, page.text, page.time_s);
}

void push_log(RejectAudit* audit, std::string_view text) {
  LogLines pieces, whole;
  for (size_t at = 0; at < text.size(); at += 7) pieces.push("", text.substr(at, 7), false);
  pieces.push("", "", true);
  whole.push("", text, true);
  LogOddities a, b;
  VAA_MUST(pieces.series(&a).size() == whole.series(&b).size());
  VAA_MUST(a.lines == b.lines && a.readings == b.readings && a.bad == b.bad && a.duplicates == b.duplicates);
  audit->log().push("", text, true);
}

}  // namespace

// Pieces are divided by a NUL; the first byte of each says what it is.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  RejectAudit audit{RejectAuditOptions()};
  double time_s = 1787220000;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(piece.size() + 1, rest.size()));
    if (piece.empty()) continue;
    const std::string_view text = piece.substr(1);
    Sample sample;
    std::string why;
    if (piece[0] == 'P') push_page(&audit, text, time_s += 10);
    else if (piece[0] == 'S') push_pages(&audit, text);
    else if (piece[0] == 'R' && read_record(text, &sample, &why)) audit.samples().push(sample, Speculation::kNotRecorded);
    else push_log(&audit, text);
  }
  const Report report = audit.report();
  const Document document = Document::parse(report.json());
  bool failed = false;
  for (const Document& f : document.at("reject", "findings").items()) {
    failed = failed || f["status"].text() == "fail";
    if (f["p"].there()) VAA_MUST(f["p"].number() >= 0 && f["p"].number() <= 1);
    if (f["lower"].there()) VAA_MUST(f["lower"].number() <= f["upper"].number());
  }
  VAA_MUST(failed == (report.verdict() == Verdict::kFail));
  return 0;
}
