// Package atlas draws monospaced text on pixels, quickly and the same everywhere.
//
// Labels on a marked picture and the lines of the dump view are made of a few
// hundred different glyphs drawn many thousand times. A [Face] turns each glyph
// into a mask of coverage values once; after that a character is a copy of some
// 7 by 10 bytes and no font code runs. Advance and baseline are whole pixels, so
// a character looks the same wherever it is, a column is a multiplication,
// and two pictures of the same text are equal byte for byte.
//
// A rune that the font lacks is drawn as a box with its number in hexadecimal:
// no text of a page is left out silently. Callers that know a better way
// for other scripts ask [Face.Has] first.
package atlas

import (
	"fmt"
	"image"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Printable ASCII has a table of its own: it is most of every page, and reading
// it takes no lock.
const (
	asciiFirst = ' '
	asciiLast  = '~'
)

// Sizes outside these are refused: below, digits are not digits any more; above,
// a glyph is a picture and masks stop being cheap.
const (
	minSize = 4
	maxSize = 200
)

// glyph is one rune as coverage: 0 is clear, 255 is covered. The offset is from
// the pen's position on the baseline to the mask's top left corner.
type glyph struct {
	pix    []uint8
	w, h   int
	ox, oy int
}

// Face is one font at one pixel size. It is safe for concurrent use.
type Face struct {
	font    *sfnt.Font
	ppem    fixed.Int26_6
	advance int
	ascent  int
	height  int
	plain   bool // 0 has no slash

	ascii [asciiLast - asciiFirst + 1]atomic.Pointer[glyph] // filled as needed, under mu

	mu   sync.RWMutex
	buf  sfnt.Buffer // scratch space
	more map[rune]*glyph
}

// New makes a face from a TrueType or OpenType font. sizePx is the em size in
// device px, from 4 to 200. Hinting is off, and outlines are
// filled in integers, so the masks are equal on every system and processor.
func New(ttf []byte, sizePx float64) (*Face, error) {
	if !(sizePx >= minSize && sizePx <= maxSize) {
		return nil, fmt.Errorf("font size %g px: must be from %d to %d", sizePx, minSize, maxSize)
	}
	parsed, err := sfnt.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("font of %d bytes: %w", len(ttf), err)
	}
	f := &Face{font: parsed, ppem: fixed.Int26_6(sizePx*64 + 0.5), more: map[rune]*glyph{}}
	zero, err := parsed.GlyphIndex(&f.buf, '0')
	if err != nil || zero == 0 {
		return nil, fmt.Errorf("font of %d bytes: it has no digit 0", len(ttf))
	}
	adv, err := parsed.GlyphAdvance(&f.buf, zero, f.ppem, font.HintingNone)
	if err != nil {
		return nil, fmt.Errorf("font at %g px: width of 0: %w", sizePx, err)
	}
	m, err := parsed.Metrics(&f.buf, f.ppem, font.HintingNone)
	if err != nil {
		return nil, fmt.Errorf("font at %g px: metrics: %w", sizePx, err)
	}
	f.advance = max(1, adv.Round())
	f.ascent = m.Ascent.Round()
	f.height = max(1, f.ascent+m.Descent.Round())
	return f, nil
}

// NewNumbers makes a face as [New] does, for numbers alone: its 0 has no slash, since no letter O stands beside it,
// and readers of pictures take a small 50 with one for 58.
func NewNumbers(ttf []byte, sizePx float64) (*Face, error) {
	f, err := New(ttf, sizePx)
	if err == nil {
		f.plain = true
	}
	return f, err
}

// Advance is the width of one character cell in device px.
func (f *Face) Advance() int { return f.advance }

// Ascent is the distance from a cell's top to the baseline in device px.
func (f *Face) Ascent() int { return f.ascent }

// Height is the height of one character cell in device px. It is the font's own
// ascent plus descent; add leading to taste.
func (f *Face) Height() int { return f.height }

// Has reports whether the font can draw the rune.
func (f *Face) Has(r rune) bool {
	i, err := f.font.GlyphIndex(nil, r)
	return err == nil && i != 0
}

// DigitBounds is the smallest rectangle around the ink of all ten digits,
// relative to the pen on the baseline, in device px. Labels centre on it.
func (f *Face) DigitBounds() image.Rectangle {
	var r image.Rectangle
	for d := '0'; d <= '9'; d++ {
		if g := f.glyph(d); g != nil {
			r = r.Union(image.Rect(g.ox, g.oy, g.ox+g.w, g.oy+g.h))
		}
	}
	return r
}

// glyph is the mask of a rune, nil where the font lacks it.
func (f *Face) glyph(r rune) *glyph {
	if r >= asciiFirst && r <= asciiLast {
		if g := f.ascii[r-asciiFirst].Load(); g != nil {
			return g
		}
	} else {
		f.mu.RLock()
		g, ok := f.more[r]
		f.mu.RUnlock()
		if ok {
			return g
		}
		if !f.Has(r) {
			return nil // not remembered: there are a million of these and a page picks them
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.rasterise(r)
	if r >= asciiFirst && r <= asciiLast {
		f.ascii[r-asciiFirst].Store(g)
	} else {
		f.more[r] = g
	}
	return g
}

// rasterise makes a mask, nil where the font lacks the rune or its outline is
// broken. The caller holds mu.
func (f *Face) rasterise(r rune) *glyph {
	i, err := f.font.GlyphIndex(&f.buf, r)
	if err != nil || i == 0 {
		return nil
	}
	segs, err := f.font.LoadGlyph(&f.buf, i, f.ppem, nil)
	if err != nil {
		return nil
	}
	if r == '0' && f.plain {
		segs = withoutSlash(segs)
	}
	return fill(segs)
}

// withoutSlash is the outline of a 0 whose inner contours, which a slash divides, are one oval in their place.
func withoutSlash(segs sfnt.Segments) sfnt.Segments {
	inner := slices.IndexFunc(segs[1:], func(s sfnt.Segment) bool { return s.Op == sfnt.SegmentOpMoveTo }) + 1
	if inner == 0 {
		return segs // a font whose 0 is a ring of strokes, or has no hole
	}
	b := segs[inner:].Bounds()
	middle := fixed.Point26_6{X: (b.Min.X + b.Max.X) / 2, Y: (b.Min.Y + b.Max.Y) / 2}
	at := func(x, y fixed.Int26_6) fixed.Point26_6 { return fixed.Point26_6{X: x, Y: y} }
	curve := func(corner, to fixed.Point26_6) sfnt.Segment {
		return sfnt.Segment{Op: sfnt.SegmentOpQuadTo, Args: [3]fixed.Point26_6{corner, to}}
	}
	return append(slices.Clone(segs[:inner]), // the buffer is the font's; the oval turns as the contours do
		sfnt.Segment{Op: sfnt.SegmentOpMoveTo, Args: [3]fixed.Point26_6{at(middle.X, b.Max.Y)}},
		curve(b.Max, at(b.Max.X, middle.Y)), curve(at(b.Max.X, b.Min.Y), at(middle.X, b.Min.Y)),
		curve(b.Min, at(b.Min.X, middle.Y)), curve(at(b.Min.X, b.Max.Y), at(middle.X, b.Max.Y)))
}
