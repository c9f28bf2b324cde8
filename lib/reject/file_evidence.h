// Files as evidence of speculation, found by content: metrics pages (one or a series in a file), logs, records, folders of these.
#pragma once
#include <string>

#include "base/task.h"
#include "records/reader.h"
#include "reject/reject_audit.h"

namespace vaa {

struct FileEvidenceOptions {
  double time_s = std::nan("");   // of a page; NaN: what stands in the file or its name, else when it was last written
  std::string server;             // "" : by the file's name or folder
  Speculation speculation = Speculation::kNotRecorded;  // of records
  OpenOptions open;
};
FileEvidenceOptions file_evidence_options(std::string_view json);

// Streams; memory is that of the longest line or page. Throws Failure: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO, VAA_ERROR_FORMAT (nothing of it is evidence), VAA_ERROR_CAPACITY, VAA_ERROR_CANCELLED.
void push_file(RejectAudit* audit, const std::string& path, const FileEvidenceOptions& options, Task* task);

}  // namespace vaa
