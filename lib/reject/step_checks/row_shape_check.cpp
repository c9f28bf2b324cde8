// What ids alone say of a row (sampling.md §2.7): which ids it has, and that it is the accepted drafts and one token more.
#include <array>

#include "base/figures.h"
#include "reject/step_checks/step_checks.h"

namespace vaa {
namespace {

Both shape_words(RowShape shape) {
  switch (shape) {
    case RowShape::kEmpty: return {"empty: an id beyond the vocabulary is dropped by engines that parse rows (NaN logits: vllm#21876)", "为空：解析行时越界 id 会被丢弃（logits 为 NaN：vllm#21876）"};
    case RowShape::kHole: return {"with -1 among its ids: a padded draft was accepted (vllm-ascend#10043)", "id 之间有 -1：填充草稿被接受（vllm-ascend#10043）"};
    case RowShape::kOutOfVocabulary: return {"with an id outside the vocabulary: noise that is not finite, a tile read past its end (vllm#44744, vllm-ascend#13394)", "含词表之外的 id：噪声非有限值，或越界读取（vllm#44744、vllm-ascend#13394）"};
    case RowShape::kRecoveredEqualsDraft: return {"whose token in place of the rejected draft is that draft: the residual is not that of its place (flashinfer#425), or drafts are judged as a block by a rule that is none", "拒绝草稿后的替换词元就是该草稿：残差不属于该位置（flashinfer#425），或按错误的整块规则检验"};
    default: return {"with tokens after a draft that they differ from: the row goes on after its rejection", "在与草稿不同的词元之后仍有词元：拒绝后该行仍在继续"};
  }
}

class Ids final : public StepTally {
 public:
  void add(const StepView& view) override { count_[static_cast<size_t>(view.shape.shape)] += 1; }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    int64_t n = 0, k = 0;
    for (const int64_t of_shape : count_) n += of_shape;
    RowShape most = RowShape::kEmpty;
    for (const RowShape shape : {RowShape::kEmpty, RowShape::kHole, RowShape::kOutOfVocabulary}) {
      k += at(shape);
      if (at(shape) > at(most)) most = shape;
    }
    if (n == 0) return;
    AuditFinding f;
    judge_rare(k, n, kRareRows, &f);
    const Both share = said_share(k, n, "rows", "行"), what = shape_words(most);
    f.words = k == 0 ? Both{"all ids are of the vocabulary", "所有 id 均在词表内"} : Both{share.en + " are wrong, most of them " + what.en, share.zh + "不对，多数" + what.zh};
    out->push_back(std::move(f));
  }

 private:
  int64_t at(RowShape shape) const { return count_[static_cast<size_t>(shape)]; }
  std::array<int64_t, kRowShapes> count_{};
};

// Rows are the accepted drafts and one token more.
class Lengths final : public StepTally {
 public:
  void add(const StepView& view) override {
    if (!view.greedy && !view.numbers) return;  // what they were judged by was no probability: any row may come of that
    rows_ += 1;
    equals_ += view.shape.shape == RowShape::kRecoveredEqualsDraft;
    after_ += view.shape.shape == RowShape::kTokensAfterRejection;
  }
  void judge(const RejectAuditOptions&, std::vector<AuditFinding>* out) const override {
    if (rows_ == 0) return;
    AuditFinding f;
    judge_rare(equals_ + after_, rows_, kRareRows, &f);
    const Both share = said_share(equals_ + after_, rows_, "rows", "行"), what = shape_words(equals_ >= after_ ? RowShape::kRecoveredEqualsDraft : RowShape::kTokensAfterRejection);
    f.words = equals_ + after_ == 0 ? Both{"each row is its accepted drafts and one token more", "每行均为被接受的草稿加一个词元"} : Both{share.en + " are not their accepted drafts and one token more, most of them rows " + what.en, share.zh + "不是被接受的草稿加一个词元，多数为：" + what.zh};
    out->push_back(std::move(f));
  }

 private:
  int64_t rows_ = 0, equals_ = 0, after_ = 0;
};

}  // namespace

extern const StepCheck kRowIds;
const StepCheck kRowIds = {{"row_ids", "ids that no row can have", "行中不可能的 id", "rows", false}, make_tally<Ids>};
extern const StepCheck kRowLength;
const StepCheck kRowLength = {{"row_length", "rows are what was accepted and one more", "每行为接受的草稿加一", "rows", false}, make_tally<Lengths>};

}  // namespace vaa
