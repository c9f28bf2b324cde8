package vaa

import (
	"runtime"
	"sync/atomic"

	"github.com/vaa-eval/vaa-go/internal/cvaa"
)

// handle is an object of C: freed when it is closed and the last call and the last object that borrow it are done.
type handle struct {
	pointer uintptr
	refs    atomic.Int64
	closed  atomic.Bool
	free    func(uintptr)
}

func newHandle(pointer uintptr, free func(uintptr)) *handle {
	h := &handle{pointer: pointer, free: free}
	h.refs.Store(1)
	runtime.SetFinalizer(h, (*handle).close) // a net for what nobody closed
	return h
}

// hold gives the pointer and keeps it alive until release; 0, which C refuses, for a handle that is closed or nil.
func (h *handle) hold() uintptr {
	if h == nil || h.closed.Load() {
		return 0
	}
	for {
		refs := h.refs.Load()
		if refs == 0 {
			return 0
		}
		if h.refs.CompareAndSwap(refs, refs+1) {
			return h.pointer
		}
	}
}

// release ends what hold began; `held` is what hold gave.
func (h *handle) release(held uintptr) {
	if held != 0 && h.refs.Add(-1) == 0 {
		h.free(h.pointer)
	}
}

func (h *handle) close() {
	if h != nil && !h.closed.Swap(true) {
		runtime.SetFinalizer(h, nil)
		h.release(h.pointer)
	}
}

// withVocab makes an object of C that borrows a vocabulary, which may be nil, for its life.
func withVocab(opts any, v *Vocab, make func(cvaa.Str, uintptr, *uintptr, *uintptr) int32, free func(uintptr)) (*handle, error) {
	words, err := options(opts)
	if err != nil {
		return nil, err
	}
	var vocab *handle
	var held uintptr
	if v != nil {
		vocab = v.handle
		if held = vocab.hold(); held == 0 {
			return nil, &Error{Status: ErrorArgument, Message: "vocab: is closed"}
		}
	}
	var out, slot uintptr
	status := make(cvaa.OfString(words), held, &out, &slot)
	if err := take(status, slot); err != nil {
		vocab.release(held)
		return nil, err
	}
	return newHandle(out, func(pointer uintptr) {
		free(pointer)
		vocab.release(held)
	}), nil
}

// text copies and frees what a call made.
func text(pointer uintptr) string {
	words := cvaa.Text(cvaa.VaaTextStr(pointer))
	cvaa.VaaTextFree(pointer)
	return words
}
