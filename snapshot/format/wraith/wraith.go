// Package wraith is the format wraith: Wraith's flat agent text, seed "Snapshot Model and @ref IDs",
// rows W-1 to W-5. Wraith-json is the same list as JSON, see json.go.
//
//	dump    = { warning NL } "Page: " string " (" url ")" { NL element } { NL note }
//	warning = "⚠ OVERLAY DETECTED: [" kind "] " string
//	          ( " @e" ref " — interact with this first" | " — nothing in it to press was found" )
//	element = "@e" ref " " "[" role "] " string { attr } { tag }        ; padded to columns of 6 and 12 characters
//	attr    = " placeholder=" string | " value=" string                 ; the seed's
//	        | " label=" string | " type=" string | " level=" N | " options=[" option { "," option } "]" [ " +" N ]
//	        | " href=" string | " src=" string | " unreadable=" string | " frame=@e" ref
//	        | " shadow=open" | " shadow=closed"
//	tag     = " [DISABLED]" | " [CHECKED]" | " [CHECKED=MIXED]" | …     ; see stateNames
//	        | " [COVERED by @e" ref "]" | " [COVERED]"                  ; with Options.MarkCovered only
//	option  = string [ " disabled" ]
//	string  = a JSON string
//	note    = "[...truncated: 38 nodes, 2,140 characters: 30 in <main>, 8 in <footer>]"     ; notes as in dddk,
//	        | '[...filtered for "add to cart": 8 of 500 elements]'      ; with Options.Query only
//	        | "[...30 more <li> like the 20 above, numbered 41-70]" ; with Options.SummariseRepeats only, in the list
//
// One line for each listed element, in document order. Its number is its ref. The
// columns have fixed widths, so that a line stays the same when its neighbours change;
// a longer number or role pushes the rest of its line to the right. (The seed speaks
// of aligned columns, W-3; its text lost all runs of spaces on the way to us.)
//
//   - role: an input's is its type (W-3), a text input's "textbox", one with an
//     explicit ARIA role that role; a line of text is "text"; what has no role goes by
//     its tag.
//   - The quoted text is what a person reads on the element; where that is nothing, its
//     accessible name. A field's is its value (as the seed shows), and its name follows
//     as label= unless that is only the placeholder. label= also follows where the
//     author named the element otherwise than it reads, as in "×" label="Close".
//   - A line of text has the words that flow in it, links included; blocks inside it
//     have lines of their own. Of a body, and beside such blocks, it has the loose words alone.
//   - Added to the seed, so that nothing is lost: label, type (where an ARIA role took
//     its place), level, options of a select (the first 20, then " +N" for the rest), all
//     states, href of a link without words, src of an image without a name, the frame
//     element that the element lies in, the shadow tree, why a frame could not be read.
//
// Not listed, each with its reason in the document: sections that their author gave no
// name, scroll containers and lines whose words are all on the lines of what they hold,
// labels whose field carries their words, and what Options.ViewportOnly leaves out.
//
// Limits in characters: text of an element 2,000, value 400, label, placeholder and option 200, title 200, addresses
// 1,000, the page's 2,000. Cuts end with "…" and are Omissions. The whole text has no limit of its own; warnings and
// the header are never cut.
//
// Escaping: every text of the page is a JSON string (AppendJSON), so any JSON parser gives
// back what the page has, and no text ends its quotes, its line, or hides. The page's
// address and roles are reduced to what cannot be mistaken.
//
// Compat is what Wraith printed (engines.md 1.3): warnings have "@12" without the e and "@?"
// where there is nothing to press; a blank line follows the header; elements that are
// interactive by tag, role, tabindex or an onclick attribute, first; then all h1 to h3, cut
// at 200; no other lines, so no text, no shadow trees; [[iframe: host] role] for elements in frames;
// value= only where it differs from the text; no additions; "--- Main Content Preview ---"
// with the first 500 characters at the end. Quotes are not escaped. Kept from our rules: line
// breaks, invisible characters and the preview's first character are made safe, passwords stay
// out, numbers are refs, overlays are the capture's (by geometry) and not any class "overlay".
package wraith

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// Caps of the wraith formats, in characters.
const (
	capText    = 200   // compat: of every text
	capLine    = 2_000 // of what a person reads on an element: paragraphs that are longer are rare
	capValue   = 400
	capPreview = 500
	maxOptions = 20
)

// wraith renders one capture, as text and as JSON.
type wraith struct {
	*dump.Builder
	t       *snapshot.Tree
	o       dump.Common
	profile profile
	frames  map[int]int // frame element → index in Capture.Frames
	labels  map[int]int // label → the field that has its text as the name
	items   []item
}

// profile has the differences between the default and the original.
type profile struct {
	list  func(w *wraith)                   // finds the listed elements
	quote func(dst []byte, s string) []byte // appends a text of the page in quotes
	press func(ref int) string              // the part of a warning about the ref to press, 0 for none
	size  func(out []byte) int              // length of which a quarter are the estimated tokens
	// merges: labels whose field carries their words, and inline lines inside of lines,
	// are left out. additions: what the seed lacks is printed. preview: so are a blank
	// line after the header and the start of the main content at the end. timestamp: the
	// time of the capture is printed in any case.
	merges, additions, preview, timestamp bool
	capText                               int // characters of an element's text
}

// profileOf is the profile that the options select.
func profileOf(o dump.Common) profile {
	if o.Compat {
		return profile{
			list:  (*wraith).selectCompat,
			quote: func(b []byte, s string) []byte { return append(append(append(b, '"'), text.Line(s)...), '"') },
			press: func(ref int) string {
				if ref == 0 {
					return " @? — interact with this first"
				}
				return " @" + strconv.Itoa(ref) + " — interact with this first"
			},
			size:    func(out []byte) int { return len(out) },
			preview: true, timestamp: true, capText: capText,
		}
	}
	return profile{
		list:  (*wraith).selectAll,
		quote: text.AppendJSON,
		press: func(ref int) string {
			if ref == 0 {
				return " — nothing in it to press was found"
			}
			return " @e" + strconv.Itoa(ref) + " — interact with this first"
		},
		size:   utf8.RuneCount,
		merges: true, additions: true, capText: capLine,
	}
}

// item is one listed element.
type item struct {
	n           *snapshot.Node
	role        string
	text        string
	placeholder string
	value       string
	label       string
	kind        string // type= of an input that goes by an ARIA role
	href, src   string
	why         string   // why a frame could not be read
	options     []string // of a select
	off         []bool   // which of them nobody can choose
	more        int      // options that are not in the list
	frame       int      // ref of the frame element around it, 0 for none
}

// guessed reports whether what the entry calls the element is a name that the page does not give.
func (it *item) guessed() bool {
	return dump.Guessed(it.n) && (it.label != "" || it.text == text.CollapseSpace(it.n.Name))
}

func newWraith(p *dump.Page, o dump.Common) *wraith {
	c := p.Capture
	w := &wraith{Builder: dump.NewBuilder(p), t: p.Tree(), o: o, profile: profileOf(o), frames: dump.FrameOwners(c)}
	w.Unlisted = func(n *snapshot.Node) (string, string) {
		if n.Ref == 0 {
			return dump.ReasonNoNumber, "it has no ref number"
		}
		return dump.ReasonDuplicate, "its text is on the lines of its children"
	}
	w.findLabels()
	w.profile.list(w)
	return w
}

// Render renders the agent text.
func Render(p *dump.Page, o dump.Common) *dump.Builder {
	w := newWraith(p, o)
	w.writeText()
	return w.Builder
}

// writeText puts the agent text together.
func (w *wraith) writeText() {
	for _, o := range w.Capture.Page.Overlays {
		w.Add(w.t.Node(o.Node), 0, w.warning(o))
	}
	w.Add(nil, 0, w.header())
	if w.profile.preview {
		w.Add(nil, 0, "")
	}
	w.Rules = &dump.LineRules{Head: len(w.Lines), Note: dump.Bracketed}
	w.Out = slices.Grow(w.Out, 96*len(w.items)) // about what a line takes
	var b []byte
	for i := range w.items {
		b = w.line(b[:0], &w.items[i])
		w.Add(w.items[i].n, 0, string(b))
	}
	if p := w.preview(); w.profile.preview && p != "" {
		w.Add(nil, 0, "")
		w.Add(nil, 0, "--- Main Content Preview ---")
		w.Add(nil, 0, guard(text.Visible(p)))
	}
}

// preview is the start of the page's main content.
func (w *wraith) preview() string {
	s := text.Cut(text.CollapseSpace(w.Capture.Page.Preview), capPreview)
	return s
}

// cut shortens what is in an entry and records that it did.
func (w *wraith) cut(node int, what, s string, max int) string {
	short, was := text.CutCount(s, max)
	if was > 0 {
		w.Omit(node, dump.ReasonCut, fmt.Sprintf("%s cut from %d to %d characters", what, was, max))
	}
	return short
}
