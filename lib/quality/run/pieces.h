// A list that grows by pieces: no copy of all of it while it grows.
#pragma once
#include <cstddef>
#include <vector>

namespace vaa {

template <class Value>
class Pieces {
 public:
  void push(const Value& value) {
    if (size_ % kPiece == 0) pieces_.emplace_back().reserve(kPiece);
    pieces_.back().push_back(value);
    ++size_;
  }
  size_t size() const { return size_; }
  const Value& operator[](size_t i) const { return pieces_[i / kPiece][i % kPiece]; }

 private:
  static constexpr size_t kPiece = 4096;
  std::vector<std::vector<Value>> pieces_;
  size_t size_ = 0;
};

}  // namespace vaa
