package cvaa

// #cgo !vaa_static pkg-config: vaa
// #cgo vaa_static pkg-config: vaa-static
import "C"
