// Package snapshot represents one web page at one moment as plain data.
//
// A [Capture] is read from the browser once and never changes afterwards. Every
// text format (package dump), payload, difference, audit and marked picture is a
// pure function of captures, so all of them can be made again later, without a
// browser, from a turn on disk.
//
// The data is a flat list of [Node] values, one for each DOM element, in the
// document order of the composed tree: a shadow root's content takes the place
// of its host's light children, a slot is followed by what is assigned to it,
// and a frame element is followed by the document it shows. A node names its
// parent by index, so the list is also the tree; [NewTree] turns it around.
//
// Every element has exactly one [Verdict], kept or not, with the evidence for it
// in words. Elements that a format can address have a ref number; see
// [Node.Numbered] for which, and package turn for the order of the numbers.
//
// This package and its children know no Chrome, no window and no clock.
package snapshot

import (
	"net/url"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/network"
)

// Schema names the shape of a capture's JSON. Changes are additive only.
const Schema = "refscope.capture/1"

// MaxPixels is the largest picture that is decoded, in image px: the largest viewport's, 10,000 x 10,000. As RGBA it
// takes 400 MB. A picture of a few kilobytes can claim to be one of gigabytes.
const MaxPixels = 100_000_000

// SourceAX is the [Capture.Source] of roles and names that are those of Chrome's own
// accessibility tree.
const SourceAX = "ax"

// Capture is one page at one moment. It is immutable once made; share it freely.
type Capture struct {
	Schema string `json:"schema"`
	URL    string `json:"url"`   // the address of the page
	Title  string `json:"title"` // the title of the page
	// Lang is the lang attribute of the document element.
	Lang string `json:"lang,omitempty"`
	// TakenAt is when the walk of the main frame ended.
	TakenAt time.Time `json:"takenAt"`
	// Chrome is the browser's own version string, such as "Chrome/156.0.8078.79".
	Chrome string `json:"chrome,omitempty"`
	// Settled is false where the page was still changing when the wait ended.
	Settled bool `json:"settled"`
	// Source is where roles, names, descriptions and states come from: SourceAX, or ""
	// for the collector, which computes them by specification.
	Source string `json:"source,omitempty"`
	// SecretsAllowed: the one who requested this capture was given the values of
	// password and code fields beside it. They are not in it.
	SecretsAllowed bool `json:"secretsAllowed,omitempty"`
	// ObservedFrom is since when mutations were seen; zero where they were not.
	ObservedFrom time.Time `json:"observedFrom,omitzero"`

	Viewport Viewport `json:"viewport"`
	Scroll   Scroll   `json:"scroll"`
	// FullPage describes how a whole page was captured; nil where Viewport is what the
	// window showed.
	FullPage *FullPage `json:"fullPage,omitempty"`
	Page     Page      `json:"page"`
	Frames   []Frame   `json:"frames"`
	// Nodes are in composed document order. In a full capture Nodes[i].I == i; a
	// capture filtered by [Capture.Kept] has gaps, so look nodes up with
	// [Capture.Node].
	Nodes    []Node          `json:"nodes"`
	Verdicts map[Verdict]int `json:"verdicts"` // how many elements have each verdict

	Mutations []Mutation     `json:"mutations,omitempty"`
	Console   []ConsoleEntry `json:"console,omitempty"`
	Dialogs   []Dialog       `json:"dialogs,omitempty"`
	// Network is what the page loaded, nil where that was not recorded.
	Network *network.Layer `json:"network,omitempty"`
	// Tools are those that the page offers to agents (WebMCP).
	Tools []PageTool `json:"tools,omitempty"`

	Timings Timings   `json:"timings"`
	Moment  Moment    `json:"moment"`
	Failed  []Failure `json:"failed,omitempty"`
}

// Pageless reports whether it is of no page: no browser read one, as of a request that none is paired with. A page
// that a script has emptied is one.
func (c *Capture) Pageless() bool { return len(c.Nodes) == 0 && c.Chrome == "" }

// Viewport is the visible part of the page.
type Viewport struct {
	Width  float64 `json:"width"`  // CSS px, scroll bars included
	Height float64 `json:"height"` // CSS px, scroll bars included
	// Scale is image px for one CSS px: the picture's width over the clip's.
	Scale float64 `json:"scale"`
}

// Box is the viewport as a box at 0,0, in CSS px.
func (v Viewport) Box() Box { return Box{0, 0, v.Width, v.Height} }

// FullPage describes how a whole page was captured (C-19). Viewport is then the part of the
// page that the picture shows, from the page's top left corner on; boxes count from
// there.
type FullPage struct {
	// Window is what the tab showed before the capture, and shows again, and Scroll
	// where it was scrolled to; Scale is its device px for one CSS px.
	Window Viewport   `json:"window"`
	Scroll [2]float64 `json:"scroll"` // CSS px
	// Layout is the window that the page was laid out in, width and height in CSS px:
	// as tall as the page, or Window where a taller window makes the page taller still.
	// What reaches out of it has no occlusion, as nothing can be hit there.
	Layout [2]float64 `json:"layout"`
	// Cut is how much of the page the picture lacks, at its right and below, in CSS
	// px; Capture.Failed explains why.
	Cut [2]float64 `json:"cut"`
}

// Scroll is how far the page is scrolled and how far it can be, in CSS px.
type Scroll struct {
	X    float64 `json:"x"`    // how far to the right it is scrolled
	Y    float64 `json:"y"`    // how far down it is scrolled
	MaxX float64 `json:"maxX"` // how far to the right it can be scrolled
	MaxY float64 `json:"maxY"` // how far down it can be scrolled
}

// Start is the left and the top edge of what scrolling the page reaches, in CSS px of the viewport: nobody sees what
// lies wholly before them. A page from right to left scrolls to the left of its origin.
func (c *Capture) Start() (left, top float64) {
	s := c.Scroll
	left = 0 - s.X
	if s.X < 0 || c.RightToLeft() {
		left -= s.MaxX
	}
	return left, 0 - s.Y
}

// RightToLeft reports whether the page runs from right to left: dir on its body, else on its root. A direction that
// only a style sheet gives is not on record.
func (c *Capture) RightToLeft() bool {
	dir := ""
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Frame != 0 || n.Tag != "html" && n.Tag != "body" {
			continue
		}
		if d := n.Attr("dir"); d != "" {
			dir = d
		}
		if n.Tag == "body" {
			break
		}
	}
	return strings.EqualFold(dir, "rtl")
}

// Page holds facts about the page as a whole.
type Page struct {
	Type         string     `json:"type,omitempty"`        // what kind of page it seems to be
	Preview      string     `json:"preview,omitempty"`     // start of the main content, 500 characters
	Description  string     `json:"description,omitempty"` // the page's own description of itself
	FormCount    int        `json:"formCount"`             // how many forms it has
	HasLoginForm bool       `json:"hasLoginForm"`          // a form of it has a password field
	HasCaptcha   bool       `json:"hasCaptcha"`            // a frame or element of a known captcha is on it
	Landmarks    []Landmark `json:"landmarks,omitempty"`
	Overlays     []Overlay  `json:"overlays,omitempty"`
	// InteractiveCount is how many kept elements can be operated.
	InteractiveCount int `json:"interactiveCount"`
	// Grid is what a click reaches at points spread evenly over the viewport; nil
	// where nothing lies over the page.
	Grid *Grid `json:"grid,omitempty"`
}

// Grid holds one hit test for the middle of each cell of the viewport.
type Grid struct {
	Columns int `json:"columns"` // how many columns it has
	Rows    int `json:"rows"`    // how many rows it has
	// Hits are node indices, row by row; -1 where nothing is known to be hit.
	Hits []int `json:"hits"`
}

// Landmark is one landmark region of the page.
type Landmark struct {
	Node int    `json:"node"`           // the index of its element
	Role string `json:"role"`           // the landmark role
	Name string `json:"name,omitempty"` // its accessible name
}

// Overlay is something that covers the page.
type Overlay struct {
	Node  int     `json:"node"`            // index of its outermost element
	Kind  string  `json:"kind"`            // cookie_banner, consent_dialog, modal, popup, notification, overlay
	Title string  `json:"title,omitempty"` // its accessible name or first line
	Press *int    `json:"press,omitempty"` // node to press to get rid of it
	Share float64 `json:"share"`           // part of the viewport that it covers, 0 to 1
}

// Frame is one document of the page. Frames[0] is the main frame.
type Frame struct {
	ID           string     `json:"id"`               // Chrome's id of the frame
	Parent       int        `json:"parent"`           // index in Frames, -1 for the main frame
	URL          string     `json:"url"`              // the address of the document
	Origin       string     `json:"origin,omitempty"` // its scheme, host and port
	OutOfProcess bool       `json:"outOfProcess"`     // another process renders it
	Readable     bool       `json:"readable"`         // its elements are in the capture
	Why          string     `json:"why,omitempty"`    // why it could not be read
	Offset       [2]float64 `json:"offset"`           // of its viewport in the top viewport, CSS px
	// Scale is how many CSS px of the top viewport one of the frame's is, each way;
	// zero where it is one.
	Scale [2]float64 `json:"scale,omitzero"`
	// Loader names the document that the frame showed; with the frame's id and
	// a node's uid it is the element's identity.
	Loader string `json:"loader,omitempty"`
	Owner  int    `json:"owner"` // node index of the frame element, -1 for the main frame
}

// FramesBetween is how many frames deeper than frame in the frame f lies, both as indices in Frames: 0 for in
// itself, -1 for one that is not inside it.
func (c *Capture) FramesBetween(f, in int) int {
	for levels := 0; f >= 0 && f < len(c.Frames) && levels <= len(c.Frames); levels++ {
		if f == in {
			return levels
		}
		f = c.Frames[f].Parent
	}
	return -1
}

// Mutation is one change that was seen after the page had loaded and before the
// capture. What was typed into fields is never in it.
type Mutation struct {
	Age  float64 `json:"age"`  // ms before TakenAt
	Type string  `json:"type"` // added, removed, changed
	// Category is text, element, error, success, warning, loading or form.
	Category string `json:"category"`
	// What is the role or tag of the element that changed, "" for a text.
	What string `json:"what,omitempty"`
	Text string `json:"text"` // its words, at most 120 characters
}

// ConsoleEntry is one line of the page's console.
type ConsoleEntry struct {
	Age   float64 `json:"age"`            // ms before TakenAt
	Level string  `json:"level"`          // how grave it is, in Chrome's words
	Text  string  `json:"text"`           // the line, cut where it is long
	URL   string  `json:"url,omitempty"`  // the script that wrote it
	Line  int     `json:"line,omitempty"` // the line of the script, from 1
}

// ConsoleSince are the lines of the page's console that came after that time, oldest first; all for
// the zero time. A capture lists what its page has logged so far, so that it can be read alone. A line
// belongs to the first turn that has it: who shows turn after turn asks for those since the one before.
func (c *Capture) ConsoleSince(before time.Time) []ConsoleEntry {
	return since(c, c.Console, func(e ConsoleEntry) float64 { return e.Age }, before)
}

// since are those of a list that came after that time; all for the zero time.
func since[T any](c *Capture, all []T, age func(T) float64, before time.Time) []T {
	if before.IsZero() {
		return all
	}
	most := float64(c.TakenAt.Sub(before)) / float64(time.Millisecond)
	var out []T
	for _, one := range all {
		if age(one) < most {
			out = append(out, one)
		}
	}
	return out
}

// Dialog is a JavaScript dialog that the page opened and how it was answered.
type Dialog struct {
	Age      float64 `json:"age"`           // ms before TakenAt
	Type     string  `json:"type"`          // alert, confirm, prompt, beforeunload
	Message  string  `json:"message"`       // what it says
	URL      string  `json:"url,omitempty"` // the document that opened it
	Accepted bool    `json:"accepted"`      // it was answered with OK
}

// DialogsSince are the dialogs that opened after that time, oldest first; all for the zero time. As of the lines of the
// console, a capture lists those of its tab so far.
func (c *Capture) DialogsSince(before time.Time) []Dialog {
	return since(c, c.Dialogs, func(d Dialog) float64 { return d.Age }, before)
}

// PageTool is a tool that a page offers to agents. All of it is the page's own text, and no more to be trusted than the
// rest of the page.
type PageTool struct {
	Name        string `json:"name"`                  // the name that the page gave it
	Description string `json:"description,omitempty"` // what the page says of it
	InputSchema string `json:"inputSchema,omitempty"` // JSON, as the page has it
}

// Timings are milliseconds spent in each part of a turn.
type Timings struct {
	Settle     float64 `json:"settle"`     // waiting until the page rests
	Walk       float64 `json:"walk"`       // reading the elements
	Frames     float64 `json:"frames"`     // reading the frames of other processes
	Listeners  float64 `json:"listeners"`  // asking which elements listen to events
	Hit        float64 `json:"hit"`        // testing what lies on top
	Redact     float64 `json:"redact"`     // keeping secrets out
	Screenshot float64 `json:"screenshot"` // the picture
	Total      float64 `json:"total"`      // the whole capture
	// Parts divide Total into stages that follow each other without a gap, in their order.
	// Walk, Hit and Listeners are times within them, in the page and beside other work.
	Parts []Part `json:"parts,omitempty"`
	// Again: nothing had changed since the capture of texts before, which is given again with the present time. The
	// page was not walked, so the times of its parts are zero.
	Again bool `json:"again,omitempty"`
	// Walked is why the page was walked though there was a capture of texts before: page (it has changed), moves,
	// style, listeners, frames, size, console, tools, options, kind (it has what changes without a trace), failed,
	// asked (a document did not answer) or twice ($REFSCOPE_READ_TWICE). "" where there was none.
	Walked string `json:"walked,omitempty"`
}

// Part is one stage of a turn.
type Part struct {
	Name string  `json:"name"` // the name of the stage
	Ms   float64 `json:"ms"`   // how long it took, in ms
}

// Moment is the proof that picture and text show the same moment.
type Moment struct {
	Torn            bool   `json:"torn"`                   // picture and text may be of two moments
	MutationsDuring int    `json:"mutationsDuring"`        // changes of the page that were seen while it was captured
	LayoutBefore    string `json:"layoutBefore,omitempty"` // a fingerprint of the layout before the picture
	LayoutAfter     string `json:"layoutAfter,omitempty"`  // the same after the picture; equal where nothing moved
}

// Failure is a layer of the capture that could not be read.
type Failure struct {
	Layer string `json:"layer"` // the part of the capture
	Frame int    `json:"frame"` // the index of the frame
	Why   string `json:"why"`   // the reason, a sentence
}

// LayerWalk is the layer of a [Failure] for a reading that ended at a limit: what follows is in no text.
const LayerWalk = "walk"

// LayerStructure is the layer of a [Failure] for a page of which only a few elements are known.
const LayerStructure = "structure"

// LayerProfile is the layer of a [Failure] for a line of the site's profile that did nothing.
const LayerProfile = "profile"

// SameMoment reports whether both are of one moment: turns share a capture where nothing was seen between them.
func (c *Capture) SameMoment(o *Capture) bool {
	return !c.TakenAt.IsZero() && c.TakenAt.Equal(o.TakenAt) && c.URL == o.URL
}

// CutOff is why the page was not read whole, "" where it was.
func (c *Capture) CutOff() string {
	for _, f := range c.Failed {
		if f.Layer == LayerWalk {
			return f.Why
		}
	}
	return ""
}

// Node is the node with index i, nil where the capture does not contain it. It is
// constant time in a full capture and a search in a filtered one.
func (c *Capture) Node(i int) *Node {
	if i >= 0 && i < len(c.Nodes) && c.Nodes[i].I == i {
		return &c.Nodes[i]
	}
	lo, hi := 0, len(c.Nodes)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.Nodes[mid].I < i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.Nodes) && c.Nodes[lo].I == i {
		return &c.Nodes[lo]
	}
	return nil
}

// ByRef is the node with that ref number, nil where there is none or no capture.
func (c *Capture) ByRef(ref int) *Node {
	if c == nil || ref < 1 {
		return nil
	}
	for p := range c.Nodes {
		if c.Nodes[p].Ref == ref {
			return &c.Nodes[p]
		}
	}
	return nil
}

// CountVerdicts counts the nodes by verdict.
func (c *Capture) CountVerdicts() map[Verdict]int {
	m := map[Verdict]int{}
	for p := range c.Nodes {
		m[c.Nodes[p].Verdict]++
	}
	return m
}

// LeaveOut gives the verdict "filtered" to elements and all that is in them: roots are those that a filter takes out,
// by index, each with the rule that does. Only what a text could show gets it; what is hidden keeps the reason for
// that. note is called with each, and the root that it is in. A paragraph whose words all go is none any more. The
// answer is the root that each element is in.
func (c *Capture) LeaveOut(roots map[int]string, note func(n, root *Node, rule string)) map[int]*Node {
	in := map[int]*Node{}
	if len(roots) == 0 {
		return in
	}
	for k := range c.Nodes {
		n := &c.Nodes[k]
		root := in[n.Parent]
		if _, ok := roots[n.I]; root == nil && ok {
			root = n
		}
		if root == nil {
			continue
		}
		in[n.I] = root
		if n.Verdict.Kept() || n.Verdict == VerdictWrapper || n.Verdict == VerdictInsideAtomic {
			n.Verdict, n.Ref = VerdictFiltered, 0
			note(n, root, roots[root.I])
		}
	}
	words := map[int]bool{} // elements in which words flow that are left
	for k := len(c.Nodes) - 1; k >= 0; k-- {
		n := &c.Nodes[k]
		switch {
		case in[n.I] != nil, !n.Verdict.Kept() && n.Verdict != VerdictWrapper && n.Verdict != VerdictInsideAtomic:
			continue
		case n.Text != "":
			words[n.I] = true
		case n.Verdict == VerdictContent && !words[n.I] && n.Value == "" && n.Name == "":
			n.Verdict, n.Ref, n.Evidence = VerdictWrapper, 0, "nothing of its own"
		}
		if words[n.I] && !n.Block && !n.Numbered() {
			words[n.Parent] = true
		}
	}
	return in
}

// Whole reports whether all elements that were read are in the capture, and not the kept ones alone.
func (c *Capture) Whole() bool {
	n := 0
	for _, k := range c.Verdicts {
		n += k
	}
	return n == len(c.Nodes)
}

// Kept is a copy of the capture with only the kept nodes, their ancestors and
// every coverer: what `--format capture` prints without --all. Indices stay
// those of the full walk, and the verdict counts stay those of all elements.
func (c *Capture) Kept() *Capture {
	keep := map[int]bool{}
	add := func(i int) {
		for i >= 0 && !keep[i] {
			n := c.Node(i)
			if n == nil {
				return
			}
			keep[i] = true
			i = n.Parent
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if !n.Verdict.Kept() {
			continue
		}
		add(n.I)
		if n.Occlusion != nil && n.Occlusion.Coverer != nil {
			add(*n.Occlusion.Coverer)
		}
	}
	for _, o := range c.Page.Overlays {
		add(o.Node)
		if o.Press != nil {
			add(*o.Press)
		}
	}
	for _, f := range c.Frames {
		add(f.Owner)
	}
	out := *c
	out.Page.Grid = nil // its hits are of all elements
	out.Nodes = make([]Node, 0, len(keep))
	for p := range c.Nodes {
		if keep[c.Nodes[p].I] {
			n := c.Nodes[p]
			if n.Ref == 0 {
				n.Path = ""
			}
			out.Nodes = append(out.Nodes, n)
		}
	}
	return &out
}

// Resolve is an address of an element, such as its href, as its document resolves it: against its <base> (HTML, 2.4.3),
// else against the address of its frame. It is "" where that is no address, or the frame is not known.
func (c *Capture) Resolve(n *Node, address string) string {
	if n.Frame < 0 || n.Frame >= len(c.Frames) {
		return ""
	}
	base, err := url.Parse(c.Frames[n.Frame].URL)
	if err != nil {
		return ""
	}
	for i := range c.Nodes {
		if b := &c.Nodes[i]; b.Tag == "base" && b.Frame == n.Frame && b.HasAttr("href") {
			if own, err := base.Parse(b.Attr("href")); err == nil {
				base = own
			}
			break
		}
	}
	to, err := base.Parse(address)
	if err != nil {
		return ""
	}
	return to.String()
}
