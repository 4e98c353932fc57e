package core

import (
	"fmt"
	"strings"
)

// StatusVM is the bar at the bottom: facts of the shown turn on the left, of the
// browser and the session on the right.
type StatusVM struct {
	Left, Right []StatusItem
}

// Status is what the bar at the bottom shows.
func (s State) Status() StatusVM {
	var v StatusVM
	left := func(tone Tone, format string, a ...any) {
		v.Left = append(v.Left, StatusItem{fmt.Sprintf(format, a...), tone})
	}
	if t := s.Shown; t != nil {
		c := t.Capture
		if at := s.readout(); at != "" {
			left(ToneNormal, "%s", at)
		}
		v.Left = append(v.Left, momentItem(c))
		left(ToneMuted, "capture %s · picture %s", millis(c.Timings.Total-c.Timings.Settle-c.Timings.Screenshot), millis(c.Timings.Screenshot))
		if n := CountErrors(c); n > 0 {
			left(ToneBad, "%s in the console", Plural(n, "error", "errors"))
		}
		if note := s.remarks(t.N); note != "" {
			left(ToneWarn, "note: %s", Plain(note, 80))
		}
		for _, l := range t.Lacks {
			left(ToneWarn, "lacks %s", Plain(l, 60))
		}
		if len(c.Failed) > 0 {
			left(ToneWarn, "%s could not be read", Plural(len(c.Failed), "part", "parts"))
		}
		left(ToneMuted, "kept %s · hidden %s", Thousands(t.Counts.Kept), Thousands(t.Counts.Hidden))
		if n := t.Counts.Covered; n > 0 {
			left(ToneWarn, "covered %s", Thousands(n))
		}
		if d := s.Doc(s.Format); d != nil && d.Doc != nil {
			left(ToneMuted, "%s %s characters · about %s tokens", s.Format, Thousands(d.Chars), Thousands((d.Chars+3)/4))
			if d.Doc.Truncated {
				left(ToneWarn, "cut")
			}
		}
	}
	v.Right = s.whereabouts()
	return v
}

// whereabouts are the facts on the right: browser, turn, session.
func (s State) whereabouts() []StatusItem {
	var out []StatusItem
	switch s.Browser.Phase {
	case PhaseReady:
		out = append(out, StatusItem{chromeName(s.Browser.Version), ToneMuted})
	case PhaseStarting:
		out = append(out, StatusItem{"Chrome is starting", ToneMuted})
	case PhaseFailed, PhaseGone:
		out = append(out, StatusItem{"Chrome is not running", ToneWarn})
	}
	if i := s.turnIndex(); i >= 0 {
		out = append(out, StatusItem{fmt.Sprintf("turn %d of %d", i+1, len(s.Session.Turns)), ToneMuted})
	}
	switch {
	case s.Session.Phase == PhaseFailed && !s.Session.Kept:
		out = append(out, StatusItem{"turns are not kept", ToneWarn})
	case s.Session.Name != "":
		out = append(out, StatusItem{"session " + Plain(s.Session.Name, 40), ToneMuted})
		if s.Session.ReadOnly {
			out = append(out, StatusItem{"read only", ToneWarn})
		}
	}
	return out
}

// chromeName shortens "Chrome/156.0.8078.79" to "Chrome 156".
func chromeName(version string) string {
	name, number, ok := strings.Cut(version, "/")
	if !ok || name == "" {
		return Plain(version, 30)
	}
	major, _, _ := strings.Cut(number, ".")
	return Plain(strings.TrimPrefix(name, "Headless")+" "+major, 30)
}
