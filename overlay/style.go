package overlay

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font/gofont/gomonobold"

	"github.com/refscope/refscope/overlay/atlas"
)

// Style is the version of the marks' look and places. Another one moves what models
// answer, so it is recorded with every marked picture: see Options.style for the name
// with the palette.
type Style string

const (
	// StyleFirst is the style of the beginning: boxes on the edges of their elements.
	StyleFirst Style = "refscope-1"
	// StyleClear keeps letters whole: boxes lie one px outside text where there is room,
	// and a label has no other box as near as its own where there is a place for that.
	StyleClear Style = "refscope-2"
	// StyleDefault is what is drawn where none is chosen: of the two the one that is read better,
	// as package readability measures it.
	StyleDefault = StyleClear
)

// The measures of the style, in CSS px, or px of a picture that has less than one for a CSS px. In a denser
// picture lines, gaps and digits grow with it, as the page's own text does: see Scene.density. Digits
// of 12 px Go Mono Bold survive a resize to 0.57 of the size; 11 px is the floor
// and used only where 12 finds no room, and 10 px where 11 finds none: of the numbers from 1 to 999 Tesseract 5.3 reads
// all at 10 px without ground beside them, and at 9 px all but seven: see package readability.
const (
	fontPx      = 12
	fontFloorPx = 11
	fontSmallPx = 10 // of a number that would else have no place
	fontLeastPx = 9  // in the window below 100 %, see Scene.Arrange

	strokeIn  = 1 // of the box's line, inside the element's edge
	strokeOut = 1 // and outside
	haloPx    = 1 // white line around box and label
	outerPx   = strokeOut + haloPx

	minTarget = 8  // smaller boxes are padded to this
	tooSmall  = 2  // smaller elements get no mark
	apart     = 3  // px from a box's edge to that of a box around it
	maxApart  = 6  // px that this may move an edge
	leaderMax = 40 // px from a label to its box
	// And for one that would else have no number: at the end of any line, and of one that goes on from an edge of the
	// box. Of more marks than farMarks without a place none is tried there: the page has no room.
	farMax   = 120
	edgeMax  = 400
	edgeStep = 8
	farMarks = 200
	// Where no more than mostMoves marks are without a place, each may move one of the numbers up to moveReach px
	// beyond a line's length.
	mostMoves = 40
	moveReach = 20
)

// The colours of the style that are the same in every palette. They are opaque but for
// the shades.
var (
	digitColor = color.RGBA{255, 255, 255, 255}
	haloColor  = color.RGBA{255, 255, 255, 255}

	// The shades, premultiplied. A dark and a light tone in turn show on any ground;
	// what is covered, at 35 % each, can still be read.
	hatchDark  = color.RGBA{62, 0, 12, 89}
	hatchLight = color.RGBA{89, 89, 89, 89}
	glassDark  = color.RGBA{8, 58, 148, 178}
	glassLight = color.RGBA{178, 178, 178, 178}
	cutDark    = color.RGBA{122, 66, 0, 166}
	cutLight   = color.RGBA{128, 118, 90, 128}

	missedDark  = color.RGBA{142, 86, 0, 204} // of untoldColor
	missedLight = color.RGBA{204, 180, 60, 204}

	filteredDark  = color.RGBA{124, 22, 128, 204}
	filteredLight = color.RGBA{204, 168, 204, 204}

	stripGround = color.RGBA{250, 250, 250, 255}
	stripText   = color.RGBA{24, 27, 33, 255}

	redactFill = color.RGBA{58, 62, 70, 255}
	redactText = color.RGBA{228, 230, 234, 255}
)

// lettering is one size of label.
type lettering struct {
	face *atlas.Face
	// A label of n digits is n*advance+padX wide and height high, its white rim
	// included; the pen starts at penX and the baseline is at base from its top.
	padX, height, penX, base, rim int
	digit                         int // height of a digit
}

// The indices of the sizes of label that an export falls back on where no other finds room: digits that can just be
// read where the picture is looked at. The first is that of a picture of one px for each CSS px, the other of a denser
// one.
const (
	smallSize = fontPx - fontSmallPx
	leastSize = fontPx - fontLeastPx + 1
)

// letterings are the sizes of label: regular, the floor of an export, and down to the
// least of the window, one px smaller each.
type letterings [leastSize + 1]lettering

// newLetterings makes the label sizes for px drawn for one px of the style: 1 for a picture with
// one px for each CSS px, more for a denser one and for the window on a dense screen. Rims are whole px.
func newLetterings(scale float64) (letterings, error) {
	var out letterings
	for i := range out {
		pad := densityOf(scale)
		if i > 0 {
			pad = 0
		}
		var err error
		px := math.Round(float64(max(fontLeastPx, fontPx-i)) * scale)
		if out[i], err = newLettering(px, densityOf(scale), pad); err != nil {
			return out, err
		}
	}
	return out, nil
}

// newLettering makes a size of label with digits of a font size in px of the picture, and pad px beside them.
func newLettering(px float64, density, pad int) (lettering, error) {
	face, err := atlas.NewNumbers(gomonobold.TTF, px)
	if err != nil {
		return lettering{}, fmt.Errorf("label font: %w", err)
	}
	ink, rim := face.DigitBounds(), haloPx*density
	return lettering{
		face:   face,
		padX:   2 * (rim + pad),
		height: ink.Dy() + 2*(rim+density),
		penX:   rim + pad,
		base:   rim + density - ink.Min.Y,
		rim:    rim,
		digit:  ink.Dy(),
	}, nil
}

// shrink adds the smallest size to the letterings of a picture that is looked at at a part of its size, and reports
// whether it is smaller than the floor.
func (l *letterings) shrink(density int, seen float64) bool {
	px := leastFont(density, seen)
	small, err := newLettering(px, density, 0)
	if err != nil || small.digit >= l[fontPx-fontFloorPx].digit {
		return false
	}
	l[leastSize] = small
	return true
}

// leastFont is the smallest size of font, from the least of an export on, whose digits can be read in a picture that is
// looked at at that part of its size.
func leastFont(density int, seen float64) float64 {
	px := float64(fontSmallPx)
	for ; px < fontPx*maxDensity; px++ {
		if l, err := newLettering(px, density, 0); err != nil || float64(l.digit)*seen >= MinDigits {
			break
		}
	}
	return px
}

// densityOf is how many px a line of one px of the style is wide in a picture with so many px for one of the style.
func densityOf(scale float64) int {
	const down = 0.4 // 1.5 is one px
	return min(max(1, int(scale+down)), maxDensity)
}

// size is the size of a label with so many digits, in px.
func (l *lettering) size(digits int) (w, h int) { return digits*l.face.Advance() + l.padX, l.height }

// contrast is the WCAG 2 contrast ratio of two opaque colours, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

func luminance(c color.RGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// Palette chooses the colours of boxes, plates and lines. Digits are white and
// halos are white in all of them.
type Palette string

const (
	// PaletteBlack draws every mark black. Where it was tried, one black did better
	// with models than several colours (arXiv 2401.13919), so it is the default.
	PaletteBlack Palette = ""
	// PaletteRole draws boxes in the colour of their role, for people, and numbers on black: on the colours an OCR
	// engine reads 96 of 119, on black all. Each colour has a contrast of 4.5 or more with white (WCAG 1.4.3).
	PaletteRole Palette = "role"
	// PaletteCalm is PaletteRole for a window in which red is what goes wrong and amber what was not told: four colours
	// that people with any colour vision tell apart, and grey for the rest.
	PaletteCalm Palette = "calm"
	// PaletteTints draws neighbouring marks in different colours, all of one contrast with
	// white: 7.1, so that none stands out.
	PaletteTints Palette = "tints"
)

// style is the name of the look with its palette: each palette is a style of its
// own in the manifest. A palette that there is not is black.
func (o *Options) style() string {
	switch o.Palette {
	case PaletteRole, PaletteCalm, PaletteTints:
		return string(o.Style) + "-" + string(o.Palette)
	}
	return string(o.Style)
}

// colors are the colours of a palette with a word for the roles of each, in the
// order of the key.
type colors []struct {
	word  string
	color color.RGBA
}

// Groups of roles, as indices in the colours of PaletteRole.
const (
	groupLink = iota
	groupButton
	groupField
	groupChoice
	groupMenu
	groupHeading
	groupImage
	groupOther
)

// colors of PaletteRole: som.md 4.4, with their measured contrasts with white.
func (p Palette) colors() colors {
	switch p {
	case PaletteTints:
		return tints()
	case PaletteCalm:
		grey := color.RGBA{0x5b, 0x64, 0x70, 255} // 6.0
		return colors{
			groupLink:    {"link", color.RGBA{0x21, 0x66, 0xe0, 255}},        // 5.2
			groupButton:  {"button", color.RGBA{0x0a, 0x74, 0x4b, 255}},      // 5.8
			groupField:   {"field", color.RGBA{0x8f, 0x4a, 0x00, 255}},       // 6.8
			groupChoice:  {"choice", color.RGBA{0x8f, 0x4a, 0x00, 255}},      // as a field
			groupMenu:    {"menu or tab", color.RGBA{0x0a, 0x74, 0x4b, 255}}, // as a button
			groupHeading: {"heading", color.RGBA{0x5a, 0x1f, 0x7a, 255}},     // 11: a dark one is not taken for a link
			groupImage:   {"image", grey},
			groupOther:   {"other", grey},
		}
	case PaletteRole:
	default:
		return colors{{"", color.RGBA{0, 0, 0, 255}}}
	}
	return colors{
		groupLink:    {"link", color.RGBA{0x0b, 0x57, 0xd0, 255}},        // 6.4
		groupButton:  {"button", color.RGBA{0xb0, 0x00, 0x20, 255}},      // 7.3
		groupField:   {"field", color.RGBA{0x14, 0x6c, 0x2e, 255}},       // 6.5
		groupChoice:  {"choice", color.RGBA{0x6a, 0x1b, 0x9a, 255}},      // 9.4
		groupMenu:    {"menu or tab", color.RGBA{0x00, 0x62, 0x6b, 255}}, // 7.1
		groupHeading: {"heading", color.RGBA{0x8a, 0x3b, 0x00, 255}},     // 7.8
		groupImage:   {"image", color.RGBA{0xad, 0x14, 0x57, 255}},       // 7.0
		groupOther:   {"other", color.RGBA{0x37, 0x47, 0x4f, 255}},       // 9.7
	}
}

// color is the colour of a mark of that group: of a role, or of PaletteTints.
func (p Palette) color(group int) color.RGBA {
	if p != PaletteRole && p != PaletteCalm && p != PaletteTints {
		return color.RGBA{A: 255}
	}
	return p.colors()[group].color
}

// group is the group that a role belongs to (WAI-ARIA 1.2 roles), or a tag where
// an element has none.
func group(role string) int {
	switch role {
	case "link":
		return groupLink
	case "button":
		return groupButton
	case "textbox", "searchbox", "spinbutton", "combobox", "slider":
		return groupField
	case "checkbox", "radio", "switch", "option", "listbox", "menuitemcheckbox", "menuitemradio":
		return groupChoice
	case "menu", "menubar", "menuitem", "tab", "tablist", "tree", "treeitem":
		return groupMenu
	case "heading":
		return groupHeading
	case "img", "image", "figure", "graphics-document", "graphics-symbol":
		return groupImage
	}
	return groupOther
}

// The patterns of the shades. State is never in colour alone: the stripes of what
// is covered lean one way and fill the ground, the lines of what is behind glass
// lean the other way and leave most of it free, and a cut side is checked.
const (
	stripe  = 4 // px of one stripe of what is covered
	glassPx = 2 // px of the dark line of what is behind glass; the light one has half
	checkPx = 2 // px of one square of a cut side

	missedPx = 2 // px of the dark line of what was not told, or left out; the light one has half

	periodPx = 8 // px after which every pattern repeats along a row
)

// weave is one shade's pattern at one density: a row of it, and how the row moves
// from one line to the next.
type weave struct {
	row   [periodPx * maxDensity]tone // one that keeps all leaves the ground
	n     int                         // px of row that are used
	step  int                         // px to the left for each line down
	check int                         // height of a square, 0 where rows only lean
}

func newWeave(shade, density int) weave {
	d := density
	w := weave{n: periodPx * d, step: 1}
	for i := range w.n {
		c := color.RGBA{}
		switch shade {
		case shadeGlass:
			w.step = -1
			if i < glassPx*d {
				c = glassDark
			} else if i < glassPx*d+d {
				c = glassLight
			}
		case shadeMissed:
			if i < missedPx*d {
				c = missedDark
			} else if i < missedPx*d+d {
				c = missedLight
			}
		case shadeFiltered: // upright
			w.step = 0
			if i < missedPx*d {
				c = filteredDark
			} else if i < missedPx*d+d {
				c = filteredLight
			}
		case shadeCut:
			w.step, w.check = 0, checkPx*d
			if c = cutDark; i/w.check%2 > 0 {
				c = cutLight
			}
		default:
			if c = hatchDark; i >= stripe*d {
				c = hatchLight
			}
		}
		w.row[i] = newTone(c)
	}
	return w
}

// pattern shades r in one of the shades. The pattern runs on across rectangles:
// it starts at origin, in px of dst.
func pattern(dst *image.RGBA, r image.Rectangle, w *weave, origin image.Point) {
	r = r.Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := r.Min.X - origin.X + w.step*(y-origin.Y)
		if w.check > 0 {
			at += mod(y-origin.Y, 2*w.check) / w.check * w.check
		}
		at = mod(at, w.n)
		row := dst.Pix[dst.PixOffset(r.Min.X, y):][: 4*r.Dx() : 4*r.Dx()]
		for ; len(row) >= 4; row = row[4:] {
			t := &w.row[at]
			if at++; at == w.n {
				at = 0
			}
			if t.keep < 255 {
				put(row, t.over(get(row)))
			}
		}
	}
}

// tone is a colour that is laid over px: what it adds, and how much it keeps of
// what is there, of 255.
type tone struct {
	add  uint32 // the premultiplied colour as a px
	keep uint64
}

func newTone(c color.RGBA) tone {
	return tone{uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24, 255 - uint64(c.A)}
}

// over lays the tone over an opaque px, all four channels at once in lanes of 16
// bits. A product of two bytes plus 128, plus its own upper byte, has the rounded
// 255th in its upper byte.
func (t *tone) over(px uint32) uint32 {
	v := (uint64(px&0x00ff00ff) | uint64(px>>8&0x00ff00ff)<<32) * t.keep
	v += 0x0080008000800080
	v = (v + v>>8&lanes) >> 8 & lanes
	return (uint32(v) | uint32(v>>32)<<8) + t.add | opaque
}

func mod(a, b int) int { return ((a % b) + b) % b }

// tintReach is how near to each other two boxes are, in px, that have different colours of
// PaletteTints: what the eye or a model takes in at once around a label.
const tintReach = 24

// tints are the colours of PaletteTints. Their contrast with white is 7.1, to one decimal,
// for all: none stands out.
func tints() colors {
	return colors{
		{"", color.RGBA{0x00, 0x49, 0xda, 255}}, // blue
		{"", color.RGBA{0xb4, 0x00, 0x1e, 255}}, // red
		{"", color.RGBA{0x08, 0x66, 0x28, 255}}, // green
		{"", color.RGBA{0x81, 0x0b, 0xd6, 255}}, // purple
		{"", color.RGBA{0x8f, 0x43, 0x00, 255}}, // brown
		{"", color.RGBA{0x00, 0x62, 0x6b, 255}}, // teal
		{"", color.RGBA{0xa9, 0x00, 0x77, 255}}, // magenta
		{"", color.RGBA{0x46, 0x59, 0x75, 255}}, // slate
	}
}

// tint gives the marks in the picture colours of PaletteTints so that neighbours differ: a
// colouring of the graph whose edges are boxes that lie within tintReach of each other. Each
// mark in the order of refs takes the colour of its ref, or the next one that no neighbour
// has; where more neighbours meet than there are colours, the one that fewest of them have.
// So a mark keeps its colour from turn to turn unless one with a smaller ref comes near it.
func (s *Scene) tint() {
	var rects []image.Rectangle
	var of []int32
	for i := range s.marks {
		if !s.marks[i].shown(s.options.View) {
			continue
		}
		for _, r := range s.marks[i].Rects {
			rects, of = append(rects, r), append(of, int32(i))
		}
	}
	find := newFinder(newGrid(s.size, cellOf(s.size, 64), cellCap, rects), len(rects))
	n := len(tints())
	done := make([]bool, len(s.marks))
	for i := range s.marks {
		m := &s.marks[i]
		if !m.shown(s.options.View) {
			continue
		}
		var used [16]int
		for _, r := range m.Rects {
			around := r.Inset(-tintReach)
			for _, k := range find.near(around) {
				if o := of[k]; done[o] && int(o) != i && touches(rects[k], around) {
					used[s.marks[o].group]++
				}
			}
		}
		best := m.Ref % n
		for k := range n {
			if c := (m.Ref + k) % n; used[c] < used[best] {
				best = c
			}
		}
		m.group, done[i] = best, true
	}
}
