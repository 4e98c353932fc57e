package report

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// requestView is what the doctor finds in a request that crossed the wire.
type requestView struct {
	Summary  string
	Findings []findingView
}

// findingView is one finding.
type findingView struct {
	Class, Sentence, Evidence, Where, Action string
	Ref                                      int
}

// examine adds what the doctor finds; nothing for a turn without a request that crossed the wire.
func (v *turnView) examine(d *doctor.Doctor, rec *turn.Record) {
	r, err := d.Examine(rec)
	if err != nil {
		v.Failed = append(v.Failed, text.Line(err.Error()))
		return
	}
	if r == nil || len(rec.Exchange) == 0 {
		return
	}
	out := &requestView{Summary: fmt.Sprintf("%s: %s, %s, %s.", text.Count(len(r.Sections), "section", "sections"),
		text.Count(r.Errors, "error", "errors"), text.Count(r.Warnings, "warning", "warnings"),
		text.Count(r.Notes, "note", "notes"))}
	for _, f := range r.Findings {
		one := findingView{Class: "plain", Sentence: text.Composed(f.Sentence), Evidence: text.Composed(f.Evidence), Action: f.Action,
			Ref: f.Ref}
		if f.Severity != audit.Note {
			one.Class = "warn"
		}
		if f.Section != "" {
			one.Where = fmt.Sprintf("%s, bytes %d to %d", text.Line(f.Section), f.Bytes[0], f.Bytes[1])
		}
		out.Findings = append(out.Findings, one)
	}
	v.Request = out
}
