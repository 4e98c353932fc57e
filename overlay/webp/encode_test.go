package webp

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	decoder "golang.org/x/image/webp"
)

// pictures are of every kind that the encoder treats apart.
func pictures() map[string]*image.RGBA {
	out := map[string]*image.RGBA{}
	add := func(name string, w, h int, at func(x, y int) color.RGBA) {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for y := range h {
			for x := range w {
				img.SetRGBA(x, y, at(x, y))
			}
		}
		out[name] = img
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	grey := func(v int) color.RGBA { return color.RGBA{uint8(v), uint8(v), uint8(v), 255} }
	add("one px", 1, 1, func(x, y int) color.RGBA { return color.RGBA{1, 2, 3, 255} })
	add("black", 40, 30, func(x, y int) color.RGBA { return grey(0) })
	add("white", 300, 200, func(x, y int) color.RGBA { return grey(255) })
	add("a row", 500, 1, func(x, y int) color.RGBA { return grey(x / 3) })
	add("a column", 1, 500, func(x, y int) color.RGBA { return grey(y * 7) })
	add("two colours", 65, 65, func(x, y int) color.RGBA { return grey(255 * ((x / 4) & 1)) })
	add("ramp", 256, 256, func(x, y int) color.RGBA { return color.RGBA{uint8(x), uint8(y), uint8(x + y), 255} })
	add("noise", 301, 203, func(x, y int) color.RGBA {
		return color.RGBA{uint8(rnd.Uint32()), uint8(rnd.Uint32()), uint8(rnd.Uint32()), 255}
	})
	// Counts like Fibonacci's make the deepest Huffman codes there are.
	var deep []uint8
	for v, a, b := 0, 1, 1; v < 24; v, a, b = v+1, b, a+b {
		for range a {
			deep = append(deep, uint8(v*10))
		}
	}
	rnd.Shuffle(len(deep), func(i, k int) { deep[i], deep[k] = deep[k], deep[i] })
	add("deep codes", 400, len(deep)/400, func(x, y int) color.RGBA { return grey(int(deep[y*400+x])) })
	add("page", 640, 400, func(x, y int) color.RGBA {
		switch {
		case y%20 == 0 || x%160 == 0:
			return grey(30)
		case y%20 > 6 && y%20 < 14 && (x*7+y*3)%5 < 2 && x%160 < 120:
			return color.RGBA{20, 80, 200, 255}
		}
		return grey(255)
	})
	add("transparent", 64, 48, func(x, y int) color.RGBA {
		a := uint32(x * 4)
		return color.RGBA{uint8(200 * a / 255), uint8(uint32(y) * a / 255), uint8(a / 2), uint8(a)}
	})
	return out
}

// decoded is a WebP as RGBA.
func decoded(t testing.TB, data []byte) *image.RGBA {
	t.Helper()
	img, err := decoder.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, image.Point{}, draw.Src)
	return out
}

func encoded(t testing.TB, img *image.RGBA) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Encode(&b, img))
	return b.Bytes()
}

// asPNG is the picture as it comes back from a PNG, which rounds transparent px too.
func asPNG(t testing.TB, img *image.RGBA) *image.RGBA {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	back, err := png.Decode(&b)
	require.NoError(t, err)
	out := image.NewRGBA(back.Bounds())
	draw.Draw(out, out.Rect, back, image.Point{}, draw.Src)
	return out
}

// TestEncode: a decoder that is not ours gives back every px.
func TestEncode(t *testing.T) {
	for name, img := range pictures() {
		t.Run(name, func(t *testing.T) {
			data := encoded(t, img)
			require.Zero(t, len(data)%2)
			got := decoded(t, data)
			require.Equal(t, img.Rect, got.Rect)
			require.True(t, bytes.Equal(asPNG(t, img).Pix, got.Pix))
			require.Equal(t, data, encoded(t, img), "twice the same bytes")
			var p bytes.Buffer
			require.NoError(t, png.Encode(&p, img))
			t.Logf("%d bytes, as PNG %d", len(data), p.Len())
		})
	}
}

// TestEncodePart: a part of a picture is encoded as if it stood alone.
func TestEncodePart(t *testing.T) {
	img := pictures()["ramp"]
	part := img.SubImage(image.Rect(17, 30, 140, 99)).(*image.RGBA)
	got := decoded(t, encoded(t, part))
	require.Equal(t, image.Rect(0, 0, 123, 69), got.Rect)
	require.Equal(t, img.RGBAAt(17, 30), got.RGBAAt(0, 0))
	require.Equal(t, img.RGBAAt(139, 98), got.RGBAAt(122, 68))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestEncodeErrors(t *testing.T) {
	for _, size := range []image.Point{{}, {0, 4}, {MaxSide + 1, 1}, {1, MaxSide + 1}} {
		err := Encode(&bytes.Buffer{}, image.NewRGBA(image.Rectangle{Max: size}))
		require.ErrorContains(t, err, fmt.Sprintf("picture of %d x %d px as WebP: sides", size.X, size.Y))
	}
	require.NoError(t, Encode(&bytes.Buffer{}, image.NewRGBA(image.Rect(0, 0, MaxSide, 1))))
	require.ErrorContains(t, Encode(broken{}, pictures()["one px"]), "disk full")
}

// FuzzEncode: whatever the px, the decoder gives them back.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{1, 2, 3, 255}, uint16(9), uint16(5), uint8(0))
	f.Add([]byte{0, 0, 0, 255, 255, 255, 255, 255}, uint16(70), uint16(40), uint8(3))
	f.Fuzz(func(t *testing.T, seed []byte, w, h uint16, kind uint8) {
		size := image.Pt(int(w%300)+1, int(h%120)+1)
		img := image.NewRGBA(image.Rectangle{Max: size})
		rnd := rand.New(rand.NewPCG(uint64(w), uint64(h)))
		for i := 0; i+3 < len(img.Pix); i += 4 {
			p := img.Pix[i : i+4]
			for k := range p {
				if len(seed) > 0 {
					p[k] = seed[(i+k)%len(seed)]
				}
			}
			if kind&1 != 0 && rnd.IntN(8) == 0 { // breaks the runs
				p[rnd.IntN(3)] = uint8(rnd.Uint32() >> (kind >> 5))
			}
			if kind&2 == 0 {
				p[3] = 255
			}
			p[0], p[1], p[2] = min(p[0], p[3]), min(p[1], p[3]), min(p[2], p[3])
		}
		if got := decoded(t, encoded(t, img)); !bytes.Equal(asPNG(t, img).Pix, got.Pix) {
			t.Fatalf("%v: px differ", size)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	img := pictures()["page"]
	b.SetBytes(int64(len(img.Pix)))
	for b.Loop() {
		if err := Encode(&bytes.Buffer{}, img); err != nil {
			b.Fatal(err)
		}
	}
}
