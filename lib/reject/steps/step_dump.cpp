#include "reject/steps/step_dump.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/failure.h"

namespace vaa {
namespace {

static_assert(std::endian::native == std::endian::little, "dumps are little-endian");

constexpr std::string_view kMagic = "vaasteps";
constexpr size_t kMostHeader = size_t{64} << 10;
constexpr size_t kMostRecord = size_t{1} << 30;

// Numbers one behind the other; false where there are too few bytes left.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  bool number(T* out) {
    if (bytes_.size() < sizeof(T)) return false;
    std::memcpy(out, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return true;
  }
  template <class T>
  bool numbers(size_t n, std::vector<T>* out) {
    if (n > bytes_.size() / sizeof(T)) return false;
    out->resize(n);
    if (n > 0) std::memcpy(out->data(), bytes_.data(), n * sizeof(T));
    bytes_.remove_prefix(n * sizeof(T));
    return true;
  }
  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

// A STEP record in memory.
struct Step {
  uint32_t rows = 0, drafts = 0, ids = 0, fields = 0;
  std::vector<int64_t> request;
  std::vector<int32_t> position, draft, id, argmax;
  std::vector<float> temperature, p, q, entropy;
  std::vector<uint8_t> draft_count, id_count;
  std::vector<size_t> draft_at, id_at;

  bool read(std::string_view payload) {
    Fields in(payload);
    const bool sized = in.number(&rows) && in.number(&drafts) && in.number(&ids) && in.number(&fields) && in.numbers(rows, &request) && in.numbers(rows, &position) && in.numbers(rows, &temperature) &&
                       in.numbers(rows, &draft_count) && in.numbers(rows, &id_count) && in.numbers(drafts, &draft) && in.numbers(ids, &id);
    const auto with = [&](uint32_t bit) { return fields & bit ? drafts : 0; };
    return sized && fields < 16 && in.numbers(with(StepRow::kP), &p) && in.numbers(with(StepRow::kQ), &q) && in.numbers(with(StepRow::kArgmax), &argmax) && in.numbers(with(StepRow::kEntropy), &entropy) &&
           in.left() == 0 && place();
  }
  // Where each row begins; false where the counts do not add up.
  bool place() {
    draft_at.assign(1, 0), id_at.assign(1, 0);
    for (size_t i = 0; i < rows; ++i) {
      draft_at.push_back(draft_at.back() + draft_count[i]);
      id_at.push_back(id_at.back() + id_count[i]);
    }
    return draft_at.back() == drafts && id_at.back() == ids;
  }
  StepRow row(size_t i) const {
    const size_t d = draft_at[i], n = draft_count[i];
    const auto of = [&](const auto& values, uint32_t bit) { return fields & bit ? std::span(values).subspan(d, n) : std::span(values).first(0); };
    return {request[i], position[i], temperature[i], std::span(draft).subspan(d, n), std::span(id).subspan(id_at[i], id_count[i]), of(p, StepRow::kP), of(q, StepRow::kQ), of(entropy, StepRow::kEntropy),
            of(argmax, StepRow::kArgmax), static_cast<uint8_t>(fields)};
  }
};

// A ROWS record in memory, where numbers are aligned.
struct Full {
  uint32_t row = 0, drafts = 0, vocab = 0, fields = 0;
  std::vector<double> p, q, uniforms, noise;
  std::vector<float> single;

  bool floats(size_t n, Fields* in, std::vector<double>* out) {
    if (!in->numbers(n, &single)) return false;
    out->assign(single.begin(), single.end());
    return true;
  }
  bool read(std::string_view payload) {
    Fields in(payload);
    if (!in.number(&row) || !in.number(&drafts) || !in.number(&vocab) || !in.number(&fields) || fields >= 16 || drafts > 255 || vocab > 1u << 24) return false;
    const size_t of_drafts = size_t{drafts} * vocab;
    return floats(of_drafts + (fields & 1 ? 0 : vocab), &in, &p) && floats(fields & 2 ? of_drafts : 0, &in, &q) && in.numbers(fields & 4 ? drafts : 0, &uniforms) &&
           in.left() % sizeof(double) == 0 && in.numbers(fields & 8 ? in.left() / sizeof(double) : 0, &noise) && in.left() == 0;
  }
  FullRows rows() const { return {p, q, vocab, uniforms, noise}; }
};

class Dump {
 public:
  Dump(ByteWindow* window, const std::string& path, StepAudit* audit, Task* task) : window_(window), path_(path), audit_(audit), task_(task) {}

  // False: the text has fewer bytes left.
  bool fill(size_t n) {
    const int64_t before = window_->source().done();
    while (window_->bytes().size() < n && window_->more()) {
      if (task_) task_->check();
    }
    if (task_) task_->done += window_->source().done() - before;
    return window_->bytes().size() >= n;
  }

  void read(const std::string& server) {
    if (!fill(kMagic.size() + 4)) fail(VAA_ERROR_FORMAT, path_ + ": ends before the header of a dump of steps");
    uint32_t bytes = 0;
    std::memcpy(&bytes, window_->bytes().data() + kMagic.size(), 4);
    window_->take(kMagic.size() + 4);
    if (bytes > kMostHeader || !fill(bytes)) fail(VAA_ERROR_FORMAT, path_ + ": the header of the dump of steps says " + std::to_string(bytes) + " bytes, allowed are 65536 that are there");
    group_ = audit_->group_of(dump_header(window_->bytes().substr(0, bytes), path_, server));
    window_->take(bytes);
    while (record()) {
    }
  }

 private:
  std::string here() const { return path_ + ": at byte " + std::to_string(window_->offset()); }

  bool record() {
    if (task_) task_->check();
    if (!fill(8)) {
      if (!window_->bytes().empty()) audit_->count_cut(here());
      return false;
    }
    const std::string kind(window_->bytes().substr(0, 4));
    uint32_t bytes = 0;
    std::memcpy(&bytes, window_->bytes().data() + 4, 4);
    const bool letters = std::all_of(kind.begin(), kind.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!letters || bytes > kMostRecord) {
      audit_->count_damaged(here());
      return false;
    }
    if (!fill(size_t{8} + bytes)) {
      audit_->count_cut(here());
      return false;
    }
    take(kind, window_->bytes().substr(8, bytes));
    window_->take(size_t{8} + bytes);
    return true;
  }

  void take(const std::string& kind, std::string_view payload) {
    if (kind == "STEP") {
      there_ = step_.read(payload);
      if (!there_) return audit_->count_bad(here() + ": the counts of a step do not make its bytes");
      for (size_t i = 0; i < step_.rows; ++i) audit_->add_or_count(step_.row(i), here(), group_);
    } else if (kind == "ROWS") {
      if (!full_.read(payload)) return audit_->count_bad(here() + ": the counts of full rows do not make their bytes");
      if (!there_ || full_.row >= step_.rows || full_.drafts != step_.draft_count[full_.row]) return audit_->count_bad(here() + ": full rows of no row of the step before them");
      audit_->add_full_or_count(step_.row(full_.row), full_.rows(), here(), group_);
    } else {
      audit_->count_unknown();
    }
  }

  ByteWindow* window_;
  const std::string& path_;
  StepAudit* audit_;
  StepGroup* group_ = nullptr;
  Task* task_;
  Step step_;
  Full full_;
  bool there_ = false;  // a step to which full rows can belong
};

}  // namespace

StepHeader dump_header(std::string_view text, const std::string& path, const std::string& server) {
  try {
    StepHeader out = step_header(text, "header");
    if (!server.empty()) out.server = server;
    return out;
  } catch (const Failure& failure) {
    fail(VAA_ERROR_FORMAT, path + ": " + failure.message());
  }
}

bool is_step_dump(std::string_view head) {
  if (head.substr(0, kMagic.size()) == kMagic) return true;
  const size_t first = std::min(head.find_first_not_of(" \t\r\n"), head.size());
  const std::string_view line = head.substr(first, head.find('\n', first) - first);
  return !line.empty() && line[0] == '{' && line.find("\"vaa.steps/") != std::string_view::npos;
}

void read_step_dump(ByteWindow* window, const std::string& path, const std::string& server, StepAudit* audit, Task* task) {
  if (window->bytes().substr(0, kMagic.size()) != kMagic) return read_step_lines(window, path, server, audit, task);
  Dump(window, path, audit, task).read(server);
}

}  // namespace vaa
