package cvaa

import "testing"

func TestCalls(t *testing.T) {
	if VaaAbiVersion() != 1 {
		t.Fatal("abi")
	}
	if Text(VaaVersion()) != "0.1.0" {
		t.Fatal(Text(VaaVersion()))
	}
	f := int32(-1)
	var slot uintptr
	if s := VaaFieldFind(OfString("nope"), &f, &slot); s != 3 || f != -1 || Text(VaaErrorMessage(slot)) == "" {
		t.Fatal(s, f)
	}
	VaaErrorFree(slot)
	if s := VaaFieldFind(OfString("id"), &f, &slot); s != 0 || f != 100 {
		t.Fatal(s, f)
	}
}
