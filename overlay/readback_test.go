package overlay

import (
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/testpages"
)

// markFor resizes the picture to that size and marks it, as an export does.
func markFor(c *snapshot.Capture, img *image.RGBA, to image.Point) (*image.RGBA, Manifest) {
	img = vision.Resize(img, to)
	s := NewScene(c, to, Options{View: ViewModel})
	s.Draw(img)
	return img, s.Manifest("x.png")
}

// readBack counts the labels of a manifest, and those that are read off the picture
// as the number that the manifest has for them. Wrong ones are returned in words.
func readBack(rd *reader, img *image.RGBA, m Manifest, scale float64) (all, read int, wrong []string) {
	for _, k := range m.Marks {
		if k.Label == nil {
			continue
		}
		l := *k.Label
		r := image.Rect(int(l[0]*scale), int(l[1]*scale), int((l[0]+l[2])*scale+0.999), int((l[1]+l[3])*scale+0.999))
		all++
		if s := rd.read(img, r); s == strconv.Itoa(k.Number) {
			read++
		} else {
			wrong = append(wrong, fmt.Sprintf("%d at %v read as %q", k.Number, r, s))
		}
	}
	return all, read, wrong
}

// grown is the reader that also knows the digits of a picture of that size, where it has more px for a CSS px.
func (rd *reader) grown(t testing.TB, c *snapshot.Capture, size image.Point) *reader {
	t.Helper()
	by := float64(size.X) / c.Viewport.Width
	if by <= 1 {
		return rd
	}
	sc := NewScene(c, size, Options{View: ViewModel})
	return newReader(t, math.Round(by*fontPx), math.Round(by*fontFloorPx), leastFont(sc.density, sc.seen()))
}

// sizesOf are the sizes at which the models see a picture of that size, each once,
// by the first model that has it.
func sizesOf(size image.Point) (sizes []image.Point, by []string) {
	seen := map[image.Point]bool{}
	for _, m := range vision.Models() {
		if to := m.Fit(size, vision.Auto); !seen[to] {
			seen[to] = true
			sizes, by = append(sizes, to), append(by, m.Name)
		}
	}
	return sizes, by
}

// TestReadBack: on the dense layouts, for every model and for pictures of one and of
// two px per CSS px, every label is read.
func TestReadBack(t *testing.T) {
	rd := newReader(t)
	for name, p := range pages() {
		for _, scale := range []float64{1, 2} {
			if scale > 1 && testing.Short() {
				continue
			}
			img := p.picture(t, scale)
			sizes, by := sizesOf(img.Rect.Size())
			for i, to := range sizes {
				t.Run(fmt.Sprintf("%s at %g for %s", name, scale, by[i]), func(t *testing.T) {
					got, m := markFor(p.c, img, to)
					rd := rd.grown(t, p.c, to)
					all, read, wrong := readBack(rd, got, m, 1)
					require.NotZero(t, all)
					require.Equal(t, all, read, "not read: %v", wrong)
				})
			}
		}
	}
}

// TestReadBackFails is the control. Marks that are drawn first and resized with the
// picture, as a vendor does it to those who do not, are lost, and the more the more
// it shrinks: so the reader is neither blind to what a resize leaves nor fooled. The digits of the first style are those
// that do not grow with the picture.
func TestReadBackFails(t *testing.T) {
	rd := newReader(t)
	share := func(from, to image.Point) float64 {
		all, read := 0, 0
		for _, name := range []string{"list n=150", "icon grid n=200", "form n=50", "prose"} {
			p := pages()[name]
			s := NewScene(p.c, from, Options{View: ViewModel, Style: StyleFirst})
			img := p.picture(t, float64(from.X)/1280)
			s.Draw(img)
			a, r, _ := readBack(rd, vision.Resize(img, to), s.Manifest("x.png"), float64(to.X)/float64(from.X))
			all, read = all+a, read+r
		}
		t.Logf("%v to %v: %.1f %% of %d labels are read", from, to, 100*float64(read)/float64(all), all)
		return float64(read) / float64(all)
	}
	m, ok := vision.Lookup("gpt-4o")
	require.True(t, ok)
	wide := image.Pt(1440, 810)
	high := image.Pt(2560, 1440)
	require.Greater(t, share(wide, m.Fit(wide, vision.Auto)), 0.8, "at nine tenths of the size")
	require.Less(t, share(high, m.Fit(high, vision.Auto)), 0.5, "at half the size")
}

// TestReader: the reader reads what is there, and only that.
func TestReader(t *testing.T) {
	rd := newReader(t)
	letters, err := newLetterings(1)
	require.NoError(t, err)
	for i := range letters[:fontPx-fontFloorPx+1] { // those of a model's picture
		for n := range 1200 {
			w, h := letters[i].size(len(strconv.Itoa(n)))
			img := noise(w+8, h+8, uint64(n))
			r := image.Rect(4, 4, 4+w, 4+h)
			fill(img, r, paper)
			fill(img, r.Inset(letters[i].rim), black)
			letters[i].face.Draw(img, r.Min.X+letters[i].penX, r.Min.Y+letters[i].base, strconv.Itoa(n), paper)
			require.Equal(t, strconv.Itoa(n), rd.read(img, r), "in size %d", i)
		}
	}
	plate := image.NewRGBA(image.Rect(0, 0, 30, 15))
	fill(plate, plate.Rect, black)
	require.Empty(t, rd.read(plate, plate.Rect), "an empty plate")
}

// noise is a picture of nothing in particular, the worst ground there is.
func noise(w, h int, seed uint64) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	rnd := rand.New(rand.NewPCG(seed, 7))
	for i := range img.Pix {
		img.Pix[i] = uint8(rnd.Uint32())
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	return img
}

// TestReadBackCaptures does the same on captures of whole pages, which have no pictures, so
// the ground is noise.
func TestReadBackCaptures(t *testing.T) {
	rd := newReader(t)
	all, read, pages := 0, 0, testpages.Captures(t)
	for i, name := range slices.Sorted(maps.Keys(pages)) {
		if i%testneed.Cases(6, 1, 1) > 0 {
			continue
		}
		c := pages[name]
		img := noise(2*int(c.Viewport.Width), 2*int(c.Viewport.Height), uint64(i+1))
		sizes, by := sizesOf(img.Rect.Size())
		for i, to := range sizes {
			got, m := markFor(c, img, to)
			rd := rd.grown(t, c, to)
			a, r, wrong := readBack(rd, got, m, 1)
			all, read = all+a, read+r
			for _, w := range wrong {
				t.Errorf("%s for %s: %s", name, by[i], w)
			}
		}
	}
	t.Logf("%d captures, %d labels, %d read", len(pages), all, read)
	require.NotZero(t, all)
}
