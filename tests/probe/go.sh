#!/bin/sh
# The probe through the Go typemaps: makes a module in FOLDER and tests it plainly, under the race detector and with cgocheck2.
#   sh tests/probe/go.sh FOLDER
set -eu
probe=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$probe/../.." && pwd)
mkdir -p "$1"
cd "$1"
"${SWIG:-swig}" -go -intgosize 64 -I"$root/include" -I"$root/bindings" -I"$probe" -o probe_wrap.c "$probe/probe.i"
sed 's/^package cvaa$/package cprobe/' "$root/bindings/go/internal/cvaa/views.go" > views.go
cp "$probe/probe.c" "$probe/probe.h" "$probe/probe_test.go" .
printf 'module cprobe\n\ngo 1.21\n' > go.mod
printf 'package cprobe\n\n// #cgo pkg-config: vaa\n// #include "probe.h"\nimport "C"\n' > cgo.go
go vet ./...
go test ./...
go test -race ./...
GOEXPERIMENT=cgocheck2 go test ./...
