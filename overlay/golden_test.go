package overlay

import (
	"encoding/json"
	"flag"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

// golden compares decoded pixels, so that another PNG encoder changes nothing.
func golden(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		b, err := EncodePNG(got, false)
		require.NoError(t, err)
		write(t, path, b)
		return
	}
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	want, err := DecodePNG(b)
	require.NoError(t, err)
	require.Equal(t, want.Rect, got.Rect)
	require.True(t, string(want.Pix) == string(got.Pix), "picture differs from %s; look at both, then run with -update", path)
}

func goldenText(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

func TestDraw(t *testing.T) {
	tests := map[string]Options{
		"qa":         {},
		"model":      {View: ViewModel, Renumber: true},
		"containers": {Containers: true},
	}
	for name, o := range tests {
		t.Run(name, func(t *testing.T) {
			p := shopPage()
			img := p.picture(t, 1)
			NewScene(p.c, img.Rect.Size(), o).Draw(img)
			golden(t, "shop-"+name, img)
		})
	}
}

func TestManifestAndLegend(t *testing.T) {
	p := shopPage()
	s := NewScene(p.c, image.Pt(700, 525), Options{})
	b, err := json.MarshalIndent(s.Manifest("OUT.png"), "", " ")
	require.NoError(t, err)
	goldenText(t, "shop.json", append(b, '\n'))
	goldenText(t, "shop.txt", []byte(s.Legend()))
	m := NewScene(p.c, image.Pt(700, 525), Options{View: ViewModel, Renumber: true})
	goldenText(t, "shop-model.txt", []byte(m.Legend()))
}

func TestComposeGolden(t *testing.T) {
	p := shopPage()
	img := p.picture(t, 2)
	s := NewScene(p.c, img.Rect.Size(), Options{})
	pyr := NewPyramid(img)
	all := Layers{true, true, true, true}
	tests := map[string]struct {
		cam Camera
		l   Layers
	}{
		"fit":     {Camera{Scale: 0.3, X: -30, Y: -20}, all},
		"zoomed":  {Camera{Scale: 1.5, X: 700, Y: 750}, all},
		"dense":   {Camera{Scale: 1, X: 650, Y: 700, Density: 2}, all},
		"no-page": {Camera{Scale: 0.3, X: -30, Y: -20}, Layers{Boxes: true, Occlusion: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dst := image.NewRGBA(image.Rect(0, 0, 440, 340))
			Compose(dst, pyr, s, tt.cam, tt.l, ground)
			golden(t, "window-"+name, dst)
		})
	}
}

// TestSameOnAnyProcessors: threads must not show in pixels.
func TestSameOnAnyProcessors(t *testing.T) {
	type result struct{ export, frame []byte }
	run := func(procs int) result {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		p := cardPage(200)
		img := p.picture(t, 1.25)
		pyr := NewPyramid(img)
		s := NewScene(p.c, img.Rect.Size(), Options{})
		frame := image.NewRGBA(image.Rect(0, 0, 901, 607))
		Compose(frame, pyr, s, Camera{Scale: 0.437, X: 3.7, Y: -11.2}, Layers{true, true, true, true}, ground)
		out := image.NewRGBA(img.Rect)
		copy(out.Pix, img.Pix)
		s.Draw(out)
		return result{out.Pix, frame.Pix}
	}
	want := run(1)
	for _, n := range []int{2, 3, 8} {
		got := run(n)
		require.True(t, string(want.export) == string(got.export), "export with %d processors", n)
		require.True(t, string(want.frame) == string(got.frame), "frame with %d processors", n)
	}
}
