// Package goldentest compares what tests make with files of their testdata folder. With the
// flag -update it writes the files instead: look at them before you commit them.
package goldentest

import (
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// update is declared here for all packages whose tests have goldens of this kind.
var update = flag.Bool("update", false, "write the golden files instead of comparing")

// Updating reports whether files are written: for figures that may only become better.
func Updating() bool { return *update }

// Picture compares decoded pixels with testdata/NAME.png, so that another PNG encoder
// changes nothing.
func Picture(t testing.TB, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		write(t, path, func(f *os.File) error {
			return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, got)
		})
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	want := image.NewRGBA(img.Bounds())
	draw.Draw(want, want.Rect, img, img.Bounds().Min, draw.Src)
	if want.Rect != got.Rect {
		t.Fatalf("picture of %v, and %s is of %v", got.Rect, path, want.Rect)
	}
	if string(want.Pix) != string(got.Pix) {
		t.Fatalf("picture differs from %s; look at both, then run with -update", path)
	}
}

// Text compares with testdata/NAME.
func Text(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, func(f *os.File) error { _, err := f.WriteString(got); return err })
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Fatalf("text differs from %s; got:\n%s", path, got)
	}
}

func write(t testing.TB, path string, fill func(*os.File) error) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
