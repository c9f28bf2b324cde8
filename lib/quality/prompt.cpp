#include "quality/prompt.h"

#include <algorithm>
#include <iterator>

#include "quality/odd_characters.h"

namespace vaa {

void Prompt::reset(const Sample& sample) {
  sample_ = &sample;
  recorded_ = sample.has(TextField::kPromptText) || sample.has(TextField::kPromptMessages);
  joined_ = counted_ = false;
  searches_ = 0;
  last_piece_.clear();
  text_ = {};
}

std::string_view Prompt::text() {
  if (joined_) return text_;
  joined_ = true;
  if (!sample_->has(TextField::kPromptMessages)) return text_ = sample_->text(TextField::kPromptText);
  memory_.assign(sample_->text(TextField::kPromptText));
  join_messages(sample_->text(TextField::kPromptMessages));
  return text_ = memory_;
}

// Any JSON is taken: every text in it that is no role, type, name or id. What is no JSON counts as text.
void Prompt::join_messages(std::string_view messages) {
  const size_t before = memory_.size();
  json_.reset(messages);
  open_.clear();
  bool skip_value = false;
  const auto value = [&] {
    switch (json_.peek()) {
      case JsonKind::kString: {
        std::string_view piece;
        if (json_.string(&piece) && !skip_value) {
          if (!memory_.empty()) memory_ += '\n';
          memory_ += piece;
        }
        break;
      }
      case JsonKind::kObject:
        if (json_.object()) open_.push_back(true);
        break;
      case JsonKind::kArray:
        if (json_.array()) open_.push_back(false);
        break;
      default:
        json_.skip();
    }
    skip_value = false;
  };
  value();
  while (!open_.empty() && !json_.failed()) {
    if (open_.back()) {
      std::string_view key;
      if (!json_.key(&key)) {
        open_.pop_back();
        continue;
      }
      skip_value = key == "role" || key == "type" || key == "name" || key == "id" || key == "url";
    } else if (!json_.element()) {
      open_.pop_back();
      continue;
    }
    value();
  }
  if (json_.failed()) {
    memory_.resize(before);
    memory_ += messages;
  }
}

bool Prompt::contains(std::string_view piece) {
  if (!recorded_ || piece.empty()) return false;
  if (piece == last_piece_) return last_found_;
  if (++searches_ > kMaxSearches) return false;
  last_piece_.assign(piece);
  return last_found_ = text().find(piece) != std::string_view::npos;
}

const std::vector<int32_t>& Prompt::numbers() {
  constexpr size_t kMaxNumbers = 256;
  if (!counted_) {
    counted_ = true;
    numbers_.clear();
    find_numbers(text(), kMaxNumbers, &numbers_);
  }
  return numbers_;
}

bool Prompt::asks_repetition() {
  constexpr std::string_view kWords[] = {"times", "epeat", "epetition", "lines", "copies", "rows", "重复", "遍", "次", "行"};
  const auto said = [&](std::string_view word) { return text().find(word) != std::string_view::npos; };
  return std::any_of(std::begin(kWords), std::end(kWords), said);
}

uint64_t Prompt::controls() { return recorded_ ? find_odd_characters(text()).controls : 0; }

}  // namespace vaa
