//go:build vaa_static

package ccapture

// #cgo pkg-config: vaa_capture-static
import "C"
