// Files of speculative steps, vaa.steps/1 in its two forms (docs/reject-dump.md). Any bytes may come: rows that contradict themselves are counted and passed over, a file that is cut short is read to its last whole record.
#pragma once
#include <string>
#include <string_view>

#include "base/task.h"
#include "records/source.h"
#include "reject/steps/step_audit.h"

namespace vaa {

// By the first bytes of a file.
bool is_step_dump(std::string_view head);

// Pushes all of it. `server` stands before what the header says where it is not "". Throws Failure: VAA_ERROR_FORMAT (the header says nothing that can be used), VAA_ERROR_IO, VAA_ERROR_CAPACITY, VAA_ERROR_CANCELLED.
// Memory: the largest record or line.
void read_step_dump(ByteWindow* window, const std::string& path, const std::string& server, StepAudit* audit, Task* task);

// The lines form alone.
void read_step_lines(ByteWindow* window, const std::string& path, const std::string& server, StepAudit* audit, Task* task);
// A header out of a file. Throws Failure (VAA_ERROR_FORMAT) that names it.
StepHeader dump_header(std::string_view text, const std::string& path, const std::string& server);

}  // namespace vaa
