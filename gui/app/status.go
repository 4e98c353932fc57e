package app

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/sentrequest"
	sidetext "github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/text"
)

// StatusVM is the bar at the bottom: facts of the shown turn on the left, of the
// browser and the session on the right.
type StatusVM struct {
	Left, Right []core.StatusItem
}

// Status returns the content of the bar at the bottom.
func Status(s core.State) StatusVM {
	var v StatusVM
	left := func(tone core.Tone, format string, a ...any) {
		v.Left = append(v.Left, core.StatusItem{Text: fmt.Sprintf(format, a...), Tone: tone})
	}
	if t := s.Current; t != nil {
		c := t.Capture
		if s.ShowPrevious && s.Previous != nil {
			left(core.ToneWarn, "● Picture of %s, text of turn %d", s.ComparedWith(), t.N)
		} else {
			v.Left = append(v.Left, t.Moment())
		}
		if n := core.CountErrors(c); n > 0 {
			left(core.ToneBad, "%s in the console", text.Count(n, "error", "errors"))
		}
		if note := s.Remarks(t.N); note != "" {
			left(core.ToneWarn, "Note: %s", text.Cut(text.Line(note), 80))
		}
		for i, l := range t.Lacks {
			if i == t.WhyPageless() {
				continue // the sentence in the place of the picture says it
			}
			left(core.ToneWarn, "Missing: %s", text.Cut(text.Line(l), 60))
		}
		if len(c.Failed) > 0 {
			left(core.ToneWarn, "%s could not be read", text.Count(len(c.Failed), "part", "parts"))
		}
		if len(c.Nodes) > 0 {
			left(core.ToneMuted, "%s kept · %s hidden", text.Thousands(t.Counts.Kept), text.Thousands(t.Counts.Hidden))
		}
		if n := t.Counts.Covered; n > 0 {
			left(core.ToneWarn, "%s covered", text.Thousands(n))
		}
		if r := sentrequest.Of(s); r.Audit != nil && r.Turn == t {
			toldItems(&v, r.Audit)
		}
		if d := s.Doc(s.Format); d != nil && d.Doc != nil && !sentInView(s) && len(c.Nodes) > 0 {
			left(core.ToneMuted, "%s %s", s.Format, core.TokenWords(d.Tokens))
			if d.Doc.Truncated {
				left(core.ToneWarn, "Cut")
			}
		}
		if t.ProfileName() != "" {
			left(core.ToneWarn, "Profile %s", text.Cut(text.Line(t.ProfileName()), 40))
		}
	}
	v.Right = whereabouts(s)
	return v
}

// sentInView: the text in view is the one that was sent, whose head has its figures.
func sentInView(s core.State) bool { return s.Side == core.SideText && sidetext.SentInView(s) }

// toldItems are how much of what a person sees the model was told.
func toldItems(v *StatusVM, found *audit.Sent) {
	tone := core.ToneGood
	if found.Missed > 0 {
		tone = core.ToneNormal
	}
	v.Left = append(v.Left, core.StatusItem{Text: "told " + found.Percent() + " of what a person sees", Tone: tone})
	if found.Missed > 0 {
		v.Left = append(v.Left, core.StatusItem{Text: text.Thousands(found.Missed) + " not told", Tone: core.ToneWarn})
	}
}

// whereabouts are the facts on the right: the place under the pointer, which comes and goes and moves
// none of the others there, then browser, turn and session.
func whereabouts(s core.State) []core.StatusItem {
	var out []core.StatusItem
	if at := picture.Readout(s); s.Current != nil && at != "" {
		out = append(out, core.StatusItem{Text: at})
	}
	switch s.Browser.Phase {
	case core.PhaseReady:
		out = append(out, core.StatusItem{Text: chromeName(s.Browser.Version), Tone: core.ToneMuted})
	case core.PhaseStarting:
		out = append(out, core.StatusItem{Text: "Chrome is starting", Tone: core.ToneMuted})
	case core.PhaseFailed, core.PhaseGone:
		out = append(out, core.StatusItem{Text: "Chrome is not running", Tone: core.ToneWarn})
	}
	if place := s.Place(); place != "" {
		out = append(out, core.StatusItem{Text: "Turn " + place, Tone: core.ToneMuted})
	}
	switch {
	case s.Session.Phase == core.PhaseFailed && !s.Session.Kept:
		out = append(out, core.StatusItem{Text: "Turns are not saved", Tone: core.ToneWarn})
	case s.Session.Name != "":
		out = append(out, core.StatusItem{Text: "Session " + text.Cut(text.Line(s.Session.Name), 40),
			Tone: core.ToneMuted})
		if s.Session.ReadOnly {
			out = append(out, core.StatusItem{Text: "Read only", Tone: core.ToneWarn})
		}
	}
	return out
}

// chromeName shortens "Chrome/156.0.8078.79" to "Chrome 156".
func chromeName(version string) string {
	name, number, ok := strings.Cut(version, "/")
	if !ok || name == "" {
		return text.Cut(text.Line(version), 30)
	}
	major, _, _ := strings.Cut(number, ".")
	return text.Cut(text.Line(strings.TrimPrefix(name, "Headless")+" "+major), 30)
}
