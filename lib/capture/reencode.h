// Ids that a run did not record, from the server's tokenizer. They need not be those that the model wrote: one text has several encodings, so they are marked wherever they go.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capture/asker.h"

namespace vaa::capture {

class Reencoder {
 public:
  // Throws Failure (VAA_ERROR_UNSUPPORTED) where the server has no /tokenize that returns ids.
  Reencoder(const AskerOptions& options, const Server& server, const vaa_task* task);
  // The prompt as the chat template renders it (messages), or its text. False: *why says what stood in the way. Cost: one request, two on llama.cpp.
  bool prompt(const vaa_sample* sample, std::vector<int32_t>* ids, std::string* why);
  // The text of the answer. Reasoning that stands apart from it is refused: what stood between the two is not known.
  bool output(const vaa_sample* sample, std::vector<int32_t>* ids, std::string* why);

 private:
  bool tokenize(const std::string& body, std::vector<int32_t>* ids, std::string* why);
  bool post(const std::string& path, const std::string& body, std::string* answer, std::string* why);
  const AskerOptions& options_;
  const Server& server_;
  const vaa_task* task_;
  bool by_content_;           // llama.cpp's form
};

}  // namespace vaa::capture
