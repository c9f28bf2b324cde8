// The border of this library: what is thrown inside becomes a status and an error of the caller, as in vaa itself.
#pragma once
#include <exception>
#include <new>
#include <string>

#include "base/failure.h"
#include "base/views.h"
#include "vaa/error.h"

namespace vaa::capture {

// Runs `body`; on success *err is NULL. Nothing is thrown past it.
template <class Body>
vaa_status capture_guard(vaa_error** err, Body&& body) noexcept {
  try {
    body();
    return vaa_error_put(err, VAA_OK, {"", 0});
  } catch (const Failure& failure) {
    return vaa_error_put(err, failure.status(), border(failure.message()));
  } catch (const std::bad_alloc&) {
    return vaa_error_put(err, VAA_ERROR_MEMORY, border("out of memory"));
  } catch (const std::exception& fault) {
    return vaa_error_put(err, VAA_ERROR_INTERNAL, border(fault.what()));
  } catch (...) {
    return vaa_error_put(err, VAA_ERROR_INTERNAL, border("a fault of unknown type"));
  }
}

// An argument that must not be NULL.
template <class T>
T* required(T* pointer, const char* name) {
  if (!pointer) fail(VAA_ERROR_ARGUMENT, std::string(name) + " is NULL");
  return pointer;
}

}  // namespace vaa::capture
