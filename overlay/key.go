package overlay

import (
	"image"
	"image/color"
	"strconv"

	"golang.org/x/image/font/gofont/gomono"

	"github.com/refscope/refscope/overlay/atlas"
)

// Sign is one shape with a meaning on a marked picture.
type Sign struct {
	// Name is covered, glass, cut, missed, filtered, dashed, named, leader, or role where the sign is
	// a colour.
	Name string
	// Words are what it means, in a few words without a full stop.
	Words string

	shade int
	look  markStyle
}

// Signs lists the signs that the picture has, in the order of the key: what is
// shaded, how boxes are drawn, labels, colours. The model's view has none.
func (s *Scene) Signs() []Sign { return s.signs }

func (s *Scene) usedSigns() []Sign {
	var out []Sign
	add := func(used bool, sign Sign) {
		if used {
			out = append(out, sign)
		}
	}
	var dashed, named, leader, untold, lacked bool
	palette := s.options.Palette.colors()
	colored := make([]bool, len(palette))
	for _, i := range s.reading {
		m := &s.marks[i]
		untold = untold || s.untold(m)
		lacked = lacked || s.lacked(m)
		dashed = dashed || m.Status == Covered && !s.untold(m) && !s.lacked(m)
		named = named || m.named()
		leader = leader || m.Leader
		if s.options.Palette == PaletteRole || s.options.Palette == PaletteCalm && !s.untold(m) && !s.lacked(m) {
			colored[m.group] = true
		}
	}
	plain := markStyle{color: s.options.Palette.color(groupOther)}
	for shade, sign := range [shades]Sign{
		shadeCovered:  {Name: "covered", Words: "Covered: clicks blocked"},
		shadeGlass:    {Name: "glass", Words: "Hidden: clicks pass"},
		shadeCut:      {Name: "cut", Words: "Continues off-screen"},
		shadeMissed:   {Name: "missed", Words: "Seen, not told to the model"},
		shadeFiltered: {Name: "filtered", Words: "Left out by a filter"},
	} {
		sign.shade = shade
		add(len(s.shaded[shade]) > 0, sign)
	}
	add(dashed, Sign{Name: "dashed", Words: "Clicks land elsewhere", look: markStyle{plain.color, true}})
	add(untold, Sign{Name: "dashed", Words: "No known line in the text sent", look: markStyle{untoldColor, true}})
	add(lacked, Sign{Name: "dashed", Words: "Not in " + s.options.LackedBy, look: markStyle{untoldColor, true}})
	number := plain
	if s.options.Palette == PaletteRole {
		number.color = color.RGBA{A: 255} // see plate
	}
	add(named, Sign{Name: "named", Words: "12 is under 30", look: number})
	add(leader, Sign{Name: "leader", Words: "Number of the box at its line", look: number})
	for k, used := range colored {
		add(used, Sign{Name: "role", Words: palette[k].word, look: markStyle{color: palette[k].color}})
	}
	return out
}

// Draw paints the sign on r of dst, as it looks on the picture. Density is px of
// dst for one px of the style.
func (sign *Sign) Draw(dst *image.RGBA, r image.Rectangle, density int) {
	density = min(max(1, density), maxDensity)
	letters, _ := newLetterings(float64(density)) // cannot fail: see NewScene
	in := r.Inset(outerPx * density)
	switch sign.Name {
	case "covered", "glass", "cut", "missed", "filtered":
		w := newWeave(sign.shade, density)
		pattern(dst, r, &w, r.Min)
	case "named":
		sign.label(dst, &letters, r, "12"+byArrow+"30")
	case "leader":
		w, _ := letters[1].size(1)
		left, right := r, r
		left.Max.X = r.Min.X + w
		right.Min.X = r.Max.X - r.Dy()*2/3
		right = right.Inset(outerPx * density)
		from, to := leaderLine(left, right)
		halo(dst, right, density)
		box(dst, right, density, sign.look)
		leader(dst, from, to, density, sign.look.color)
		sign.label(dst, &letters, left, "7")
	default:
		if !sign.look.dashed {
			halo(dst, in, density)
		}
		box(dst, in, density, sign.look)
	}
}

func (sign *Sign) label(dst *image.RGBA, letters *letterings, r image.Rectangle, text string) {
	w, h := letters[1].size(len([]rune(text)))
	at := image.Pt(r.Min.X, r.Min.Y+floorHalf(r.Dy()-h))
	label(dst, &letters[1], image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}, text, sign.look.color)
}

// The measures of the strip below the picture, in px.
const (
	stripRow    = 22 // height of a row
	stripPad    = 8  // free px at the sides and between entries' text and next sign
	stripSwatch = 40 // width of a sign
	stripGap    = 6  // from a sign to its words
	stripFontPx = 12
)

// entry is one sign of the strip, with its place in px of the picture.
type entry struct {
	sign *Sign
	at   image.Point // top left
}

// hasStrip reports whether the picture has a strip with the key below it.
func (s *Scene) hasStrip() bool { return s.options.Key && len(s.signs) > 0 && s.size.X > 0 }

// Extent is the size in px of the drawn picture: [Scene.Size], and below that the
// strip with the key where Options.Key asks and the picture has signs. It is
// below and not on the picture because there it would hide what it explains;
// coordinates are unchanged.
func (s *Scene) Extent() image.Point {
	if !s.hasStrip() {
		return s.size
	}
	_, rows, _ := s.strip()
	return image.Pt(s.size.X, s.size.Y+s.px(rows*stripRow+2*(stripPad/2)))
}

// strip lays out the signs in rows as wide as the picture. Words that are wider
// than it are cut at its edge.
func (s *Scene) strip() ([]entry, int, *atlas.Face) {
	face, err := atlas.New(gomono.TTF, float64(s.px(stripFontPx)))
	if err != nil {
		return nil, 0, nil // embedded, so never
	}
	var out []entry
	pad, between := s.px(stripPad), s.px(stripSwatch+stripGap)
	x, row := pad, 0
	for i := range s.signs {
		w := between + face.Width(s.signs[i].Words)
		if x > pad && x+w+pad > s.size.X {
			x, row = pad, row+1
		}
		out = append(out, entry{&s.signs[i], image.Pt(x, s.size.Y+s.px(stripPad/2+row*stripRow))})
		x += w + 2*pad
	}
	return out, row + 1, face
}

func (s *Scene) drawStrip(dst *image.RGBA) {
	entries, _, face := s.strip()
	end := s.Extent()
	fill(dst, image.Rect(0, s.size.Y, end.X, end.Y), stripGround)
	for _, e := range entries {
		e.sign.Draw(dst, image.Rectangle{Min: e.at, Max: e.at.Add(image.Pt(s.px(stripSwatch), s.px(stripRow)))}.Inset(
			s.px(3)), s.density)
		face.Draw(dst, e.at.X+s.px(stripSwatch+stripGap), e.at.Y+s.px(stripRow/2+4), e.sign.Words, stripText)
	}
}

// byArrow is put between the number of a mark and that of what covers it.
const byArrow = "←"

// covererNumber is the number of what covers a mark, "" for none.
func (s *Scene) covererNumber(m *Mark) string {
	by := s.ByRef(m.Coverer)
	switch {
	case by == nil:
		if n := s.options.portion.number(m.Coverer); n > 0 {
			return strconv.Itoa(n) // on another tile
		}
		return ""
	case by.Number > 0:
		return by.plain
	case s.options.Number != nil:
		return strconv.Itoa(s.options.Number(by.Ref))
	case s.options.Renumber: // a ref would read as one of the new numbers
		return ""
	}
	return strconv.Itoa(by.Ref)
}
