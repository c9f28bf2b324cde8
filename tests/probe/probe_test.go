package cprobe

import (
	"math"
	"reflect"
	"runtime"
	"sync"
	"testing"
)

// numbers is 3, 1, 4, 1, 5, 9 in any type, whose weighted sum is 96.
func numbers[T int32 | int64 | byte | float32 | float64]() []T { return []T{3, 1, 4, 1, 5, 9} }

func TestSlicesComeIn(t *testing.T) {
	calls := map[string]func(sum *float64, size *uint64, slot *uintptr) int32{
		"ids": func(a *float64, b *uint64, c *uintptr) int32 { return ProbeSumIds(OfInt32s(numbers[int32]()), a, b, c) },
		"i64s": func(a *float64, b *uint64, c *uintptr) int32 {
			return ProbeSumI64s(OfInt64s(numbers[int64]()), a, b, c)
		},
		"u8s": func(a *float64, b *uint64, c *uintptr) int32 { return ProbeSumU8s(OfBytes(numbers[byte]()), a, b, c) },
		"f32s": func(a *float64, b *uint64, c *uintptr) int32 {
			return ProbeSumF32s(OfFloat32s(numbers[float32]()), a, b, c)
		},
		"f64s": func(a *float64, b *uint64, c *uintptr) int32 {
			return ProbeSumF64s(OfFloat64s(numbers[float64]()), a, b, c)
		},
		"str": func(a *float64, b *uint64, c *uintptr) int32 {
			return ProbeSumStr(OfString(string(numbers[byte]())), a, b, c)
		},
	}
	for name, call := range calls {
		sum, size, slot := -1.0, uint64(math.MaxUint64), uintptr(0)
		if status := call(&sum, &size, &slot); status != 0 || sum != 3+2+12+4+25+54 || size != 6 {
			t.Errorf("%s: %d %v %d", name, status, sum, size)
		}
	}
}

func TestNothingComesIn(t *testing.T) {
	var sum float64
	var size uint64
	var slot uintptr
	for _, status := range []int32{
		ProbeSumIds(OfInt32s(nil), &sum, &size, &slot), ProbeSumIds(OfInt32s([]int32{}), &sum, &size, &slot), ProbeSumStr(OfString(""), &sum, &size, &slot),
		ProbeSumF64s(OfFloat64s(make([]float64, 3)[3:]), &sum, &size, &slot),
	} {
		if status != 0 || size != 0 || sum != 0 {
			t.Fatal(status, size, sum)
		}
	}
}

// A slice of an array that lies in an object with Go pointers may cross: its elements hold none.
func TestSliceOfAFieldBesidePointers(t *testing.T) {
	type mixed struct {
		name *string
		ids  [6]int32
		more map[string]string
	}
	word := "x"
	m := &mixed{name: &word, ids: [6]int32{3, 1, 4, 1, 5, 9}, more: map[string]string{"a": "b"}}
	var sum float64
	var size uint64
	var slot uintptr
	if status := ProbeSumIds(OfInt32s(m.ids[:]), &sum, &size, &slot); status != 0 || sum != 100 {
		t.Fatal(status, sum)
	}
	if status := ProbeFillIds(3, IntoInt32s(m.ids[1:4]), &size, &slot); status != 0 || m.ids != [6]int32{3, 0, 1, 2, 5, 9} {
		t.Fatal(status, m.ids)
	}
	stack := [4]int32{1, 1, 1, 1}
	if status := ProbeSumIds(OfInt32s(stack[1:3]), &sum, &size, &slot); status != 0 || sum != 3 {
		t.Fatal(status, sum)
	}
}

func TestMatrices(t *testing.T) {
	var sum float64
	var rows, cols uint64
	var slot uintptr
	// Rows of 3 numbers, 4 apart, the first two counted: (1·1000 + 2·1001)·1 + (5·1000 + 6·1001)·2.
	values := []float32{1, 2, 3, 4, 5, 6, 7}
	want := (1*1000.0 + 2*1001.0) + 2*(5*1000.0+6*1001.0)
	if status := ProbeSumF32Rows(OfFloat32Rows(values, 2, 2, 4), &sum, &rows, &cols, &slot); status != 0 || sum != want || rows != 2 || cols != 2 {
		t.Fatal(status, sum, want, rows, cols)
	}
	wide := []float64{1, 2, 3, 4, 5, 6, 7}
	if status := ProbeSumF64Rows(OfFloat64Rows(wide, 2, 2, 4), &sum, &rows, &cols, &slot); status != 0 || sum != want {
		t.Fatal(status, sum, want)
	}
	if status := ProbeFillF32Rows(IntoFloat32Rows(values, 2, 2, 4), &slot); status != 0 || !reflect.DeepEqual(values, []float32{0, 1, 3, 4, 100, 101, 7}) {
		t.Fatal(status, values)
	}
	if status := ProbeFillF64Rows(IntoFloat64Rows(wide, 2, 3, 4), &slot); status != 0 || !reflect.DeepEqual(wide, []float64{0, 1, 2, 4, 100, 101, 102}) {
		t.Fatal(status, wide)
	}
	if status := ProbeSumF64Rows(OfFloat64Rows(nil, 0, 0, 0), &sum, &rows, &cols, &slot); status != 0 || sum != 0 {
		t.Fatal(status, sum)
	}
	for _, shape := range [][3]int{{2, 2, 6}, {3, 2, 4}, {1, 8, 8}, {2, 3, 2}, {-1, 2, 2}, {math.MaxInt, 2, math.MaxInt}, {2, 2, math.MaxInt}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", shape)
				}
			}()
			OfFloat64Rows(wide, shape[0], shape[1], shape[2])
		}()
	}
}

func TestBuffersAreFilled(t *testing.T) {
	ids, i64s, u8s, f32s, f64s := make([]int32, 4), make([]int64, 4), make([]byte, 4), make([]float32, 4), make([]float64, 4)
	size := uint64(math.MaxUint64)
	var slot uintptr
	for _, status := range []int32{
		ProbeFillIds(4, IntoInt32s(ids), &size, &slot), ProbeFillI64s(4, IntoInt64s(i64s), &size, &slot), ProbeFillU8s(4, IntoBytes(u8s), &size, &slot),
		ProbeFillF32s(4, IntoFloat32s(f32s), &size, &slot), ProbeFillF64s(4, IntoFloat64s(f64s), &size, &slot),
	} {
		if status != 0 || size != 4 {
			t.Fatal(status, size)
		}
	}
	for i := range ids {
		if ids[i] != int32(i) || i64s[i] != int64(i) || u8s[i] != byte(i) || f32s[i] != float32(i) || f64s[i] != float64(i) {
			t.Fatal(ids, i64s, u8s, f32s, f64s)
		}
	}
	size = 77
	if status := ProbeFillIds(5, IntoInt32s(ids), &size, &slot); status != 6 || size != 77 {
		t.Fatal(status, size)
	}
}

// A C write of 32 bits must not leave half of a Go variable as it was.
func TestNumbersKeepTheirWidth(t *testing.T) {
	var slot uintptr
	i32, i64, u64, size, real, field := int32(-1), int64(-1), uint64(math.MaxUint64), uint64(math.MaxUint64), math.NaN(), int32(-1)
	guard := [3]int32{7, -1, 7}
	if ProbeInt32(5, &i32, &slot) != 0 || i32 != 5 || ProbeInt32(math.MinInt32, &i32, &slot) != 0 || i32 != math.MinInt32 {
		t.Fatal(i32)
	}
	if ProbeInt32(5, &guard[1], &slot) != 0 || guard != [3]int32{7, 5, 7} {
		t.Fatal(guard)
	}
	if ProbeField(105, &field, &slot) != 0 || field != 105 {
		t.Fatal(field)
	}
	if ProbeInt64(math.MinInt64, &i64, &slot) != 0 || i64 != math.MinInt64 {
		t.Fatal(i64)
	}
	if ProbeUint64(1<<63+1, &u64, &slot) != 0 || u64 != 1<<63+1 || ProbeSize(5, &size, &slot) != 0 || size != 5 {
		t.Fatal(u64, size)
	}
	if ProbeDouble(0.1, &real, &slot) != 0 || real != 0.1 {
		t.Fatal(real)
	}
	if ProbeReturnInt32(-5) != -5 || ProbeReturnInt64(math.MinInt64) != math.MinInt64 || ProbeReturnUint64(math.MaxUint64) != math.MaxUint64 ||
		ProbeReturnSize(math.MaxUint64) != math.MaxUint64 || ProbeReturnDouble(0.5) != 0.5 {
		t.Fatal("returned")
	}
}

func thing(t *testing.T) uintptr {
	var made, slot uintptr
	if ProbeThingNew(&made, &slot) != 0 || made == 0 {
		t.Fatal("new")
	}
	return made
}

func TestTextAndArraysAreCopiedOut(t *testing.T) {
	before := ProbeThingCount()
	p := thing(t)
	var slot uintptr
	for _, text := range []string{"", "a\x00b", "Grüße, 世界", "\xff\xed\xa0\x80"} {
		var view Str
		if ProbeThingKeep(p, OfString(text), &slot) != 0 || Text(ProbeThingText(p)) != text || ProbeThingStr(p, &view, &slot) != 0 || Text(view) != text {
			t.Fatalf("%q", text)
		}
	}
	var ids IDs
	var i64s I64s
	var u8s U8s
	var f32s F32s
	var f64s, nothing F64s
	if ProbeThingIds(p, &ids, &slot)+ProbeThingI64s(p, &i64s, &slot)+ProbeThingU8s(p, &u8s, &slot)+ProbeThingF32s(p, &f32s, &slot)+ProbeThingF64s(p, &f64s, &slot)+
		ProbeThingNothing(p, &nothing, &slot) != 0 {
		t.Fatal("lend")
	}
	a, b, c, d, e, none := Int32s(ids), Int64s(i64s), Bytes(u8s), Float32s(f32s), Float64s(f64s), Float64s(nothing)
	ProbeThingFree(p)
	if ProbeThingCount() != before {
		t.Fatal("count")
	}
	ProbeThingFree(0)
	for i := range a {
		if a[i] != int32(10+i) || b[i] != int64(10+i) || c[i] != byte(10+i) || d[i] != float32(10+i) || e[i] != float64(10+i) {
			t.Fatal(a, b, c, d, e)
		}
	}
	if len(a) != 5 || none == nil || len(none) != 0 {
		t.Fatal(a, none)
	}
}

func TestFindingsAndManyResults(t *testing.T) {
	p := thing(t)
	defer ProbeThingFree(p)
	var slot uintptr
	var found Findings
	a, b, c, size := int32(0), int64(0), 0.0, uint64(0)
	var text Str
	var ids IDs
	if ProbeThingKeep(p, OfString("so"), &slot) != 0 || ProbeThingAll(p, &found, &a, &b, &c, &text, &ids, &size, &slot) != 0 {
		t.Fatal("all")
	}
	all := AllOf(found)
	for j, f := range all {
		base := int64(100 * j)
		value := reflect.ValueOf(f)
		for i := 0; i < value.NumField(); i++ {
			field := value.Field(i)
			if field.CanFloat() && field.Float() != float64(base+int64(i))+0.5 || field.CanInt() && field.Int() != base+int64(i) {
				t.Fatal(j, i, f)
			}
		}
	}
	if len(all) != 2 || Unknown(found) != 1<<63+1 || a != -7 || b != math.MinInt64 || c != 0.5 || size != math.MaxUint64 || Text(text) != "so" || len(Int32s(ids)) != 5 {
		t.Fatal(len(all), Unknown(found), a, b, c, size)
	}
}

func TestErrorsFromManyGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for g := 0; g < 64; g++ {
		group.Add(1)
		go func(g int) {
			defer group.Done()
			ids := make([]int32, 100+g)
			for i := range ids {
				ids[i] = int32(g)
			}
			for i := 0; i < 200; i++ {
				var slot uintptr
				if status := ProbeFail(int32(1+g%10), int32(i%2), &slot); status != int32(1+g%10) || (slot == 0) != (i%2 == 1) {
					t.Error(status, slot)
				}
				if g%8 == 0 && i%50 == 0 {
					runtime.GC()
				}
				var sum float64
				var size uint64
				if ProbeSumIds(OfInt32s(ids), &sum, &size, &slot) != 0 || sum != float64(g)*float64(len(ids)*(len(ids)+1)/2) {
					t.Error(sum)
				}
			}
		}(g)
	}
	group.Wait()
}

func BenchmarkSumIds32K(b *testing.B) {
	ids := make([]int32, 32768)
	var sum float64
	var size uint64
	var slot uintptr
	for i := 0; i < b.N; i++ {
		ProbeSumIds(OfInt32s(ids), &sum, &size, &slot)
	}
}
