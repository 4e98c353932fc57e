// Package dataset makes training data for vision models of captures and their pictures: which element is where,
// and an instruction that only it fits.
//
// Start with [Label], which reads one picture, and [Assemble], which makes a set of many: it drops duplicates, assigns
// splits and counts what is left out and why. [Set.Files] writes the set in the form of a trainer (file shapes.go)
// with its card. [Read] and [Check] go the other way: they read a set in these forms, whoever made it, and measure it.
//
// # What holds
//
// A box is what can be seen of an element: its boxes less what clips them, within the picture, in px of the picture at
// the size at which it is written. The middle of a target's box is on the target itself, by the hit tests of the
// capture. An instruction is a target's only where it fits nothing else in the picture, also nothing that is covered,
// clipped or too small to be a target. What was redacted is neither a target nor in an instruction. A site is in one
// split. The same captures give the same bytes: nothing here reads a clock, a map's order or chance.
//
// Nothing here knows Chrome or writes files: the caller has the captures taken and writes what this package makes.
package dataset

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/text"
)

// Shape is the form of a set, by the trainer or benchmark whose it is.
type Shape string

// The shapes; file shapes.go describes each.
const (
	ScreenSpot    Shape = "screenspot"
	ScreenSpotPro Shape = "screenspot-pro"
	COCO          Shape = "coco"
	YOLO          Shape = "yolo"
	LLaVA         Shape = "llava"
	SoM           Shape = "som"
	ImageFolder   Shape = "imagefolder"
)

// Shapes lists all shapes.
func Shapes() []Shape {
	return []Shape{ScreenSpot, ScreenSpotPro, COCO, YOLO, LLaVA, SoM, ImageFolder}
}

// ParseShape reads a shape by name.
func ParseShape(name string) (Shape, error) {
	if s := Shape(strings.ToLower(name)); slices.Contains(Shapes(), s) {
		return s, nil
	}
	return "", fmt.Errorf("unknown shape %q: choose from %s", name, joined(Shapes()))
}

// boxes reports whether a set of the shape lists the boxes of a picture, and not instructions.
func (s Shape) boxes() bool { return s == COCO || s == YOLO || s == ImageFolder }

// negatives reports whether the shape has a place for what is not to be found in a picture.
func (s Shape) negatives() bool { return s != ScreenSpot && s != YOLO }

// Form is a way to ask for an element.
type Form string

// The forms.
const (
	// ByRole names role and accessible name: click the button “Add to basket”.
	ByRole Form = "role"
	// ByText names what is written on it: click “Add to basket”.
	ByText Form = "text"
	// ByIcon names what has no text: click the icon “Search”.
	ByIcon Form = "icon"
	// ByPosition also names where it is, or which of several alike: click the 2nd of 3 links “More”, in reading order.
	ByPosition Form = "position"
)

// Forms lists all forms.
func Forms() []Form { return []Form{ByRole, ByText, ByIcon, ByPosition} }

// ParseForms reads the names of forms, with commas between them.
func ParseForms(list string) ([]Form, error) {
	var out []Form
	for word := range strings.SplitSeq(list, ",") {
		f := Form(strings.ToLower(strings.TrimSpace(word)))
		if !slices.Contains(Forms(), f) {
			return nil, fmt.Errorf("unknown form %q: choose from %s", word, joined(Forms()))
		}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out, nil
}

// joined lists words with commas.
func joined[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}

// Options are the choices of a set. They are part of its card.
type Options struct {
	Shape Shape
	// Model is the vision model whose rules size the pictures; its zero value leaves them as captured.
	Model  vision.Model
	Detail vision.Detail
	// Forms are the instructions that each target gets, where they are unambiguous; ByRole alone if empty.
	Forms []Form
	// Negatives keeps what is covered, clipped or tiny as examples of what is not to be found, where the shape has a
	// place for them. Without it they are left out.
	Negatives bool
	// MinVisible is the share of an element, 0 to 1, under which it is clipped, or covered where a person sees less.
	MinVisible float64
	// MinSide is the px of the shorter side of a box under which it is tiny.
	MinSide int
	// Marked writes the marked picture beside each clean one. A SoM set has them anyway.
	Marked bool
	// Splits divide the sites; none for a set in one piece.
	Splits []Split
	// Name and License are for the card; License is an SPDX identifier or words, "" for unknown.
	Name, License string
}

// Defaults are the choices for a shape where nobody chose otherwise.
func Defaults(shape Shape) Options {
	return Options{Shape: shape, Forms: []Form{ByRole}, MinVisible: 0.5, MinSide: 8}
}

// Check refuses choices that contradict each other.
func (o Options) Check() error {
	switch {
	case !slices.Contains(Shapes(), o.Shape):
		return fmt.Errorf("unknown shape %q: choose from %s", o.Shape, joined(Shapes()))
	case o.Negatives && !o.Shape.negatives():
		return fmt.Errorf("%s has no place for negatives: choose screenspot-pro, coco, llava, som or imagefolder, "+
			"or leave them out", o.Shape)
	case !(o.MinVisible >= 0 && o.MinVisible <= 1):
		return fmt.Errorf("least visible share %g: choose a number from 0 to 1", o.MinVisible)
	case o.MinSide < 1 || o.MinSide > 1000:
		return fmt.Errorf("least side %d px: choose a number from 1 to 1000", o.MinSide)
	}
	return nil
}

// Source is where a picture comes from and how it was taken: the provenance of its examples.
type Source struct {
	Target string `json:"target"`         // as it was named
	URL    string `json:"url"`            // as it is on record; of a local file its path
	Site   string `json:"site"`           // see SiteOf
	Turn   string `json:"turn,omitempty"` // of a recorded turn: SESSION#N
	// Taken is when a recorded turn was taken, RFC 3339. A page that is captured for the set has none, so that a second
	// build of it is equal.
	Taken string `json:"taken,omitempty"`
	// Capture is the hash of the page's state (snapshot.StateHash), which a later capture of it has too.
	Capture string  `json:"capture"`
	Device  string  `json:"device"` // a preset, or WIDTHxHEIGHT in CSS px
	Scale   float64 `json:"scale"`  // px of the captured picture for one CSS px
	Theme   string  `json:"theme,omitempty"`
	Locale  string  `json:"locale,omitempty"`
	Lang    string  `json:"lang,omitempty"` // that the page declares
	Chrome  string  `json:"chrome,omitempty"`
}

// NewSource is the provenance of a capture that was named so. The page of a local file is known by the file, as the
// address that it was served at is another one each time.
func NewSource(c *snapshot.Capture, target string, local bool) Source {
	target = text.Line(target)
	s := Source{
		Target: target, URL: c.URL, Site: siteOf(c, target), Scale: c.Viewport.Scale, Lang: text.Line(c.Lang),
		Chrome: c.Chrome,
		Device: fmt.Sprintf("%gx%g", c.Viewport.Width, c.Viewport.Height),
	}
	if local {
		s.URL = target
		known := *c
		known.URL, known.Frames = target, slices.Clone(c.Frames)
		if u, err := url.Parse(c.URL); err == nil {
			for i := range known.Frames {
				known.Frames[i].URL = strings.TrimPrefix(known.Frames[i].URL, u.Scheme+"://"+u.Host)
			}
		}
		c = &known
	}
	s.Capture = snapshot.StateHash(c)
	return s
}

// Page is one picture with all that is known of it. It is written while a set is made, so that one that was
// interrupted goes on.
type Page struct {
	Image    string         `json:"image"`            // file name in the folder of pictures
	Marked   string         `json:"marked,omitempty"` // file name of the marked picture
	Width    int            `json:"width"`            // px
	Height   int            `json:"height"`           // px
	Source   Source         `json:"source"`
	Print    likeness.Print `json:"print"`
	Elements []Element      `json:"elements"`
}

// Pictures are the names of the page's pictures.
func (p *Page) Pictures() []string {
	if p.Marked == "" {
		return []string{p.Image}
	}
	return []string{p.Image, p.Marked}
}

// Status is how well an element can be seen and clicked, in the order in which it is judged.
type Status string

// The statuses. All but Visible and OffCenter leave an element without a box in the set, or make it a negative.
const (
	Outside   Status = "outside"    // not in the picture
	Redacted  Status = "redacted"   // withheld from the picture, or over something that is
	Tiny      Status = "tiny"       // under Options.MinSide
	Clipped   Status = "clipped"    // less than Options.MinVisible of it is in the picture and not cut off
	Covered   Status = "covered"    // a click does not arrive, or a person sees less than Options.MinVisible
	Untested  Status = "untested"   // the capture does not know what lies over it
	Blank     Status = "blank"      // its box and the edge of that are one even colour in the picture
	OffCenter Status = "off-center" // the middle of its box is on something else: a wrapped link, a control inside
	Visible   Status = "visible"
)

// Element is one element of a picture. It is not a container.
type Element struct {
	Ref  int    `json:"ref"`
	Node int    `json:"node"` // index in the capture
	Path string `json:"path,omitempty"`
	Role string `json:"role"` // ARIA, or the tag where there is none
	Name string `json:"name,omitempty"`
	// Kind is text where text is drawn in it, else icon.
	Kind   string `json:"kind"`
	Status Status `json:"status"`
	// Box is what can be seen of it: left, top, width, height in px of the picture, whole and within it.
	Box          [4]int   `json:"box"`
	VisibleShare float64  `json:"visibleShare"` // of it, what a person sees, 0 to 1
	Verdict      string   `json:"verdict"`
	Operable     bool     `json:"operable"`       // it can be clicked or typed into
	Mark         int      `json:"mark,omitempty"` // the number on the marked picture
	Phrases      []Phrase `json:"phrases,omitempty"`
	// Lacks is why there is no phrase: no-name or ambiguous.
	Lacks string `json:"lacks,omitempty"`

	shown string // the text that is drawn in it, folded
}

// Phrase is one instruction.
type Phrase struct {
	Form Form   `json:"form"`
	Text string `json:"text"`
}

// right and bottom are the edges of the box behind its last px.
func (e *Element) right() int  { return e.Box[0] + e.Box[2] }
func (e *Element) bottom() int { return e.Box[1] + e.Box[3] }
