package details

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/why"
)

// The rows of the details that explain why an element is, or is not, in what the agent read
// (row N-2). What takes long comes with an [Answer]; until then the rows show that.

// maxFormatLine is how many runes of a format's line the pane shows.
const maxFormatLine = 240

func (d *Describer) head(title string) {
	d.Rows = append(d.Rows, Row{Label: title, Head: true})
}

// goTo is the way to another element of the same capture.
func (d *Describer) goTo(i int) Link {
	n := d.C.Node(i)
	switch {
	case n == nil:
		return Link{}
	case d.here:
		return Link{Some: true, Node: i, Ref: n.Ref}
	case n.Ref > 0:
		return Link{Some: true, Node: -1, Ref: n.Ref}
	}
	return Link{}
}

// told: what the agent was told of it, in the text as it was sent, its own number first.
func (d *Describer) told(s core.State) {
	if sentrequest.Of(s).Refs == nil || sentrequest.Of(s).Turn != s.Current {
		return
	}
	line, ok := sentrequest.Told(s, d.n.I)
	if !ok {
		r := d.Row("agent", "Not told: no line of the text as it was sent is known to be about it")
		r.Tone = core.ToneWarn
		if found := sentrequest.Of(s).Audit; found != nil {
			r.Value, r.Tone = "No line of its own, and the text as it was sent lacks nothing that a person sees of it",
				core.ToneNormal
			for _, m := range found.Missing {
				if m.Node == d.n.I {
					r.Value, r.Tone = "Not told: "+text.EscapeOnce(m.Explanation), core.ToneWarn
					d.Row("would tell", cmp.Or(strings.Join(m.ToldBy, ", "), m.Tellers()))
				}
			}
		}
		return
	}
	words := fmt.Sprintf("line %s of the text as it was sent", text.Thousands(line.First))
	if line.Ref != "" {
		words = text.Cut(text.Line(line.Ref), 24) + " · " + words
	}
	d.Row("agent", words).Tone = core.ToneGood
	if line.Why != "" {
		d.Row("tied by", line.Why)
	}
}

// verdict: kept and why, or why not.
func (d *Describer) verdict() {
	n := d.n
	if n.Verdict.Kept() {
		d.Row("kept because", keptBecause(n))
	} else {
		words := why.VerdictLabel(n.Verdict)
		if d.why != nil {
			words = d.why.Sentence
		}
		d.say("left out", words).Tone = core.ToneWarn
		if e := strings.TrimSpace(n.Evidence); e != "" {
			d.say("Evidence", e).Mono = true
		}
		if n.FilteredBy != "" && d.here {
			r := d.Row("Rule", n.FilteredBy)
			r.Mono, r.Go = true, Link{Some: true, Command: core.CmdProfileRule}
		}
	}
	if d.why == nil {
		return
	}
	for _, f := range d.why.Facts {
		switch f.Kind {
		case "click", "clip", "text", "shadow", "frame", "redacted": // the others have rows of their own
			r := d.say(f.Kind, f.Text)
			if f.Other >= 0 {
				r.Go = d.goTo(f.Other)
			}
		}
	}
	for i, c := range d.why.Coverers {
		if i > 0 || n.Occlusion.Coverer == nil || *n.Occlusion.Coverer != c.Node { // the first has its row at the place
			d.say("also covered by", c.Say()).Go = d.goTo(c.Node)
		}
	}
}

// formats: the element's line in every format, side by side, or why there is none.
func (d *Describer) formats() {
	d.head("In the text")
	switch {
	case d.problem != nil:
		d.Row("formats", d.problem.Sentence).Tone = core.ToneBad
		return
	case d.why == nil:
		d.Row("formats", "Loading…").Tone = core.ToneMuted
		return
	}
	alike := noLine(d.why.Formats)
	for i, f := range d.why.Formats {
		if names := alike[i]; names != nil {
			if len(names) > 0 { // the first of those that say the same
				r := d.say("no line", strings.Join(names, ", ")+": "+reasonOf(f))
				r.Tone = core.ToneMuted
				if f.Within >= 0 {
					r.Go = d.goTo(f.Within)
				}
			}
			continue
		}
		label := string(f.Format)
		if f.Compat {
			label += " compat"
		}
		if len(f.Lines) == 0 {
			r := d.say(label, "– "+f.Sentence[min(len(f.Format)+1, len(f.Sentence)):])
			r.Copy, r.Tone = f.Sentence, core.ToneMuted
			if f.Within >= 0 {
				r.Go = d.goTo(f.Within)
			}
			continue
		}
		l := f.Lines[0]
		line := l.Text
		if l.Part != "" {
			line = l.Part
		}
		more := ""
		if n := len(f.Lines) - 1; n > 0 {
			more = fmt.Sprintf("  (and %s)", text.Count(n, "more line", "more lines"))
		}
		shown := text.Cut(text.EscapeOnce(text.CollapseSpace(d.numbers.Line(line))), maxFormatLine)
		d.spelled(label, fmt.Sprintf("%d: %s%s", l.Number, shown, more), line).Mono = true
	}
}

// noLine gathers formats that have no line for the element for one and the same
// reason, inside the same element.
// The answer has an entry for each such format: the names of all of them at the first,
// and none at the others. Formats that differ, or are alone with it, have a nil entry.
func noLine(formats []why.InFormat) [][]string {
	first := map[string]int{}
	out := make([][]string, len(formats))
	for i, f := range formats {
		if len(f.Lines) > 0 || f.Compat {
			continue
		}
		reason := fmt.Sprint(f.Within, " ", reasonOf(f))
		k, ok := first[reason]
		if !ok {
			first[reason], k = i, i
		} else {
			out[i] = []string{}
		}
		out[k] = append(out[k], string(f.Format))
	}
	for i := range out {
		if len(out[i]) == 1 {
			out[i] = nil
		}
	}
	return out
}

// reasonOf is why a format has no line for the element, or its sentence where that has no reason.
func reasonOf(f why.InFormat) string {
	if f.Reason != "" {
		return f.Reason + "."
	}
	return f.Sentence
}

// history: what the session's ledger knows of its number.
func (d *Describer) history() {
	if d.why == nil || len(d.why.History) == 0 {
		return
	}
	d.head("In this session")
	for _, e := range d.why.History {
		r := d.say(fmt.Sprintf("turn %d", e.Turn), e.Text)
		if e.Ref > 0 {
			r.Go = Link{Some: true, Node: -1, Ref: e.Ref}
		}
	}
}

// identity: how to find it again, each a click to copy.
func (d *Describer) identity() {
	n := d.n
	d.head("Identity")
	switch {
	case n.Ref > 0 && d.numbers != nil:
		d.Row("number", fmt.Sprintf("%s on this page · ref %d in the session", d.numbers.Text(n.Ref), n.Ref))
	case n.Ref > 0:
		d.Row("number", fmt.Sprint(n.Ref))
	default:
		d.Row("number", "None").Tone = core.ToneMuted
	}
	if n.Path != "" {
		d.Row("Selector", n.Path).Mono = true
	}
	switch {
	case d.why != nil && d.why.XPath != "":
		d.Row("XPath", d.why.XPath).Mono = true
	case n.Shadow != "":
		d.Row("XPath", "none: no XPath leads into a shadow tree").Tone = core.ToneMuted
	}
	if n.BackendNodeID != 0 {
		d.Row("backendNodeId", fmt.Sprint(n.BackendNodeID)).Mono = true
	}
	if n.UID != 0 {
		d.Row("UID", fmt.Sprint(n.UID)).Mono = true
	}
	d.Row("Node index", fmt.Sprint(n.I)).Mono = true
	if n.Shadow != "" {
		d.Row("tree", "in a "+n.Shadow+" shadow tree")
	}
	if n.Frame > 0 && n.Frame < len(d.C.Frames) {
		d.Row("frame", d.C.Frames[n.Frame].URL)
	}
	for _, k := range slices.Sorted(maps.Keys(n.Attrs)) {
		switch k {
		case "id", "name", "type", "href", "placeholder", "aria-label", "alt", "title", "data-testid":
			d.Row(k, n.Attrs[k]).Mono = true
		}
	}
}
