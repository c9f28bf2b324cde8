// The border: what is thrown inside becomes a status and an error of the caller.
#pragma once
#include <exception>
#include <new>
#include <string>

#include "base/failure.h"
#include "vaa/error.h"

struct vaa_error {
  vaa_status status;
  std::string message;
};

namespace vaa {

// Puts an error into *err, where err is given; the static one where memory is out. Returns the status.
vaa_status put_error(vaa_error** err, vaa_status status, const char* message) noexcept;

// Runs `body`; on success *err is NULL. Nothing is thrown past it.
template <class Body>
vaa_status guard(vaa_error** err, Body&& body) noexcept {
  if (err) *err = nullptr;
  try {
    body();
    return VAA_OK;
  } catch (const Failure& failure) {
    return put_error(err, failure.status(), failure.what());
  } catch (const std::bad_alloc&) {
    return put_error(err, VAA_ERROR_MEMORY, "out of memory");
  } catch (const std::exception& fault) {
    return put_error(err, VAA_ERROR_INTERNAL, fault.what());
  } catch (...) {
    return put_error(err, VAA_ERROR_INTERNAL, "a fault of unknown type");
  }
}

// An argument that must not be NULL.
template <class T>
T* given(T* pointer, const char* name) {
  if (!pointer) fail(VAA_ERROR_ARGUMENT, std::string(name) + " is NULL");
  return pointer;
}

}  // namespace vaa
