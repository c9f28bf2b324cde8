/* What goes back to Python: arrays that C lends out, findings, several results at once, and the exception. */
#ifndef VAA_PYTHON_RESULTS_H
#define VAA_PYTHON_RESULTS_H

#include "vaa/check.h"
#include "vaa/diff.h"

/* ---- an array that C lends: read-only, through the buffer protocol, its owner kept alive ---- */

typedef struct vaa_view {
  PyObject_HEAD
  PyObject *owner;
  const void *data;
  const char *format;
  Py_ssize_t size, itemsize;
} vaa_view;

static void vaa_view_free(PyObject *self) {
  Py_XDECREF(((vaa_view *)self)->owner);
  Py_TYPE(self)->tp_free(self);
}

static int vaa_view_buffer(PyObject *self, Py_buffer *out, int flags) {
  vaa_view *view = (vaa_view *)self;
  static char nothing[8];
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "the array is read-only");
    out->obj = NULL;
    return -1;
  }
  Py_INCREF(self);
  out->obj = self;
  out->buf = view->data ? (void *)(uintptr_t)view->data : (void *)nothing;
  out->itemsize = view->itemsize;
  out->len = view->size * view->itemsize;
  out->readonly = 1;
  out->ndim = 1;
  out->format = (flags & PyBUF_FORMAT) ? (char *)(uintptr_t)view->format : NULL;
  out->shape = (flags & PyBUF_ND) ? &view->size : NULL;
  out->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->itemsize : NULL;
  out->suboffsets = NULL;
  out->internal = NULL;
  return 0;
}

static Py_ssize_t vaa_view_size(PyObject *self) { return ((vaa_view *)self)->size; }

static PyBufferProcs vaa_view_as_buffer = {vaa_view_buffer, NULL};
static PySequenceMethods vaa_view_as_sequence = {.sq_length = vaa_view_size};
static PyTypeObject vaa_view_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "vaa.View",
    .tp_basicsize = sizeof(vaa_view),
    .tp_dealloc = vaa_view_free,
    .tp_as_buffer = &vaa_view_as_buffer,
    .tp_as_sequence = &vaa_view_as_sequence,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "An array lent by a vaa object, which it keeps alive: read it with numpy.asarray or memoryview.",
};

static PyObject *vaa_make_view(PyObject *owner, const void *data, size_t size, const char *format, size_t itemsize) {
  vaa_view *view = PyObject_New(vaa_view, &vaa_view_type);
  if (!view) return NULL;
  Py_INCREF(owner);
  view->owner = owner;
  view->data = data;
  view->format = format;
  view->size = (Py_ssize_t)size;
  view->itemsize = (Py_ssize_t)itemsize;
  return (PyObject *)view;
}

/* ---- findings: [a tuple of them, the bits of the unknown flags]; a list, since a tuple would be taken for several results ---- */

static PyObject *vaa_make_findings(const vaa_findings *found) {
  size_t i;
  PyObject *all = PyTuple_New((Py_ssize_t)found->size);
  for (i = 0; all && i < found->size; ++i) {
    const vaa_finding *f = &found->data[i];
    PyObject *one = Py_BuildValue("(iiiiLLLLLLLLLLdd)", (int)f->flag, (int)f->severity, (int)f->confidence, (int)f->part, (long long)f->onset_byte,
                                  (long long)f->length_bytes, (long long)f->onset_char, (long long)f->length_chars, (long long)f->onset_token,
                                  (long long)f->length_tokens, (long long)f->period_bytes, (long long)f->period_chars, (long long)f->period_tokens,
                                  (long long)f->count, f->measure, f->threshold);
    if (!one) Py_CLEAR(all);
    else PyTuple_SET_ITEM(all, (Py_ssize_t)i, one);
  }
  return all ? Py_BuildValue("[NK]", all, (unsigned long long)found->unknown) : NULL;
}

/* ---- small records: lists, since a tuple would be taken for several results ---- */

static PyObject *vaa_make_divergence(const vaa_divergence *d) {
  return Py_BuildValue("[LLLLLLLLLLLdddii]", (long long)d->reference_size, (long long)d->target_size, (long long)d->first_divergence, (long long)d->prefix, (long long)d->suffix,
                       (long long)d->levenshtein, (long long)d->lcs, (long long)d->indel, (long long)d->more_than, (long long)d->reconverge_reference,
                       (long long)d->reconverge_target, d->prefix_ratio, d->normalized_levenshtein, d->normalized_indel, (int)d->length_only, (int)d->same_bytes);
}

static PyObject *vaa_make_prompt_difference(const vaa_prompt_difference *d) {
  return Py_BuildValue("[iiLLLL]", (int)d->which, (int)d->longer, (long long)d->reference_at, (long long)d->reference_size, (long long)d->target_at, (long long)d->target_size);
}

/* ---- several results: None, then the one, then a tuple of all; takes both references; NULL with an exception set ---- */

static PyObject *vaa_append(PyObject *so_far, PyObject *one) {
  PyObject *both;
  if (!one || so_far == Py_None) {
    Py_DECREF(so_far);
    return one;
  }
  if (PyTuple_CheckExact(so_far) && Py_REFCNT(so_far) == 1) {
    const Py_ssize_t n = PyTuple_GET_SIZE(so_far);
    if (_PyTuple_Resize(&so_far, n + 1) == 0) PyTuple_SET_ITEM(so_far, n, one);
    else Py_DECREF(one);
    return so_far;
  }
  both = PyTuple_New(2);
  if (!both) {
    Py_DECREF(so_far);
    Py_DECREF(one);
    return NULL;
  }
  PyTuple_SET_ITEM(both, 0, so_far);
  PyTuple_SET_ITEM(both, 1, one);
  return both;
}

/* ---- the exception ---- */

static PyObject *vaa_error_class = NULL;

/* Raises vaa.Error with status, name and message, and frees `error`. A message is for people: bytes that are not UTF-8, such as those of a path, are shown as \xff. */
static void vaa_raise(vaa_status status, vaa_error *error) {
  const vaa_str words = vaa_error_message(error);
  PyObject *message = PyUnicode_DecodeUTF8(words.data, (Py_ssize_t)words.size, "backslashreplace");
  PyObject *name = vaa_make_str(vaa_status_name(status));
  PyObject *number = PyLong_FromLong(status);
  PyObject *made = NULL;
  vaa_error_free(error);
  if (message && name && number) made = PyObject_CallFunctionObjArgs(vaa_error_class, message, NULL);
  if (made && PyObject_SetAttrString(made, "message", message) == 0 && PyObject_SetAttrString(made, "name", name) == 0 &&
      PyObject_SetAttrString(made, "status", number) == 0) {
    PyErr_SetObject(vaa_error_class, made);
  }
  Py_XDECREF(made);
  Py_XDECREF(number);
  Py_XDECREF(name);
  Py_XDECREF(message);
}

/* Makes the types ready and puts Error into the module: a class of its own, or that of the module VAA_ERROR_OF; -1 with an exception set. */
static int vaa_views_ready(PyObject *module) {
  if (PyType_Ready(&vaa_view_type) < 0) return -1;
#ifdef VAA_ERROR_OF
  {
    PyObject *other = PyImport_ImportModule(VAA_ERROR_OF);
    if (!other) return -1;
    vaa_error_class = PyObject_GetAttrString(other, "Error");
    Py_DECREF(other);
  }
#else
  vaa_error_class = PyErr_NewExceptionWithDoc("vaa.Error", "Why vaa could not tell: .status (an int), .name (such as VAA_ERROR_OPTION), .message. A wrong model is never an error.",
                                              NULL, NULL);
#endif
  if (!vaa_error_class) return -1;
  Py_INCREF(vaa_error_class);
  return PyModule_AddObject(module, "Error", vaa_error_class);
}

#endif
