package collect

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/refscope/refscope/snapshot"
)

// columns is the answer of one frame: entry k of a dense column belongs to element
// k of that frame's walk. Boxes are CSS px of the frame's own viewport. Sparse
// columns are flat lists that start with an element's index.
type columns struct {
	Doc     document `json:"doc"`
	Strings []string `json:"strings"` // strings[0] is ""; other columns refer to it

	Parent   ints       `json:"parent"`
	Tag      ints       `json:"tag"`    // string
	UID      ints       `json:"uid"`    // identity in the frame's registry
	Shadow   ints       `json:"shadow"` // 0 none, 1 open, 2 closed
	Host     ints       `json:"host"`   // host of the shadow tree it lives in, -1
	Nth      ints       `json:"nth"`    // 1-based place among its parent's element children
	Box      hundredths `json:"box"`    // x, y, width, height of each element
	Flags    ints       `json:"flags"`
	Evidence ints       `json:"evidence"` // bits of interactivity
	Hide     ints       `json:"hide"`     // why it is not rendered, hide…
	Culprit  ints       `json:"culprit"`  // the element that hides it, -1

	Light     ints             `json:"light"`     // [i, parent in the light tree]…, where it is another
	Attrs     ints             `json:"attrs"`     // [i, n, (name, value)×n/2]…, strings
	Runs      ints             `json:"runs"`      // [i, n, (string, child after it or -1)×n/2]…
	TextRects hundredths       `json:"textRects"` // [i, n, (x, y, w, h)×n/4]…
	Ink       hundredths       `json:"ink"`       // [i, font size, contrast or 0, 1 where cut off]…
	Rects     hundredths       `json:"rects"`     // the same, of wrapped elements
	Clip      hundredths       `json:"clip"`      // [i, 4, x, y, w, h]…
	Faint     ints             `json:"faint"`     // [i, hideTransparent, hideClipped or hideTurned, culprit]…
	Opacity   hundredths       `json:"opacity"`   // [i, percent]…, with all around, from 1 to 10
	Roles     ints             `json:"roles"`     // [i, string]…
	Names     ints             `json:"names"`     // [i, string, string of where from]…
	Desc      ints             `json:"descriptions"`
	Values    ints             `json:"values"` // [i, string]…
	StatesAt  ints             `json:"statesAt"`
	States    []map[string]any `json:"states"`
	Redacted  ints             `json:"redacted"`  // [i, string of the kind, 1 where there was a value]…
	Frames    hundredths       `json:"frames"`    // [i, x, y of the content box]…
	Scrollers hundredths       `json:"scrollers"` // [i, down, its range, sideways, its range, 1 where virtual]…
	Layers    ints             `json:"layers"`    // [i, 0 fixed 1 sticky 2 absolute, z-index, bits of the top layer]…
	Grid      ints             `json:"grid"`      // element in the middle of each cell of the viewport, -1
	Hits      hundredths       `json:"hits"`      // [i, n, size of the grid, (x, y, element or -1)×n/3]…
	Shades    ints             `json:"shades"`    // [i, n, (point of hits, shade… bits, layer or -1, coverer)×n/4]…
	Over      hundredths       `json:"over"`      // [i, n, (x, y, w, h)×n/4]…, what lies over frame elements
	Cleaned   ints             `json:"cleaned"`   // strings that something was taken out of
	Withheld  ints             `json:"withheld"`  // elements that the profile withholds
	Written   ints             `json:"written"`   // elements whose text a style sheet writes in part
	// FilteredBy is [i, string of the rule]… of the elements where a filtered subtree begins.
	FilteredBy ints      `json:"filteredBy"`
	Allowed    []allowed `json:"allowed"` // values that AllowSecrets lets through
	Broken     []string  `json:"broken"`  // filters that could not be used, in sentences
	Learnt     bool      `json:"learnt"`  // the page holds secrets that Seal must ask it about
	// Profiled are the texts that the profile withholds, for a session's [redact.Known]; none where there is no such.
	Profiled  []string  `json:"profiled"`
	Labels    ints      `json:"labels"`    // [i, n, labels…, ^ of what is operated in them…]…, of controls
	Maybe     int       `json:"maybe"`     // elements that may have a closed shadow root
	Speakers  int       `json:"speakers"`  // elements that are to be asked about their ElementInternals
	Internals ints      `json:"internals"` // elements that are known to say something by them
	Windows   []float64 `json:"windows"`   // see windows in js/late.js
	Backend   []int64   `json:"backend"`   // [i, backendNodeId]… known from earlier captures

	backend map[int]int64 // the known backendNodeIds, by place
}

// document holds facts of the frame's document. Times in ms.
type document struct {
	URL       string  `json:"url"`
	Title     string  `json:"title"`
	Lang      string  `json:"lang"`
	Width     float64 `json:"width"`
	Height    float64 `json:"height"`
	X         float64 `json:"x"`
	Y         float64 `json:"y"`
	MaxX      float64 `json:"maxX"`
	MaxY      float64 `json:"maxY"`
	Mutations int     `json:"mutations"`
	From      float64 `json:"from"` // epoch ms since when mutations were counted
	Walk      float64 `json:"walk"`
	Hit       float64 `json:"hit"`
	Done      float64 `json:"done"` // epoch ms when the last phase was over
	// Phases are the parts of the collector's own time, one after another.
	Phases  []snapshot.Part `json:"phases"`
	Limit   string          `json:"limit"`
	LimitAt int             `json:"limitAt"`
	Layout  string          `json:"layout"`
	// AttributesOf is the number of attributes of the element that has the most, where not all were read; else 0.
	AttributesOf int     `json:"attributesOf"`
	Events       []Noted `json:"events"` // changes since the load event, oldest first
	// State is what the document showed at the walk beside its mutations, as [browser.Now] gives it; "" where nobody
	// asked, or it is not known.
	State string `json:"state"`
}

// Bits and codes shared with js/walk.js.
const (
	flagVisible = 1 << iota
	flagInViewport
	flagContents
	flagBoundary
	flagSVG
	flagBlock
	flagNoPointer
	flagApart
)

// flagBroken is a bit of js/walk.js too; those between are for its own use.
const flagBroken = 1 << 11

const (
	hideNone = iota
	hideDisplay
	hideVisibility
	hideContent
	hideZeroBox
	hideTransparent
	hideClipped
	hideSkipped
	hideOptOut
	hideUnslotted
	hideByLabel // it cannot be seen itself and counts as being where its label does; its culprit is that label
	hideTurned
)

// evidenceWords are the names of the evidence bits, lowest first.
func evidenceWords() [7]string {
	return [7]string{"native", "role", "tabindex", "contenteditable", "listener", "cursor", "label"}
}

// check makes sure that no index in the answer can run out of its column: the page
// cannot forge the answer, but a limit or a bug could cut it.
func (c *columns) check() error {
	n := len(c.Parent)
	for name, got := range map[string]int{
		"tag": len(c.Tag), "uid": len(c.UID), "shadow": len(c.Shadow), "host": len(c.Host), "nth": len(c.Nth),
		"flags":    len(c.Flags),
		"evidence": len(c.Evidence), "hide": len(c.Hide), "culprit": len(c.Culprit), "box": len(c.Box) / 4,
		"states": n - len(c.StatesAt) + len(c.States),
	} {
		if got != n {
			return fmt.Errorf("column %s has %d entries for %d elements", name, got, n)
		}
	}
	for k, p := range c.Parent {
		if p >= k || p < -1 {
			return fmt.Errorf("element %d has parent %d", k, p)
		}
	}
	return nil
}

func (c *columns) str(k int) string {
	if k < 0 || k >= len(c.Strings) {
		return ""
	}
	return c.Strings[k]
}

// lists walks a flat column of [i, n, n entries]… and stops at anything broken.
func lists[T int | float64](col []T, nodes int, fn func(i int, entries []T)) {
	for k := 0; k+1 < len(col); {
		i, n := int(col[k]), int(col[k+1])
		if n < 0 || k+2+n > len(col) || i < 0 || i >= nodes {
			return
		}
		fn(i, col[k+2:k+2+n])
		k += 2 + n
	}
}

// rows walks a flat column of rows of the same width that start with an index.
func rows[T int | int64 | float64](col []T, width, nodes int, fn func(i int, row []T)) {
	for k := 0; k+width <= len(col); k += width {
		if i := int(col[k]); i >= 0 && i < nodes {
			fn(i, col[k+1:k+width])
		}
	}
}

// ints is a column of whole numbers as js/pack.js writes it.
type ints []int

// hundredths is a column of numbers with two decimals, written the same way.
type hundredths []float64

// maxColumn bounds a column: a run of zeros is a few bytes however long it is.
const maxColumn = 16 << 20

// UnmarshalJSON reads a packed column.
func (c *ints) UnmarshalJSON(text []byte) error {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return errors.New("a packed column is a string")
	}
	text = text[1 : len(text)-1]
	data := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(data, text)
	if err != nil {
		return fmt.Errorf("packed column: %w", err)
	}
	values, err := unpack(data[:n])
	if err != nil {
		return fmt.Errorf("packed column: %w", err)
	}
	*c = values
	return nil
}

// UnmarshalJSON reads a packed column of hundredths.
func (c *hundredths) UnmarshalJSON(text []byte) error {
	var values ints
	if err := values.UnmarshalJSON(text); err != nil {
		return err
	}
	column := make([]float64, len(values))
	for k, v := range values {
		column[k] = float64(v) / 100
	}
	*c = column
	return nil
}

// unpack reads what js/pack.js wrote: the stride, then the entries.
func unpack(data []byte) ([]int, error) {
	at := 0
	next := func() (uint64, error) {
		var v uint64
		for shift := 0; shift < 64; shift += 7 {
			if at == len(data) {
				return 0, errors.New("it ends inside a number")
			}
			b := data[at]
			at++
			v |= uint64(b&127) << shift
			if b < 128 {
				return v, nil
			}
		}
		return 0, errors.New("a number has more than 64 bits")
	}
	stride, err := next()
	if err != nil {
		return nil, err
	}
	if stride > 16 {
		return nil, fmt.Errorf("its stride is %d", stride)
	}
	back := int(stride)
	values := make([]int, 0, len(data))
	add := func(v int) {
		if back > 0 && len(values) >= back {
			v += values[len(values)-back]
		}
		values = append(values, v)
	}
	for at < len(data) {
		v, err := next()
		if err != nil {
			return nil, err
		}
		if v != 0 {
			add(int(v>>1) ^ -int(v&1)) // zigzag
			continue
		}
		more, err := next()
		if err != nil {
			return nil, err
		}
		if more >= maxColumn-uint64(len(values)) {
			return nil, fmt.Errorf("it has more than %d entries", maxColumn)
		}
		for range more + 1 {
			add(0)
		}
	}
	return values, nil
}
