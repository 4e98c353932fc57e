package diff

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
)

// maxChanges is how many entries each list of [Changes] holds (seed 14.2), and maxOutOfView of what is not in view.
const (
	maxChanges   = 10
	maxOutOfView = 5
)

// Caps of [Line], in characters: an original cuts names at 150; what a field holds is
// not limited there.
const (
	capName  = 150
	capValue = 400
)

// maxNamed is how many refs the summary names for each kind of change.
const maxNamed = 3

// Changes is the object "changes" of a cdp-skill response, seed "CDP-Skill" 14.2:
//
//	{"summary":"Clicked. 3 added (s1e5, s1e6, s1e7). 1 removed (s1e2). 2 expanded/collapsed (s1e3, s1e4).",
//	 "added":["- button \"Close\" [ref=s1e5]", …],"removed":[…],
//	 "changed":[{"ref":"s1e3","field":"expanded","from":false,"to":true}, …]}
//
// Its lists are of what is in the visible part of the page; outOfView has those of the rest, absent under Compat. What
// only scrolled into or out of view is in cameIntoView and leftView, under Compat in added and removed, as the original
// has it. What cannot be operated and has no words but those in the line of an added or removed element around it, as
// the cells of a row, is told by that line, not under Compat.
// Page text is between JSON quotes, so it cannot forge a line of its own.
type Changes struct {
	Summary string `json:"summary"`
	ChangeLists
	// OutOfView are those of elements that cannot be seen without scrolling.
	OutOfView *ChangeLists `json:"outOfView,omitempty"`
}

// ChangeLists are the elements that changed. Each list holds at most ten, of what is out of view five; omitted
// describes how many more there are of each, and is absent where there are none.
type ChangeLists struct {
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	// CameIntoView and LeftView are elements that were there before and still are.
	CameIntoView []string      `json:"cameIntoView,omitempty"`
	LeftView     []string      `json:"leftView,omitempty"`
	Changed      []FieldChange `json:"changed,omitempty"`
	// Reordered are elements that stay and stand in another order among their kin, in the new order: the rows of a
	// sorted table. Absent under Compat.
	Reordered []string `json:"reordered,omitempty"`
	// Omitted counts, by list, what the limit left out. Absent under Compat.
	Omitted map[string]int `json:"omitted,omitempty"`
}

// FieldChange is one changed field of one element.
type FieldChange struct {
	Ref   string `json:"ref"`
	Field string `json:"field"`
	// From and To are strings, bools or numbers; null is absent.
	From any `json:"from"`
	To   any `json:"to"`
}

// ChangesOptions describe how [ChangesOf] words what it finds.
type ChangesOptions struct {
	// Action describes what was done, such as "Clicked"; see [ActionWord].
	Action string
	// Ref spells a number; nil is "e12". A session spells s3e12, by the snapshot that
	// first had it.
	Ref func(ref int) string
	// Line spells an element; nil is role, name, states and ref as in the seed's 7.2.
	Line func(n *snapshot.Node, ref string) string
	// Compat reports what the original does: operable elements only, and of changes
	// the states checked, expanded, disabled, selected, pressed, required, readonly
	// and focused. Without it names, values and texts count too, and every element
	// with a number.
	Compat bool
	// NoFocus leaves out that the focus moved, as each click and each filled field moves it.
	NoFocus bool
	// Diff are the options of the comparison; boxes are never compared here.
	Diff Options
}

// ChangesOf compares the page before and after. It is nil where nothing that counts changed, and where the page
// navigated (seed 14.3).
func ChangesOf(a, b *snapshot.Capture, o ChangesOptions) *Changes {
	if Navigated(a.URL, b.URL) {
		return nil
	}
	if o.Ref == nil {
		o.Ref = func(ref int) string { return "e" + strconv.Itoa(ref) }
	}
	if o.Line == nil {
		o.Line = Line
	}
	o.Diff.Move = -1
	d := Captures(a, b, o.Diff)
	shown, rest := newChangeWriter(o, maxChanges), newChangeWriter(o, maxOutOfView)
	rest.outside = true
	for i := range d.Changes {
		if !shown.change(a, b, &d.Changes[i]) && !o.Compat {
			rest.change(a, b, &d.Changes[i])
		}
	}
	if !o.Compat {
		shown.reordered(a, b)
		rest.reordered(a, b)
	}
	if len(shown.order)+len(rest.order) == 0 {
		return nil
	}
	var parts []string
	if o.Action != "" {
		parts = append(parts, o.Action+".")
	}
	out := &Changes{ChangeLists: shown.lists()}
	parts = append(parts, shown.counts()...)
	if len(rest.order) > 0 {
		lists := rest.lists()
		out.OutOfView = &lists
		parts = append(append(parts, "Out of view:"), rest.counts()...)
	}
	out.Summary = strings.Join(parts, " ")
	return out
}

// How the summary counts what scrolled.
const (
	cameIntoView = "came into view"
	leftView     = "left the view"
)

// changeWriter collects what changed in view, or what is outside of it.
type changeWriter struct {
	o       ChangesOptions
	outside bool // of the view
	most    int  // entries of each list
	out     ChangeLists
	omitted map[string]int
	refs    map[string][]string // what the summary counts → refs
	order   []string            // its keys as first met
	// names are those of added and removed elements that are made of what is in them.
	names map[*snapshot.Node]string
}

func newChangeWriter(o ChangesOptions, most int) *changeWriter {
	return &changeWriter{o: o, most: most, omitted: map[string]int{}, refs: map[string][]string{},
		names: map[*snapshot.Node]string{}}
}

// change takes one change into the lists, and reports whether it is one of theirs.
func (w *changeWriter) change(a, b *snapshot.Capture, c *Change) bool {
	var x, y *snapshot.Node // what the lists had of it before, and have now
	if c.Before != nil {
		x = w.listed(a.Node(c.Before.Node))
	}
	if c.After != nil {
		y = w.listed(b.Node(c.After.Node))
	}
	scrolled := c.Kind == Viewport && !w.o.Compat
	switch {
	case x == nil && y == nil:
		return false
	case w.outside && c.Kind == Viewport:
	case x == nil && scrolled:
		w.line(cameIntoView, &w.out.CameIntoView, y)
	case y == nil && scrolled:
		w.line(leftView, &w.out.LeftView, x)
	case x == nil && (c.Kind == Added || c.Kind == Viewport):
		w.outer("added", &w.out.Added, b, y)
	case y == nil && (c.Kind == Removed || c.Kind == Viewport):
		w.outer("removed", &w.out.Removed, a, x)
	case y == nil, x == nil && (w.o.Compat || c.Before == nil):
		return false
	case x != nil && c.Kind == Replaced && (x.Ref > 0 && y.Ref > 0):
		// The original knows an element by its ref alone.
		w.outer("removed", &w.out.Removed, a, x)
		w.outer("added", &w.out.Added, b, y)
	case w.matters(c):
		w.field(y, c)
	}
	return true
}

// listed is the node where the lists may have a line for it, else nil.
func (w *changeWriter) listed(n *snapshot.Node) *snapshot.Node {
	switch {
	case n == nil, !n.Verdict.Kept(), n.Ref == 0, !n.InViewport && !w.outside, w.o.Compat && len(n.Interactive) == 0:
		return nil
	}
	return n
}

// matters reports whether a change of an element that stays is worth an entry.
func (w *changeWriter) matters(c *Change) bool {
	switch c.Kind {
	case State:
		switch c.Field {
		case "focused":
			return !w.o.NoFocus
		case "checked", "expanded", "disabled", "selected", "pressed", "required", "readonly":
			return true
		}
		return !w.o.Compat
	case Role, Renamed, Value, Text, Covered, Uncovered:
		return !w.o.Compat
	case Attr:
		// A password that is shown has another type.
		return !w.o.Compat && (c.Field == "placeholder" || c.Field == "type")
	}
	return false
}

// reordered lists the elements whose parent has them in another order than before.
func (w *changeWriter) reordered(a, b *snapshot.Capture) {
	type key struct{ frame, uid int }
	was := map[key]int{}
	for i := range a.Nodes {
		if n := &a.Nodes[i]; n.UID > 0 {
			was[key{n.Frame, n.UID}] = i
		}
	}
	// For each parent its children that were its children before, and where they were.
	children, places := map[int][]int{}, map[int][]int{}
	var parents []int
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if n.UID == 0 || n.Parent < 0 || n.InViewport == w.outside || !n.Verdict.Kept() {
			continue
		}
		p := &b.Nodes[n.Parent]
		at, ok := was[key{n.Frame, n.UID}]
		if up, stays := was[key{p.Frame, p.UID}]; !ok || !stays || a.Nodes[at].Parent != up {
			continue
		}
		if children[n.Parent] == nil {
			parents = append(parents, n.Parent)
		}
		children[n.Parent], places[n.Parent] = append(children[n.Parent], i), append(places[n.Parent], at)
	}
	for _, p := range parents {
		if slices.IsSorted(places[p]) {
			continue
		}
		for _, i := range children[p] {
			if n := named(b, i); n != nil {
				w.line("reordered", &w.out.Reordered, n)
			}
		}
	}
}

// named is a node with a number, or the first below it that has one; nil for none.
func named(c *snapshot.Capture, i int) *snapshot.Node {
	for k := i; k < len(c.Nodes) && (k == i || c.Nodes[k].Parent >= i); k++ {
		if c.Nodes[k].Ref > 0 {
			return &c.Nodes[k]
		}
	}
	return nil
}

// outer lists an added or removed element of a capture, unless the line of the one around it has all of it.
func (w *changeWriter) outer(what string, list *[]string, c *snapshot.Capture, n *snapshot.Node) {
	if w.o.Compat {
		w.line(what, list, n)
		return
	}
	e := element(n)
	words := text.CollapseSpace(e.Name + e.Text)
	if around := w.names[c.Node(n.Parent)]; around != "" && strings.Contains(around, words) &&
		len(n.Interactive)+len(n.States) == 0 && n.Value == "" {
		w.names[n] = around
		return
	}
	if n.NameFrom == "content" && utf8.RuneCountInString(n.Name) <= capName {
		w.names[n] = text.CollapseSpace(n.Name)
	}
	w.line(what, list, n)
}

func (w *changeWriter) line(what string, list *[]string, n *snapshot.Node) {
	ref := w.o.Ref(n.Ref)
	w.count(what, ref)
	if len(*list) == w.most {
		w.omitted[listName(what)]++
		return
	}
	*list = append(*list, w.o.Line(n, ref))
}

// listName is the JSON name of the list of what the summary counts.
func listName(what string) string {
	switch what {
	case cameIntoView:
		return "cameIntoView"
	case leftView:
		return "leftView"
	}
	return what
}

func (w *changeWriter) field(n *snapshot.Node, c *Change) {
	ref := w.o.Ref(n.Ref)
	w.count(fieldWord(c), ref)
	if len(w.out.Changed) == w.most {
		w.omitted["changed"]++
		return
	}
	w.out.Changed = append(w.out.Changed, FieldChange{ref, c.Field, c.From, w.becomes(c)})
}

// becomes is what a field is now: of what was covered before, by what it is covered instead.
func (w *changeWriter) becomes(c *Change) any {
	switch {
	case c.By == nil || c.From != c.To:
		return c.To
	case c.By.Ref > 0:
		return fmt.Sprintf("%v by %s", c.To, w.o.Ref(c.By.Ref))
	}
	return fmt.Sprintf("%v by <%s>", c.To, c.By.Tag)
}

func (w *changeWriter) count(what, ref string) {
	if w.refs[what] == nil {
		w.order = append(w.order, what)
	}
	w.refs[what] = append(w.refs[what], ref)
}

// fieldWord is how the summary counts a changed field.
func fieldWord(c *Change) string {
	if c.Field == "occlusion" {
		return string(c.Kind)
	}
	words := map[string]string{
		"expanded": "expanded/collapsed", "checked": "checked/unchecked", "disabled": "enabled/disabled",
		"selected": "selected/unselected", "pressed": "pressed/unpressed", "focused": "focus changed",
		"name": "renamed",
	}
	return cmp.Or(words[c.Field], c.Field+" changed")
}

// lists are what was collected.
func (w *changeWriter) lists() ChangeLists {
	if len(w.omitted) > 0 && !w.o.Compat {
		w.out.Omitted = w.omitted
	}
	return w.out
}

// counts are the sentences of the summary: of what was added, removed and scrolled, and the fields in the order in
// which they were met.
func (w *changeWriter) counts() []string {
	var parts []string
	say := func(what string) {
		refs := w.refs[what]
		if len(refs) == 0 {
			return
		}
		names := strings.Join(refs[:min(len(refs), maxNamed)], ", ")
		if more := len(refs) - maxNamed; more > 0 {
			names += fmt.Sprintf(", +%d more", more)
		}
		if field, ok := strings.CutSuffix(what, " changed"); ok && len(refs) > 1 && !w.o.Compat {
			what = "changed their " + field
		}
		parts = append(parts, fmt.Sprintf("%d %s (%s).", len(refs), what, names))
	}
	first := []string{"added", "removed", cameIntoView, leftView}
	for _, what := range first {
		say(what)
	}
	for _, what := range w.order {
		if !slices.Contains(first, what) {
			say(what)
		}
	}
	return parts
}

// Line spells an element as a line of an ARIA snapshot without indent (seed 7.2):
// `- checkbox "Ship it" [checked] [ref=e5]`, with the value after a colon. Names are
// cut at 150 characters and values at 400, with "…" as the last.
func Line(n *snapshot.Node, ref string) string {
	e := element(n)
	var b strings.Builder
	role := n.Role
	if !plainWord(role) {
		role = "generic"
	}
	b.WriteString("- " + role)
	if name := text.Cut(text.CollapseSpace(e.Name+e.Text), capName); name != "" {
		b.WriteString(" " + text.Quote(name))
	}
	for _, name := range [...]string{"checked", "disabled", "expanded", "pressed", "selected", "required", "invalid",
		"current", "sort", "busy"} {
		switch v := n.States[name].(type) {
		case bool:
			if v {
				b.WriteString(" [" + name + "]")
			} else if name == "expanded" {
				b.WriteString(" [collapsed]")
			}
		case string:
			if plainWord(v) && v != "false" {
				b.WriteString(" [" + name + "=" + v + "]")
			}
		}
	}
	if l := n.States.Number("level"); l > 0 && !math.IsInf(l, 0) {
		b.WriteString(" [level=" + whole(l) + "]")
	}
	b.WriteString(" [ref=" + ref + "]")
	if v := text.Cut(n.Value, capValue); v != "" {
		b.WriteString(": " + text.Quote(v))
	}
	return b.String()
}

// ActionWord is the action in the words of a summary, from the step types of a command in
// order: "Clicked", or for several "Filled, clicked"; "" where no step acts.
func ActionWord(steps ...string) string {
	did := map[string]string{
		"click": "clicked", "fill": "filled", "type": "typed", "press": "pressed", "hover": "hovered",
		"drag":   "dragged",
		"scroll": "scrolled", "selectOption": "selected", "upload": "uploaded", "submit": "submitted",
		"goto": "navigated", "reload": "navigated", "back": "navigated", "forward": "navigated",
	}
	var words []string
	for _, step := range steps {
		if w := did[step]; w != "" && (len(words) == 0 || words[len(words)-1] != w) {
			words = append(words, w)
		}
	}
	return text.Capital(strings.Join(words, ", "))
}
