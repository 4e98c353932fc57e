// Package readback reads dumps back, each format with a parser that knows nothing of
// its renderer, and checks that no two formats disagree about an element: its role,
// name, value or states (row N-1, and research/engines.md: one capture, all formats
// aligned). It serves tests, and an audit of a recorded turn.
//
// A format is added with one line in [Readers]: a function from the text to what
// each of its numbered lines contains.
//
// Formats do not contain the same facts, so a [Said] has the facts of its line and nothing
// else, and only facts that both formats contain are compared:
//
//   - A role is a set of roles that the spelling may mean: "inp" is a textbox or a
//     searchbox, the tag button is any role that HTML allows on a button (ARIA in HTML).
//   - A name or value that ends in "…" may have been cut: then the shorter one must
//     begin the longer one.
//   - A state that a format has a word for is true or false; any other is unknown.
package readback

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Said is what a line of a dump contains about an element.
type Said struct {
	Ref  int // the number on the line
	Line int // from 0
	// Roles are those that the spelling may mean; nil: it has no role.
	Roles []string
	// Name and Value are unescaped, nil where the line has none. Text is what a person
	// reads on the element, for formats that print this beside or instead of the name.
	Name  *string
	Value *string
	Text  *string
	// States are those that the line would show, by the names of snapshot.States, and
	// "mixed".
	States map[string]bool
	// Within: the line is about another element, in whose line this one is.
	Within bool
}

// Reader reads a format.
type Reader struct {
	Format dump.Format
	// Read lists the contents of the numbered lines of a dump in the format's default
	// spelling. A line that is not of the format is an error.
	Read func(text string) ([]Said, error)
}

// Readers are the formats that can be read back.
func Readers() []Reader {
	return []Reader{
		{format.DDDK, readDDDK},
		{format.Semantic, readSemantic},
		{format.Aria, readAria},
		{format.Wraith, readWraith},
		{format.WraithJSON, readWraithJSON},
		{format.DomTool, readDomTool},
		{format.Filtered, readFiltered},
		{format.Skeleton, readSkeleton},
		{format.Hybrid, readSkeleton},
		{format.Full, readFull},
		{format.AX, readAX},
	}
}

// Disagreement is a difference between two formats about one element.
type Disagreement struct {
	Ref  int
	What string // role, name, value, text, or a state's name
	A, B dump.Format
	// SaidA and SaidB are the two lines' contents.
	SaidA, SaidB string
}

func (d Disagreement) String() string {
	return fmt.Sprintf("[%d] %s: %s says %q, %s says %q", d.Ref, d.What, d.A, d.SaidA, d.B, d.SaidB)
}

// Check reads documents of one capture back and compares every two of them. It fails
// where a text cannot be read, where a line bears another number than the document's
// index has for it, and where a document's format has no reader.
func Check(docs ...*dump.Document) ([]Disagreement, error) {
	type read struct {
		format dump.Format
		said   map[int]Said
		order  []int
	}
	var all []read
	for _, d := range docs {
		k := slices.IndexFunc(Readers(), func(r Reader) bool { return r.Format == d.Format })
		if k < 0 {
			return nil, fmt.Errorf("format %s has no reader", d.Format)
		}
		list, err := Readers()[k].Read(d.Text)
		if err != nil {
			return nil, fmt.Errorf("reading %s back: %w", d.Format, err)
		}
		r := read{format: d.Format, said: map[int]Said{}}
		for _, s := range list {
			if s.Line >= len(d.Lines) || !s.Within && d.Lines[s.Line].Ref != s.Ref {
				return nil, fmt.Errorf("%s: line %d bears the number %d, which is not the one of its element",
					d.Format, s.Line+1,
					s.Ref)
			}
			if _, twice := r.said[s.Ref]; !twice {
				r.said[s.Ref] = s
				r.order = append(r.order, s.Ref)
			}
		}
		all = append(all, r)
	}
	var out []Disagreement
	for i, a := range all {
		for _, b := range all[i+1:] {
			for _, ref := range a.order {
				if y, ok := b.said[ref]; ok {
					for _, d := range compare(a.said[ref], y) {
						d.A, d.B = a.format, b.format
						out = append(out, d)
					}
				}
			}
		}
	}
	return out, nil
}

// compare lists what two lines about one element disagree in.
func compare(x, y Said) []Disagreement {
	var out []Disagreement
	differ := func(what, a, b string) {
		out = append(out, Disagreement{Ref: x.Ref, What: what, SaidA: a, SaidB: b})
	}
	if x.Roles != nil && y.Roles != nil && !slices.ContainsFunc(x.Roles,
		func(r string) bool { return slices.Contains(y.Roles, r) }) {
		differ("role", strings.Join(x.Roles, "/"), strings.Join(y.Roles, "/"))
	}
	if x.Name != nil && y.Name != nil && !sameText(*x.Name, *y.Name) {
		differ("name", *x.Name, *y.Name)
	}
	if x.Value != nil && y.Value != nil && !sameText(*x.Value, *y.Value) {
		differ("value", *x.Value, *y.Value)
	}
	if x.Text != nil && y.Text != nil && !sameText(*x.Text, *y.Text) {
		differ("text", *x.Text, *y.Text)
	}
	for _, name := range slices.Sorted(maps.Keys(x.States)) {
		if other, ok := y.States[name]; ok && other != x.States[name] {
			differ(name, fmt.Sprint(x.States[name]), fmt.Sprint(other))
		}
	}
	return out
}

// sameText reports whether two texts are equal, up to where one was cut.
func sameText(x, y string) bool {
	headX, cutX := strings.CutSuffix(x, "…")
	headY, cutY := strings.CutSuffix(y, "…")
	return x == y || cutX && strings.HasPrefix(y, headX) || cutY && strings.HasPrefix(x, headY)
}
