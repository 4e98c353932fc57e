// Package aria is the format aria: the tree of roles and names, C-7, seed "CDP-Skill Specification"
// 7 and 11.1.
//
//	document  = [ header ] { item } [ note ]
//	header    = "# Auto-scoped to main content. Other landmarks: " landmark { ", " landmark } NL
//	            '# Use {root: "body"} for full page' NL
//	          | '# Auto-scoped to main content. Use {root: "body"} for full page' NL
//	          | "# The whole page: main has " N " of its controls, …" NL   where an app's controls lie beside its main
//	item      = indent "- " key                          a leaf
//	          | indent "- " key ": " STRING              its value, or its only text
//	          | indent "- " key ":" NL { item }          two blanks a level
//	          | indent "- text: " STRING                 text among other items
//	          | indent "# " words                        a note of ours
//	            an item's line may end in " # " words, a note too
//	key       = role [ " " STRING ] { " [" state "]" }
//	state     = "checked" [ "=mixed" ] | "disabled" | "expanded" | "collapsed" | "pressed" [ "=mixed" ]
//	          | "selected" | "required" | "invalid" [ "=" ( "grammar" | "spelling" ) ] | "readonly" | "focused"
//	          | "inert" | "current" | "sort=" WORD | "busy" | "guessed" | "scrollable"
//	          | "level=" N | "name=" ( WORD | STRING ) | "placeholder=" STRING | "url=" STRING | "value=" STRING
//	          | "covered" [ "=" ref ] | "ref=" ref       always in this order
//	ref       = "s" N "e" N                              s1e4: the session's number 4, first given in snapshot 1
//	note      = "# " words                                  at the end: what limits or a query left out
//
// STRING is a JSON string. After ": " it is a YAML one, which differs in nothing but
// characters beyond U+FFFF that cannot be seen: \U000e0041 and not two \u.
//
// Every text is YAML: a sequence of strings and of mappings with one key, or null
// where there is nothing to list. The seed's own grammar is not where a name holds
// ": " or " #" (a name ends there, or a comment begins): such a key is in single
// quotes, ' doubled, as Playwright has it. Nor is the original's "- text "…"" without a
// colon the mapping that its neighbours are; ours has the colon. A # outside quotes is
// always ours: page text is only ever inside STRING or WORD.
//
// What is listed: every rendered element with a role, in composed order. Elements
// without one (generic, none, text-level roles such as strong) are flattened: what
// they hold is in their place. Some of these can be operated anyway, and are
// called generic, textbox (contenteditable) or, where they only scroll, generic
// [scrollable]. A label is flattened unless it is what a person presses. An empty
// paragraph is no line. A frame is a document named by its title, name or URL; one that
// could not be read explains why in a note. A name that is the content is not printed again
// as text, and a row's name made of its cells is not printed at all.
//
// Lengths, in characters: a name 300, a name attribute and a placeholder 80, a value
// or address inside brackets 120; shorter where escapes make them long, so that a key
// stays below the 1,024 that YAML allows. A longer name from content is printed in full as the element's text.
// A line has at most 2,000: the text or value that ends it is cut to that. A select lists 50 options, and the chosen
// ones. What is deeper than MaxDepth is counted at the end: "# Too deep: 3 elements below level
// 50". The limits of every format end with "# Truncated: 38 nodes, 2,140 characters"; a
// query and summarised repeats have notes in the same manner.
//
// What aria-hidden takes out of the accessibility tree and a person sees all the same is
// marked "# aria-hidden". Where it is, or holds, what can be operated it is listed as
// anything else, with the note at its outermost lines. Else its text is one line,
// "- text: STRING # aria-hidden", without the roles in it; not inside a control, whose
// name stands for it, nor where the text before it says the same.
//
// Left out, with their reasons: what else aria-hidden hides and what has neither a role nor
// text (role-not-here), what lies outside the root (out-of-scope), and what
// options leave out. Refs are on what can be operated, on headings, frames and scroll
// containers; other lines have none although their elements have numbers.
//
// The interactive detail lists what can be operated, one line each, with the roles
// around it: - button "Save" [ref=s1e5]: path=main > form. The summary counts, and
// lists landmarks and headings; see detail.go.
//
// Compat prints what the original printed, research 1.4: refs f0s1e4 (the frame's
// number first); text "…" without a colon, and text only under alert, alertdialog,
// log, marquee, paragraph, status, timer unless IncludeText; listitem and cell by
// name only; names cut at 150 UTF-16 units; no option of a select and no value but of
// textbox, searchbox and spinbutton; no frames and no shadow content unless requested;
// the state words of ours (inert, readonly, current, sort, busy, focused, scrollable, guessed, placeholder, covered)
// missing; keys never in single quotes; the root's own line
// never printed; interactive lines with the ref before the states.
// It is then not YAML. Passwords stay redacted and page text is escaped anyway:
// a name attribute that could end its bracket is a STRING, names in interactive lines
// have their quotes escaped.
//
// Playwright prints another program's text: see playwright.go.
package aria

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/compat"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/text"
)

// guessed is the word for a name that the page does not give.
const guessed = "guessed"

// Lengths of the aria format, in characters, and counts.
const (
	capName      = 300
	capAttr      = 80
	capValue     = 120
	capLine      = 2000 // of a line of page text, ours alone; Playwright's and the original's are whole
	capWhy       = 200  // why a frame could not be read
	capShort     = 80   // compat: of content that names a listitem, UTF-16 units
	maxOptions   = 50
	maxOthers    = 20 // landmarks in the header
	defaultDepth = 50
)

// Detail is how much the aria format has.
type Detail string

// The details of the aria format; any other word is full.
const (
	Full        Detail = "full"        // every element with a role
	Interactive Detail = "interactive" // what can be operated, with its path
	Summary     Detail = "summary"     // counts, landmarks and headings
)

// The modes of the aria format.
const (
	ModeAI    = "ai"    // with refs
	ModePlain = "plain" // without
)

// Options are the options of the aria format alone. The zero value is its
// default. The seed's preserveRefs has no meaning here: numbers are the session's and
// are never given again.
type Options struct {
	Detail Detail
	// Mode is ModeAI or ModePlain; "" is ai, and plain with Playwright.
	Mode string
	// MaxDepth is how many levels of items are printed; 0 is 50, below 0 all.
	MaxDepth int
	// IncludeText prints text that is no name and no value; nil is yes, and no with
	// Compat. Paragraphs and live regions have theirs either way under Compat.
	IncludeText *bool
	// PierceShadow prints what is in shadow trees; nil is yes, and no with Compat.
	// What a host's own children put into slots is printed either way.
	PierceShadow *bool
	// IncludeFrames prints the content of frames; nil is yes, and no with Compat.
	IncludeFrames *bool
	// Before is a capture that the agent has had, nil for none: fixed and sticky parts
	// that read the same in it become one note each (Options.ViewportOnly).
	Before *snapshot.Capture
	// Root is the index of the node to print, nil for the whole page; see [Root].
	Root *int
	// AutoScope prints main alone where the page has one and Root is nil, below a header that
	// lists the other landmarks (seed 7.4). Compat always does.
	AutoScope bool
	// Snapshot is the number of the agent-facing snapshot that first gave a ref, the 3
	// of s3e12; nil is 1 for all. It must answer the same each time.
	Snapshot func(ref int) int
	// Spell writes a ref where s1e4 is not the agent's spelling; nil for that.
	Spell func(ref int) string
	// LinkURLs prints the href of links as [url="…"].
	LinkURLs bool
	// Playwright selects Playwright's spelling, rules and losses; then only Mode, Root and
	// Boxes count, and what every format has: limits, query, repeats.
	Playwright bool
	// Boxes prints [box=x,y,w,h] in CSS px, whole numbers (Playwright).
	Boxes bool
}

// profile has the differences between the default and the original. Playwright's is another
// program: playwright.go.
type profile struct {
	// additions: what the original lacks is printed, and what it prints at odds with a
	// person's view is not: states of ours, values and options of fields, notes, text that
	// aria-hidden hides, headings of the summary.
	additions bool
	yaml      bool // the text is YAML: "- text:" with its colon, quoted keys
	all       bool // text, shadow trees and frames are printed unless an option excludes them
	rootLine  bool // a root that the options name has its line
	autoScope bool // main alone is printed where the options name no root
	ownNames  bool // names by the original's own list (package compat)
	frameRefs bool // refs begin with the frame's number
	brackets  bool // name attributes may have brackets in pairs
	live      bool // paragraphs and live regions print their text in any case
	cap16     int  // UTF-16 units of a name, and "…" after them; 0 for the default's cap
}

// profileOf is the profile that the options select.
func profileOf(o dump.Common) profile {
	if o.Compat {
		return profile{autoScope: true, ownNames: true, frameRefs: true, brackets: true, live: true, cap16: 150}
	}
	return profile{additions: true, yaml: true, all: true, rootLine: true}
}

// aria renders one capture.
type aria struct {
	*dump.Builder
	t       *snapshot.Tree
	o       settings
	profile profile
	text    bool // print text that is no name
	pierce  bool
	into    bool           // go into frames
	frames  map[int]int    // frame element → index in Capture.Frames
	unheard bool           // inside of what aria-hidden hides and a person can operate
	named   map[int]bool   // elements whose text is the name of what is around them
	before  map[int]string // ref → lines of the fixed and sticky parts of Before
	nested  bool           // this is a rendering of Before: nothing is left out again

	head    int // lines that are never cut
	dropped int // items below MaxDepth

	namer *compat.Namer // Compat: the original's own names
	order compat.Order
}

// Render renders the tree, in Playwright's spelling where that is requested.
func Render(p *dump.Page, k dump.Common, own Options) *dump.Builder {
	o := settings{k, own}
	if o.Playwright {
		return renderPlaywright(p, o)
	}
	w := newAria(p, o)
	root := w.scope()
	if o.ViewportOnly && o.Before != nil {
		w.before = partsOf(o.Before, o)
	}
	switch o.Detail {
	case Interactive:
		w.interactive(root)
	case Summary:
		w.summary(root)
	default:
		for _, k := range root.kids {
			w.emit(k, root, 0)
		}
	}
	w.finish()
	return w.Builder
}

func newAria(p *dump.Page, o settings) *aria {
	c := p.Capture
	o.MaxDepth = cmp.Or(o.MaxDepth, defaultDepth)
	rules := profileOf(o.Common)
	or := func(p *bool) bool {
		if p != nil {
			return *p
		}
		return rules.all
	}
	w := &aria{
		Builder: dump.NewBuilder(p), t: p.Tree(), o: o, profile: rules, frames: map[int]int{}, named: map[int]bool{},
		text: or(o.IncludeText), pierce: or(o.PierceShadow), into: or(o.IncludeFrames),
	}
	for i, f := range c.Frames {
		if f.Owner >= 0 && i > 0 {
			w.frames[f.Owner] = i
		}
	}
	w.Unlisted = w.reason
	if w.profile.ownNames {
		w.namer, w.order = compat.NewNamer(c, w.t), compat.ARIA()
		w.order.Sources = slices.DeleteFunc(w.order.Sources, func(s compat.Source) bool { return s == compat.Text })
		w.order.Limit = 0 // cut where the key is written
	}
	return w
}

// reason explains a kept node that no rule above has explained.
func (w *aria) reason(n *snapshot.Node) (reason, detail string) {
	switch {
	case w.named[n.I]:
		return dump.ReasonDuplicate, "its text is the name of the element around it"
	case w.o.Detail == Interactive:
		return dump.ReasonRole, "the interactive detail lists what can be operated"
	case w.o.Detail == Summary:
		return dump.ReasonRole, "the summary lists landmarks and headings"
	case w.o.ViewportOnly && !inView(n):
		return dump.ReasonViewport, "outside the visible part of the page"
	case listedRole(n) == "":
		return dump.ReasonRole, "it has no role, so its children are listed in its place"
	}
	return dump.ReasonRole, "it has no text that this detail prints"
}

// put adds one line, with the spans of it that belong to other elements. The spans'
// offsets count from the line's start.
func (w *aria) put(n *snapshot.Node, line string, spans []dump.Span) {
	w.Add(n, 0, line)
	at := len(w.Lines) - 1
	for _, s := range spans {
		w.Spans = append(w.Spans, dump.Span{Start: w.Lines[at].Start + s.Start, End: w.Lines[at].Start + s.End,
			Line: at,
			Node: s.Node})
	}
}

// putItem is put for an item's own line.
func (w *aria) putItem(n *snapshot.Node, line string, spans []dump.Span) {
	w.put(n, line, spans)
	if w.refs() && w.numbers(n) {
		w.Builder.Refs = append(w.Builder.Refs, n)
	}
}

// finish describes what MaxDepth left out, or that there is nothing at all, and leaves the
// other limits to the cutters.
func (w *aria) finish() {
	told := make(map[dump.Omission]bool, len(w.Omitted))
	w.Omitted = slices.DeleteFunc(w.Omitted, func(o dump.Omission) bool { // one text may be left out in several pieces
		again := told[o]
		told[o] = true
		return again
	})
	w.Rules = &dump.LineRules{Head: w.head, Note: comment, Apart: w.o.Detail == Interactive || w.o.Detail == Summary}
	switch {
	case w.dropped > 0:
		w.Truncated = true
		w.Rules.Remarks = append(w.Rules.Remarks, "too deep: "+text.Count(w.dropped, "element",
			"elements")+" below level "+strconv.Itoa(w.o.MaxDepth))
	case len(w.Lines) == 0:
		w.Add(nil, 0, "# Nothing to list")
		w.Rules.Head = 1
	}
}

// comment spells a note as a comment of YAML.
func comment(remark string) string { return "# " + text.Capital(remark) }

// tooDeep accounts for an item that MaxDepth leaves out, with all it holds, and reports
// whether it does.
func (w *aria) tooDeep(k kid, level int) bool {
	max := w.o.MaxDepth
	if max <= 0 || level < max {
		return false
	}
	w.leaveKid(k, dump.ReasonCut, "deeper than "+text.Count(max, "level", "levels"))
	return true
}

// leaveKid omits the kept elements of an item or text.
func (w *aria) leaveKid(k kid, reason, detail string) {
	for _, p := range k.text {
		if p.Node != nil && p.Node.Verdict.Kept() {
			w.Omit(p.Node.I, reason, detail)
		}
	}
	if k.item == nil {
		return
	}
	if reason == dump.ReasonCut && k.item.role != "" {
		w.dropped++
	}
	if k.item.n.Verdict.Kept() {
		w.Omit(k.item.n.I, reason, detail)
	}
	for _, inner := range k.item.kids {
		w.leaveKid(inner, reason, detail)
	}
}

// leave omits the kept elements of a whole subtree.
func (w *aria) leave(n *snapshot.Node, reason, detail string) {
	if w.nested {
		return
	}
	subtree(w.t, n, func(at *snapshot.Node) {
		if at.Verdict.Kept() {
			w.Omit(at.I, reason, detail)
		}
	})
}

// subtree calls fn for a node and all it holds, however deep.
func subtree(t *snapshot.Tree, n *snapshot.Node, fn func(*snapshot.Node)) {
	stack := []*snapshot.Node{n}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		fn(at)
		for c := range t.Children(at.I) {
			stack = append(stack, c)
		}
	}
}

// settings are the options of one rendering.
type settings struct {
	dump.Common
	Options
}
