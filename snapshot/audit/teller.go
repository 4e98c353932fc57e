package audit

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// optionNodes is the size of a page, in elements, up to which options are tried for what no format tells without one.
const optionNodes = 4_000

// tellers fills in [Miss.ToldBy]: the formats of ours whose text lacks nothing of the element. What none of them tells
// is tried once more with each switch that a format knows, alone, and without the format's limit.
func (a *auditor) tellers(list []Miss) {
	if len(list) == 0 {
		return
	}
	var left []*Miss
	try := func(name string, f dump.Format, o format.Options, of func(*Miss) bool) {
		d, err := a.page.Render(f, o)
		if err != nil {
			return // the options do not go together
		}
		r := newReading(d, o.Compat)
		for i := range list {
			if m := &list[i]; of(m) && a.tells(r, a.tree.Node(m.Node)) {
				m.ToldBy = append(m.ToldBy, name)
			}
		}
	}
	for _, f := range format.Plain() {
		try(string(f), f, format.Options{}, func(*Miss) bool { return true })
	}
	for i := range list {
		if len(list[i].ToldBy) == 0 {
			left = append(left, &list[i])
		}
	}
	if len(left) == 0 || len(a.c.Nodes) > optionNodes {
		return
	}
	untold := func(m *Miss) bool { return slices.Contains(left, m) }
	for _, f := range format.Plain() {
		if format.Limit(f) > 0 {
			try(string(f)+" --max-chars -1", f, format.Options{Common: dump.Common{MaxChars: -1}}, untold)
		}
		for _, s := range format.Settings() {
			var o format.Options
			on, isSwitch := s.At(&o).(*bool)
			if !isSwitch || !s.Knows(f) {
				continue
			}
			*on = true
			try(string(f)+" --"+s.Name, f, o, untold)
		}
	}
}

// tells reports whether a text lacks nothing of an element.
func (a *auditor) tells(r *reading, n *snapshot.Node) bool {
	if n == nil {
		return false
	}
	if text := a.shows(n); text != "" {
		if has, total := a.hasOwn(r, n, text); has < total {
			return false
		}
	}
	return !isControl(n) && !isPicture(n) || a.has(r, n)
}

// Tellers names, for people, what would have told a model of something that its text lacks.
func (m *Miss) Tellers() string {
	if len(m.ToldBy) == 0 {
		return "no format of Refscope tells it either: the picture does"
	}
	return "told by " + strings.Join(m.ToldBy, ", ")
}
