// What a call refuses, as status and words.
#pragma once
#include <string>

#include "base/failure.h"
#include "catch.h"

// The message of the Failure that `call` throws; "" where it throws none.
template <class Call>
std::string refused(vaa_status status, Call&& call) {
  try {
    call();
  } catch (const vaa::Failure& failure) {
    CHECK(failure.status() == status);
    return failure.message();
  }
  FAIL("nothing was refused");
  return "";
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
