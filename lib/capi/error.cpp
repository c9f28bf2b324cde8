// include/vaa/error.h and base.h.
#include "vaa/error.h"

#include "base/views.h"
#include "capi/guard.h"

namespace vaa {
namespace {
const vaa_error kOutOfMemory{VAA_ERROR_MEMORY, "out of memory"};  // short enough to need no allocation
}

vaa_status put_error(vaa_error** err, vaa_status status, const char* message) noexcept {
  if (!err) return status;
  try {
    if (status != VAA_ERROR_MEMORY) {
      *err = new vaa_error{status, message};
      return status;
    }
  } catch (...) {
  }
  *err = const_cast<vaa_error*>(&kOutOfMemory);
  return status;
}
}  // namespace vaa

extern "C" {

vaa_status vaa_error_status(const vaa_error* error) { return error ? error->status : VAA_OK; }

vaa_str vaa_error_message(const vaa_error* error) { return error ? vaa::border(error->message) : vaa_str{"", 0}; }

vaa_status vaa_error_put(vaa_error** err, vaa_status status, vaa_str message) {
  if (status == VAA_OK) {
    if (err) *err = nullptr;
    return VAA_OK;
  }
  try {
    return vaa::put_error(err, status, std::string(vaa::view(message)).c_str());
  } catch (...) {
    return vaa::put_error(err, VAA_ERROR_MEMORY, "");
  }
}

void vaa_error_free(vaa_error* error) {
  if (error != &vaa::kOutOfMemory) delete error;
}

int32_t vaa_abi_version(void) { return VAA_ABI_VERSION; }

vaa_str vaa_version(void) { return vaa::border(VAA_VERSION_STRING); }

vaa_str vaa_status_name(vaa_status status) {
  static constexpr const char* kNames[] = {"VAA_OK", "VAA_ERROR_ARGUMENT", "VAA_ERROR_OPTION", "VAA_ERROR_NOT_FOUND", "VAA_ERROR_IO", "VAA_ERROR_FORMAT",
                                           "VAA_ERROR_CAPACITY", "VAA_ERROR_CANCELLED", "VAA_ERROR_MEMORY", "VAA_ERROR_UNSUPPORTED", "VAA_ERROR_INTERNAL"};
  constexpr int kCount = sizeof kNames / sizeof *kNames;
  return vaa::border(status >= 0 && status < kCount ? kNames[status] : "VAA_ERROR_UNKNOWN");
}

}  // extern "C"
