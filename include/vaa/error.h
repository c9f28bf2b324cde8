/* vaa/error.h: why a call failed. An error belongs to the caller; it is never kept in a thread or a global. */
#ifndef VAA_ERROR_H
#define VAA_ERROR_H

#include "vaa/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vaa_error vaa_error;

/* The status of the call that failed; VAA_OK for NULL. */
VAA_API vaa_status vaa_error_status(const vaa_error *error);
/* One line for a person: what is wrong, where, and what is allowed; "" for NULL. */
VAA_API vaa_str vaa_error_message(const vaa_error *error);
/* Puts an error into *err, where err is given, and returns the status: for a library that is written upon vaa and fails in its manner. VAA_OK sets *err to NULL. */
VAA_API vaa_status vaa_error_put(vaa_error **err, vaa_status status, vaa_str message);
VAA_API void vaa_error_free(vaa_error *error);

#ifdef __cplusplus
}
#endif
#endif
