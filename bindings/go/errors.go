package vaa

import "github.com/vaa-eval/vaa-go/internal/cvaa"

// Status says what kind of failure an Error is.
type Status int32

// The statuses of vaa/base.h.
const (
	ErrorArgument    Status = 1  // an argument is outside what the call takes; also a closed object
	ErrorOption      Status = 2  // an unknown option, a wrong type or a value out of range
	ErrorNotFound    Status = 3  // a path, table, column or pointer that does not exist
	ErrorIO          Status = 4  // the system refused to open, read or write
	ErrorFormat      Status = 5  // the input is of no format that vaa reads, or none of it could be read
	ErrorCapacity    Status = 6  // a limit set by an option was reached
	ErrorCancelled   Status = 7  // cancelled; calls with a context return the context's error instead
	ErrorMemory      Status = 8  // out of memory
	ErrorUnsupported Status = 9  // known, and not read by this version
	ErrorInternal    Status = 10 // a defect of vaa: please report it
)

// String is the name in C, such as "VAA_ERROR_OPTION".
func (s Status) String() string { return cvaa.Text(cvaa.VaaStatusName(int32(s))) }

// Error is why vaa could not tell. A wrong model is a verdict in a report, never an error.
type Error struct {
	Status  Status
	Message string // one line: what is wrong, where, and what is allowed
}

func (e *Error) Error() string { return "vaa: " + e.Message }

// Is makes errors.Is(err, &Error{Status: s}) true for every error of that status.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Status == e.Status && (other.Message == "" || other.Message == e.Message)
}

// take makes a Go error from what a call returned and frees C's.
func take(status int32, slot uintptr) error {
	if status == 0 {
		return nil
	}
	message := cvaa.Text(cvaa.VaaErrorMessage(slot))
	cvaa.VaaErrorFree(slot)
	return &Error{Status: Status(status), Message: message}
}
