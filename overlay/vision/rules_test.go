package vision

import (
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// properties are what holds for every model, size and detail.
func properties(t testing.TB, m Model, d Detail, size image.Point) {
	if m.Vendor == alibaba && m.Check(size, d) != nil {
		return // over 200 times as long as wide its formula has no answer
	}
	fit := m.Fit(size, d)
	fail := func(what string) { t.Fatalf("%s %s %v: %v %s", m.Name, d, size, fit, what) }
	if fit.X < 1 || fit.Y < 1 {
		fail("has a side under 1 px")
	}
	if again := m.Fit(fit, d); again != fit {
		fail(fmt.Sprint("would be resized again, to ", again))
	}
	if m.Vendor != alibaba {
		if fit.X > size.X || fit.Y > size.Y {
			fail("is larger than the picture")
		}
		// Both sides by one factor, each rounded: fit.X/size.X is fit.Y/size.Y to
		// within a px of either, but where a side ended at 1 px.
		off := abs(fit.X*size.Y - fit.Y*size.X)
		if off > size.X+size.Y && min(fit.X, fit.Y) > 1 && m.Row != "unknown" {
			fail("has other proportions")
		}
	}
	if e := m.Tokens(size, d); e.Tokens < 0 || e.Tokens == 0 && m.Row != "unknown" {
		fail(fmt.Sprint("costs ", e))
	} else if e != m.Tokens(fit, d) {
		fail(fmt.Sprint("costs ", e, " and once it fits ", m.Tokens(fit, d)))
	}
	if m.Row == "unknown" {
		for _, other := range table() {
			if got := other.Fit(fit, Auto); got != fit && other.Vendor != alibaba {
				fail(fmt.Sprintf("is resized by %s to %v", other.Name, got))
			}
		}
	}
}

func FuzzFit(f *testing.F) {
	for _, s := range []image.Point{{1, 1}, {1280, 720}, {1, 60000}, {40000, 3}, {1249, 1249}, {2049, 769},
		{65536, 65536}} {
		f.Add(uint32(s.X), uint32(s.Y))
	}
	f.Fuzz(func(t *testing.T, w, h uint32) {
		size := image.Pt(int(w%131072)+1, int(h%131072)+1)
		for _, m := range Models() {
			for _, d := range append(m.Details(), Auto) {
				properties(t, m, d, size)
			}
		}
	})
}

// TestProperties walks sizes around every limit, where rounding goes wrong if it does.
func TestProperties(t *testing.T) {
	var sides []int
	for _, edge := range []int{1, 28, 32, 200, 384, 512, 720, 768, 1152, 1280, 1568, 2048, 2576, 6000} {
		sides = append(sides, edge, edge+1, edge+17)
	}
	for _, m := range Models() {
		for _, d := range append(m.Details(), Auto) {
			for _, w := range sides {
				for _, h := range sides {
					properties(t, m, d, image.Pt(w, h))
				}
			}
		}
	}
}

// TestAgainstFormulas compares with the vendors' formulas as they are published, in
// floating point: sizes may differ by the px that a rounding decides, never by more,
// and only seldom.
func TestAgainstFormulas(t *testing.T) {
	patchBudget := func(w, h float64, budget float64) image.Point {
		if s := 2048 / math.Max(w, h); s < 1 {
			w, h = w*s, h*s
		}
		if math.Ceil(w/32)*math.Ceil(h/32) <= budget {
			return image.Pt(int(math.Round(w)), int(math.Round(h)))
		}
		s := math.Sqrt(32 * 32 * budget / (w * h))
		s *= math.Min(math.Floor(w*s/32)/(w*s/32), math.Floor(h*s/32)/(h*s/32))
		return image.Pt(int(math.Round(w*s)), int(math.Round(h*s)))
	}
	smart := func(w, h, side, least, most float64) image.Point {
		a, b := math.RoundToEven(w/side)*side, math.RoundToEven(h/side)*side
		a, b = math.Max(a, side), math.Max(b, side)
		switch {
		case a*b > most:
			beta := math.Sqrt(w * h / most)
			a, b = math.Max(side, math.Floor(w/beta/side)*side), math.Max(side, math.Floor(h/beta/side)*side)
		case a*b < least:
			beta := math.Sqrt(least / (w * h))
			a, b = math.Ceil(w*beta/side)*side, math.Ceil(h*beta/side)*side
		}
		return image.Pt(int(a), int(b))
	}
	tests := map[string]struct {
		model  string
		detail Detail
		want   func(w, h float64) image.Point
	}{
		"patches": {"gpt-5-mini", High, func(w, h float64) image.Point { return patchBudget(w, h, 1536) }},
		"qwen2.5": {"qwen2.5-vl", High, func(w, h float64) image.Point { return smart(w, h, 28, 3136, 12845056) }},
		"qwen3":   {"qwen3-vl", High, func(w, h float64) image.Point { return smart(w, h, 32, 65536, 16777216) }},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, _ := Lookup(tt.model)
			n, off := 0, 0
			for w := 30; w < 6000; w += 37 {
				for h := 30; h < 6000; h += 41 {
					got, want := m.Fit(image.Pt(w, h), tt.detail), tt.want(float64(w), float64(h))
					if n++; got == want {
						continue
					}
					off++
					require.LessOrEqual(t, max(abs(got.X-want.X), abs(got.Y-want.Y)), 32, "%d x %d: %v, by the formula %v", w, h, got,
						want)
				}
			}
			t.Logf("%d of %d sizes differ", off, n)
			require.Less(t, off*100, n)
		})
	}
}
