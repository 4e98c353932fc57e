// Package observation reads the texts in which agents list a page: what the model was given to choose from.
//
// [Read] recognises a text by its signature and reads its lines; [Find] reads all texts of a request. Each format is a
// file with its grammar on top and a row of [formats]; readers of nobody in particular are labelled as guesses. What an
// element of the page has to do with a line is package tie's.
//
// What must hold: a reader never invents. A line is a line of the text, byte for byte where [Line.Bytes] says; a part
// that is cut or mangled is not read, and a sample of a format in instructions is no page.
package observation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/wire"
)

// Format names a format as people know it.
type Format string

// Line is what a text says of one element, and the element that it is about.
type Line struct {
	Ref   string `json:"ref,omitempty"`   // as the format writes it, without brackets
	Role  string `json:"role,omitempty"`  // a role or a tag, as the format writes it
	Name  string `json:"name,omitempty"`  // the name that the line gives it
	Value string `json:"value,omitempty"` // the value that the line gives it
	// Attrs are attributes of the element that the format prints beside it; a value may be cut, and ends with … or
	// ... then.
	Attrs map[string]string `json:"attrs,omitempty"`
	// States are the words that the format prints beside it: disabled, checked, expanded …
	States []string `json:"states,omitempty"`
	// Depth is how deep it lies in the text, in the format's own steps.
	Depth int `json:"depth,omitempty"`
	// Since is the turn since which the model is told this of the element, 0 where turns are not known.
	Since int `json:"since,omitempty"`
	// Section is where the line lies, where that is not the section of its text.
	Section string `json:"section,omitempty"`
	// First and Last are lines of the text, from 1; Bytes is where the line lies in it.
	First int    `json:"first"`
	Last  int    `json:"last"`
	Bytes [2]int `json:"bytes"`
	// Node is the index of the element of the page, -1 where none is known for sure; Score is how sure, and Why by
	// what. Candidates are those that it may be where no evidence decides.
	Node       int     `json:"node"`
	Score      float64 `json:"score,omitempty"`
	Why        string  `json:"why,omitempty"`
	Candidates []int   `json:"candidates,omitempty"`
	// Gone: its element was on the page and is not any more; Why says by what that is known. Score is 0 then where it
	// is known by its words alone: the element may have others now.
	Gone bool `json:"gone,omitempty"`
	// Was is where an element that is gone was, nil where that is not known.
	Was *Was `json:"was,omitempty"`
}

// Was is where an element was that is not on the page any more.
type Was struct {
	Ref string     `json:"ref"` // by which the text names it
	Box [4]float64 `json:"box"` // x, y, width and height, CSS px of the viewport at that moment
	At  time.Time  `json:"at"`  // when it was there
}

// Text is a text in which elements of a page are listed.
type Text struct {
	Section string `json:"section"` // of the request, as wire.Sections names it
	Format  Format `json:"format"`
	// Guessed: no format's own signature is in it; it has numbered lines, and what they mean is a guess.
	Guessed bool   `json:"guessed,omitempty"`
	Lines   []Line `json:"lines"`
	Matched int    `json:"matched"` // lines with an element
	// Turn is the first turn whose request held it, 0 where turns are not known; Standing is what has become of it.
	Turn     int      `json:"turn,omitempty"`
	Standing Standing `json:"standing,omitempty"`
	// Part: the model asked for one element of the page, and what is in it, or for those with some words.
	Part bool `json:"part,omitempty"`

	Message int `json:"-"` // index of its message in the request

	body string
	from []origin // of the lines of a merged text
}

// Body is the text that was read; [Line.Bytes] are of it.
func (t *Text) Body() string { return t.body }

// Located: its lines tell of elements by locators of Playwright and not by numbers.
func (t *Text) Located() bool { return t.Format == Playwriter }

// Called is the format for people: one that was guessed is said to be that.
func (t *Text) Called() string { return t.Format.Called(t.Guessed) }

// Called is the format for people, guessed or not.
func (f Format) Called(guessed bool) string {
	if guessed {
		return string(f) + ", which is a guess"
	}
	return string(f)
}

// Again is a copy of the text, to be tied to another page.
func (t *Text) Again() *Text {
	out := *t
	out.Lines, out.Matched = slices.Clone(t.Lines), 0
	for i := range out.Lines {
		out.Lines[i].isOf(&Line{Node: -1})
	}
	return &out
}

// Elements are the lines that name an element by a ref.
func (t *Text) Elements() []Line {
	return slices.DeleteFunc(slices.Clone(t.Lines), func(l Line) bool { return l.Ref == "" })
}

// least is how many elements a text lists at least; of changes, one is enough.
const least = 2

func (t *Text) enough() bool {
	return len(t.Lines) >= least || t.Changes() || len(t.Lines) == 1 && !t.Guessed && pageHead.MatchString(t.body)
}

// pageHead is what stands above the text of a page, and not above an example of one line.
var pageHead = regexp.MustCompile(`(?i)<browser_state>|\b(?:page|current) url: |^#+ (?:latest )?page\b|` +
	`\bclickable elements\(`)

// Read reads a text by the format whose signature it has; nil where it lists no page. A text that lies as a value in
// JSON, as a tool's answer to Gemini, is looked for there.
func Read(s string) *Text {
	var best *Text
	for _, f := range formats {
		if !f.is(s) {
			continue
		}
		t := &Text{Format: f.name, Guessed: f.guess, body: s, Lines: f.read(s)}
		if best == nil || best.Guessed && t.enough() || !t.Guessed && len(t.Lines) > len(best.Lines) {
			best = t
		}
	}
	if best != nil && best.enough() {
		for i := range best.Lines {
			best.Lines[i].Node = -1
		}
		best.Part = best.excerpt()
		return best
	}
	if inner := LongestValue(s); inner != "" {
		return Read(inner)
	}
	return nil
}

// ReadAs reads a text whose format is known, however little it lists; nil for a format that there is not.
func ReadAs(name Format, s string) *Text {
	for _, f := range formats {
		if f.name == name {
			t := &Text{Format: name, Guessed: f.guess, body: s, Lines: f.read(s)}
			for i := range t.Lines {
				t.Lines[i].Node = -1
			}
			return t
		}
	}
	return nil
}

// LongestValue is the longest text in a JSON value, "" where s is none.
func LongestValue(s string) string {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || !strings.ContainsRune(`{["`, rune(trimmed[0])) || !json.Valid([]byte(trimmed)) {
		return ""
	}
	longest := ""
	for _, leaf := range redact.Leaves([]byte(trimmed)) {
		if !leaf.Key && len(leaf.Text) > len(longest) {
			longest = leaf.Text
		}
	}
	if len(longest) >= len(trimmed) {
		return ""
	}
	return longest
}

// Find reads the texts of the sections of a request that list a page, in their order. What the model itself wrote, and
// the instructions of the host, list none.
func Find(sections []wire.Section) []*Text {
	var out []*Text
	asked := map[string]wire.Part{} // calls of tools by their ids
	for _, s := range sections {
		for _, p := range s.Parts {
			if p.Kind == wire.Call {
				asked[p.ID] = p
			}
		}
		switch s.Role {
		case "assistant", "system", "developer", "tools":
			continue
		}
		for _, p := range s.Parts {
			if p.Kind != wire.Text && p.Kind != wire.Result {
				continue
			}
			if t := Read(p.Text); t != nil {
				t.Section, t.Message = s.Name, s.Message
				if p.ID != "" {
					t.AskedFor(asked[p.ID].Name, asked[p.ID].Arguments)
				}
				out = append(out, t)
			}
		}
	}
	return out
}

// InMessages is [Find] for a request that has been read; the texts have no sections.
func InMessages(r *wire.Request) []*Text {
	sections := make([]wire.Section, len(r.Messages))
	for i, m := range r.Messages {
		sections[i] = wire.Section{Role: m.Role, Message: i, Parts: m.Parts}
	}
	return Find(sections)
}

// AskedFor is told which tool was called whose answer the text is, and with what: with an element, as browser_snapshot
// with a target, it has that one only, with which it begins.
func (t *Text) AskedFor(tool string, arguments json.RawMessage) {
	var named struct {
		Target string `json:"target"`
		Ref    string `json:"ref"`
	}
	if t.Format != Aria || json.Unmarshal(arguments, &named) != nil || t.Lines[0].Ref == "" {
		return
	}
	selected := named.Target != "" && strings.HasSuffix(tool, "snapshot")
	t.Part = t.Part || selected || named.Target == t.Lines[0].Ref || named.Ref == t.Lines[0].Ref
}
