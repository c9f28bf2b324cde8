/* What the typemaps of python_types.i call: the border's views from Python objects and back, and vaa.Error from a status. Buffers are held
 * until the call is over, so nobody can resize one under the C code while the GIL is released. Each taker returns 1, or 0 with an exception set. */
#ifndef VAA_PYTHON_VIEWS_H
#define VAA_PYTHON_VIEWS_H

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "vaa/check.h"

/* What a view in use holds: a buffer, a copy that had to be made, or the object that the text lies in. Zeroed, it holds nothing. */
typedef struct vaa_held {
  Py_buffer buffer;
  int has_buffer;
  void *owned;
  PyObject *object;
} vaa_held;

static void vaa_drop(vaa_held *held) {
  if (held->has_buffer) PyBuffer_Release(&held->buffer);
  held->has_buffer = 0;
  PyMem_Free(held->owned);
  held->owned = NULL;
  Py_CLEAR(held->object);
}

/* ---- text ---- */

static int vaa_take_vaa_str(PyObject *o, const char *name, vaa_held *held, vaa_str *out) {
  Py_ssize_t size = 0;
  if (PyUnicode_Check(o)) {
    const char *data = PyUnicode_AsUTF8AndSize(o, &size);
    if (!data) { /* lone surrogates */
      if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) return 0;
      PyErr_Clear();
      if (!(held->object = PyUnicode_AsEncodedString(o, "utf-8", "surrogatepass"))) return 0;
      data = PyBytes_AS_STRING(held->object);
      size = PyBytes_GET_SIZE(held->object);
    }
    out->data = data;
    out->size = (size_t)size;
    return 1;
  }
  if (!PyObject_CheckBuffer(o)) {
    PyErr_Format(PyExc_TypeError, "%s: is %.100s, must be str or bytes", name, Py_TYPE(o)->tp_name);
    return 0;
  }
  if (PyObject_GetBuffer(o, &held->buffer, PyBUF_SIMPLE) < 0) return 0;
  held->has_buffer = 1;
  out->data = (const char *)held->buffer.buf;
  out->size = (size_t)held->buffer.len;
  return 1;
}

static PyObject *vaa_make_str(vaa_str text) {
  PyObject *made = PyUnicode_DecodeUTF8(text.data ? text.data : "", (Py_ssize_t)text.size, "surrogatepass");
  if (!made && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
    PyErr_Clear();
    made = PyBytes_FromStringAndSize(text.data, (Py_ssize_t)text.size);
  }
  return made;
}

/* ---- arrays ---- */

/* The one letter of a native scalar format, or 0: byte orders other than this machine's and records are not taken. */
static char vaa_letter(const char *format) {
  const union { int i; char c; } one = {1};
  if (!format) return 'B';
  if (*format == '@' || *format == '=' || *format == (one.c ? '<' : '>')) ++format;
  return format[0] && !format[1] ? format[0] : 0;
}

static int vaa_is(const Py_buffer *b, const char *letters, size_t itemsize) {
  const char letter = vaa_letter(b->format);
  return letter && strchr(letters, letter) && (size_t)b->itemsize == itemsize;
}

/* The buffer of `o`, of `ndim` dimensions; flags beside PyBUF_FORMAT. */
static int vaa_open(PyObject *o, const char *name, vaa_held *held, int ndim, int flags, const char *must) {
  if (!PyObject_CheckBuffer(o)) {
    PyErr_Format(PyExc_TypeError, "%s: is %.100s, must be %s", name, Py_TYPE(o)->tp_name, must);
    return 0;
  }
  if (PyObject_GetBuffer(o, &held->buffer, flags | PyBUF_FORMAT) < 0) {
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: must be %s", name, must);
    return 0;
  }
  held->has_buffer = 1;
  if (held->buffer.ndim != ndim) {
    PyErr_Format(PyExc_ValueError, "%s: has %d dimensions, must be %s", name, held->buffer.ndim, must);
    return 0;
  }
  return 1;
}

static int vaa_wrong_type(const vaa_held *held, const char *name, const char *must) {
  PyErr_Format(PyExc_TypeError, "%s: has elements of format '%.20s' and %zd bytes, must be %s", name, held->buffer.format ? held->buffer.format : "B",
               held->buffer.itemsize, must);
  return 0;
}

/* Room for a copy of `size` elements. */
static void *vaa_room(vaa_held *held, size_t size, size_t itemsize) {
  held->owned = size > (size_t)PY_SSIZE_T_MAX / itemsize ? NULL : PyMem_Malloc(size ? size * itemsize : 1);
  if (!held->owned) PyErr_NoMemory();
  return held->owned;
}

/* Element i of a list or tuple as an integer within [low, high]. */
static int vaa_item_int(PyObject *list, Py_ssize_t i, const char *name, long long low, long long high, long long *out) {
  PyObject *item = PyList_Check(list) ? PyList_GET_ITEM(list, i) : PyTuple_GET_ITEM(list, i);
  PyObject *number;
  int overflow = 0;
  if (PyLong_Check(item)) {
    *out = PyLong_AsLongLongAndOverflow(item, &overflow);
  } else {
    if (!(number = PyNumber_Index(item))) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError)) return 0;
      PyErr_Format(PyExc_TypeError, "%s[%zd]: is %.100s, must be an int", name, i, Py_TYPE(item)->tp_name);
      return 0;
    }
    *out = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
  }
  if (overflow || *out < low || *out > high) {
    PyErr_Format(PyExc_OverflowError, "%s[%zd]: is not within %lld to %lld", name, i, low, high);
    return 0;
  }
  return 1;
}

static int vaa_take_vaa_ids(PyObject *o, const char *name, vaa_held *held, vaa_ids *out) {
  static const char must[] = "a contiguous 1-D array of int32 or int64, or a list of ints";
  Py_ssize_t i;
  size_t n;
  int32_t *copy;
  long long x = 0;
  if (PyList_Check(o) || PyTuple_Check(o)) {
    n = (size_t)Py_SIZE(o);
    if (!(copy = (int32_t *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; i < Py_SIZE(o) && (size_t)i < n; ++i) { /* __index__ may change a list */
      if (!vaa_item_int(o, i, name, INT32_MIN, INT32_MAX, &x)) return 0;
      copy[i] = (int32_t)x;
    }
    out->data = copy;
    out->size = (size_t)i;
    return 1;
  }
  if (!vaa_open(o, name, held, 1, PyBUF_ND, must)) return 0;
  n = (size_t)held->buffer.shape[0];
  if (vaa_is(&held->buffer, "ilq", 4)) {
    out->data = (const int32_t *)held->buffer.buf;
  } else if (vaa_is(&held->buffer, "ilq", 8)) { /* numpy's and torch's default: narrowed, each checked */
    const int64_t *wide = (const int64_t *)held->buffer.buf;
    if (!(copy = (int32_t *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; (size_t)i < n; ++i) {
      if (wide[i] < INT32_MIN || wide[i] > INT32_MAX) {
        PyErr_Format(PyExc_OverflowError, "%s[%zd]: is %lld, must fit in 32 bits", name, i, (long long)wide[i]);
        return 0;
      }
      copy[i] = (int32_t)wide[i];
    }
    out->data = copy;
  } else {
    return vaa_wrong_type(held, name, must);
  }
  out->size = n;
  return 1;
}

static int vaa_take_vaa_i64s(PyObject *o, const char *name, vaa_held *held, vaa_i64s *out) {
  static const char must[] = "a contiguous 1-D array of int64 or int32, or a list of ints";
  Py_ssize_t i;
  size_t n;
  int64_t *copy;
  long long x = 0;
  if (PyList_Check(o) || PyTuple_Check(o)) {
    n = (size_t)Py_SIZE(o);
    if (!(copy = (int64_t *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; i < Py_SIZE(o) && (size_t)i < n; ++i) {
      if (!vaa_item_int(o, i, name, INT64_MIN, INT64_MAX, &x)) return 0;
      copy[i] = x;
    }
    out->data = copy;
    out->size = (size_t)i;
    return 1;
  }
  if (!vaa_open(o, name, held, 1, PyBUF_ND, must)) return 0;
  n = (size_t)held->buffer.shape[0];
  if (vaa_is(&held->buffer, "ilq", 8)) {
    out->data = (const int64_t *)held->buffer.buf;
  } else if (vaa_is(&held->buffer, "ilq", 4)) {
    const int32_t *narrow = (const int32_t *)held->buffer.buf;
    if (!(copy = (int64_t *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; (size_t)i < n; ++i) copy[i] = narrow[i];
    out->data = copy;
  } else {
    return vaa_wrong_type(held, name, must);
  }
  out->size = n;
  return 1;
}

static int vaa_take_vaa_u8s(PyObject *o, const char *name, vaa_held *held, vaa_u8s *out) {
  static const char must[] = "bytes or a contiguous 1-D array of uint8";
  if (!vaa_open(o, name, held, 1, PyBUF_ND, must)) return 0;
  if (!vaa_is(&held->buffer, "Bc", 1)) return vaa_wrong_type(held, name, must);
  out->data = (const uint8_t *)held->buffer.buf;
  out->size = (size_t)held->buffer.len;
  return 1;
}

/* Element i of a list or tuple as a real number. */
static int vaa_item_double(PyObject *list, Py_ssize_t i, const char *name, double *out) {
  PyObject *item = PyList_Check(list) ? PyList_GET_ITEM(list, i) : PyTuple_GET_ITEM(list, i);
  Py_INCREF(item);
  *out = PyFloat_AsDouble(item);
  if (*out == -1.0 && PyErr_Occurred()) {
    if (PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Format(PyExc_TypeError, "%s[%zd]: is %.100s, must be a number", name, i, Py_TYPE(item)->tp_name);
    }
    Py_DECREF(item);
    return 0;
  }
  Py_DECREF(item);
  return 1;
}

static int vaa_take_vaa_f32s(PyObject *o, const char *name, vaa_held *held, vaa_f32s *out) {
  static const char must[] = "a contiguous 1-D array of float32, or a list of numbers";
  Py_ssize_t i;
  size_t n;
  float *copy;
  double x = 0;
  if (PyList_Check(o) || PyTuple_Check(o)) {
    n = (size_t)Py_SIZE(o);
    if (!(copy = (float *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; i < Py_SIZE(o) && (size_t)i < n; ++i) {
      if (!vaa_item_double(o, i, name, &x)) return 0;
      copy[i] = (float)x;
    }
    out->data = copy;
    out->size = (size_t)i;
    return 1;
  }
  if (!vaa_open(o, name, held, 1, PyBUF_ND, must)) return 0;
  if (!vaa_is(&held->buffer, "f", 4)) return vaa_wrong_type(held, name, must);
  out->data = (const float *)held->buffer.buf;
  out->size = (size_t)held->buffer.shape[0];
  return 1;
}

static int vaa_take_vaa_f64s(PyObject *o, const char *name, vaa_held *held, vaa_f64s *out) {
  static const char must[] = "a contiguous 1-D array of float64 or float32, or a list of numbers";
  Py_ssize_t i;
  size_t n;
  double *copy;
  if (PyList_Check(o) || PyTuple_Check(o)) {
    n = (size_t)Py_SIZE(o);
    if (!(copy = (double *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; i < Py_SIZE(o) && (size_t)i < n; ++i) {
      if (!vaa_item_double(o, i, name, &copy[i])) return 0;
    }
    out->data = copy;
    out->size = (size_t)i;
    return 1;
  }
  if (!vaa_open(o, name, held, 1, PyBUF_ND, must)) return 0;
  n = (size_t)held->buffer.shape[0];
  if (vaa_is(&held->buffer, "d", 8)) {
    out->data = (const double *)held->buffer.buf;
  } else if (vaa_is(&held->buffer, "f", 4)) { /* exact */
    const float *narrow = (const float *)held->buffer.buf;
    if (!(copy = (double *)vaa_room(held, n, sizeof *copy))) return 0;
    for (i = 0; (size_t)i < n; ++i) copy[i] = narrow[i];
    out->data = copy;
  } else {
    return vaa_wrong_type(held, name, must);
  }
  out->size = n;
  return 1;
}

/* Rows may lie apart (a slice of columns), the elements of a row may not. */
static int vaa_rows(PyObject *o, const char *name, vaa_held *held, const char *letter, size_t itemsize, int flags, const char *must, size_t *rows, size_t *cols,
                    size_t *stride) {
  const Py_ssize_t item = (Py_ssize_t)itemsize;
  const Py_buffer *b = &held->buffer;
  if (!vaa_open(o, name, held, 2, PyBUF_STRIDES | flags, must)) return 0;
  if (!vaa_is(b, letter, itemsize)) return vaa_wrong_type(held, name, must);
  *rows = (size_t)b->shape[0];
  *cols = (size_t)b->shape[1];
  *stride = *cols;
  if (*rows == 0 || *cols == 0) return 1;
  if (b->shape[1] > 1 && b->strides[1] != item) {
    PyErr_Format(PyExc_ValueError, "%s: the elements of a row lie %zd bytes apart, must be %s", name, b->strides[1], must);
    return 0;
  }
  if (b->shape[0] > 1) {
    if (b->strides[0] % item != 0 || b->strides[0] < b->shape[1] * item) {
      PyErr_Format(PyExc_ValueError, "%s: the rows lie %zd bytes apart, must be %s", name, b->strides[0], must);
      return 0;
    }
    *stride = (size_t)(b->strides[0] / item);
  }
  return 1;
}

#define VAA_TAKE_ROWS(TYPE, ELEMENT, LETTER, FLAGS, MUST)                                                                          \
  static int vaa_take_##TYPE(PyObject *o, const char *name, vaa_held *held, TYPE *out) {                                           \
    if (!vaa_rows(o, name, held, LETTER, sizeof(ELEMENT), FLAGS, MUST, &out->rows, &out->cols, &out->stride)) return 0;            \
    out->data = (ELEMENT *)held->buffer.buf;                                                                                      \
    return 1;                                                                                                                     \
  }
VAA_TAKE_ROWS(vaa_f32_rows, float, "f", 0, "a 2-D array of float32 whose rows are contiguous")
VAA_TAKE_ROWS(vaa_f64_rows, double, "d", 0, "a 2-D array of float64 whose rows are contiguous")
VAA_TAKE_ROWS(vaa_f32_rows_out, float, "f", PyBUF_WRITABLE, "a writable 2-D array of float32 whose rows are contiguous")
VAA_TAKE_ROWS(vaa_f64_rows_out, double, "d", PyBUF_WRITABLE, "a writable 2-D array of float64 whose rows are contiguous")

#define VAA_TAKE_OUT(TYPE, ELEMENT, LETTERS, MUST)                                                                                 \
  static int vaa_take_##TYPE(PyObject *o, const char *name, vaa_held *held, TYPE *out) {                                           \
    if (!vaa_open(o, name, held, 1, PyBUF_ND | PyBUF_WRITABLE, MUST)) return 0;                                                    \
    if (!vaa_is(&held->buffer, LETTERS, sizeof(ELEMENT))) return vaa_wrong_type(held, name, MUST);                                 \
    out->data = (ELEMENT *)held->buffer.buf;                                                                                      \
    out->capacity = (size_t)held->buffer.shape[0];                                                                                \
    return 1;                                                                                                                     \
  }
VAA_TAKE_OUT(vaa_ids_out, int32_t, "ilq", "a writable contiguous 1-D array of int32")
VAA_TAKE_OUT(vaa_i64s_out, int64_t, "ilq", "a writable contiguous 1-D array of int64")
VAA_TAKE_OUT(vaa_u8s_out, uint8_t, "Bc", "a writable contiguous 1-D array of uint8, such as a bytearray")
VAA_TAKE_OUT(vaa_f32s_out, float, "f", "a writable contiguous 1-D array of float32")
VAA_TAKE_OUT(vaa_f64s_out, double, "d", "a writable contiguous 1-D array of float64")

/* ---- numbers ---- */

#define VAA_TAKE_INT(KIND, TYPE, WORDS, READ, FITS)                                                                                \
  static int vaa_take_##KIND(PyObject *o, const char *name, TYPE *out) {                                                           \
    PyObject *number = PyNumber_Index(o);                                                                                         \
    if (!number) {                                                                                                                \
      if (PyErr_ExceptionMatches(PyExc_TypeError)) {                                                                               \
        PyErr_Format(PyExc_TypeError, "%s: is %.100s, must be an int", name, Py_TYPE(o)->tp_name);                                 \
      }                                                                                                                           \
      return 0;                                                                                                                   \
    }                                                                                                                             \
    READ;                                                                                                                         \
    if (PyErr_Occurred() || !(FITS)) {                                                                                             \
      PyErr_Clear();                                                                                                              \
      PyErr_Format(PyExc_OverflowError, "%s: is %.100R, must be within %s", name, number, WORDS);                                  \
      Py_DECREF(number);                                                                                                          \
      return 0;                                                                                                                   \
    }                                                                                                                             \
    Py_DECREF(number);                                                                                                            \
    *out = (TYPE)x;                                                                                                               \
    return 1;                                                                                                                     \
  }
VAA_TAKE_INT(int32, int32_t, "-2^31 to 2^31 - 1", long long x = PyLong_AsLongLong(number), x >= INT32_MIN && x <= INT32_MAX)
VAA_TAKE_INT(int64, int64_t, "-2^63 to 2^63 - 1", long long x = PyLong_AsLongLong(number), 1)
VAA_TAKE_INT(uint64, uint64_t, "0 to 2^64 - 1", unsigned long long x = PyLong_AsUnsignedLongLong(number), 1)
VAA_TAKE_INT(size, size_t, "0 to 2^64 - 1", size_t x = PyLong_AsSize_t(number), 1)

static int vaa_take_double(PyObject *o, const char *name, double *out) {
  *out = PyFloat_AsDouble(o);
  if (*out != -1.0 || !PyErr_Occurred()) return 1;
  if (PyErr_ExceptionMatches(PyExc_TypeError)) PyErr_Format(PyExc_TypeError, "%s: is %.100s, must be a number", name, Py_TYPE(o)->tp_name);
  return 0;
}

static PyObject *vaa_make_int32(int32_t x) { return PyLong_FromLong(x); }
static PyObject *vaa_make_int64(int64_t x) { return PyLong_FromLongLong(x); }
static PyObject *vaa_make_uint64(uint64_t x) { return PyLong_FromUnsignedLongLong(x); }
static PyObject *vaa_make_size(size_t x) { return PyLong_FromSize_t(x); }
static PyObject *vaa_make_double(double x) { return PyFloat_FromDouble(x); }

#include "python_results.h"
#endif
