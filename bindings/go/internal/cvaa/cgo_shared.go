//go:build !vaa_static

package cvaa

// #cgo pkg-config: vaa
import "C"
