package app

import (
	"fmt"
	"image"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/device"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/snapshot/text"
)

// BarVM is the top bar.
type BarVM struct {
	Address                        core.Address
	CanBack, CanForward, CanReload bool
	CanCapture, CanExport, CanTabs bool
	CanDevice                      bool
	Tab, Viewport, CaptureLabel    string
	Follow                         core.SwitchVM
	ShowFollow                     bool // somebody else writes turns, or following is off
	// Recorded names the turn in view where that is not what the tab shows, "" where it
	// is; then Address is that turn's, of its page. CanLive: there is a tab to go back to.
	Recorded string
	CanLive  bool
}

// Bar returns the content of the top bar.
func Bar(s core.State) BarVM {
	v := BarVM{
		Address: s.Address,
		CanBack: core.Idle(s), CanForward: core.Idle(s), CanReload: core.Idle(s), CanCapture: core.Idle(s),
		CanExport: export.CanExport(s, export.Export{Kind: export.ExportAll}), CanTabs: core.Ready(s),
		CaptureLabel: "Capture", Follow: s.FollowChip(),
	}
	v.ShowFollow = v.Follow.CanToggle && (s.Session.Arrived > 0 || s.Follow == core.FollowOff)
	if v.Recorded = s.Recorded(); v.Recorded != "" {
		v.Address = core.Address{Text: s.Current.Address(), Version: -s.Current.N}
		v.CanLive = core.Idle(s)
	}
	if t, ok := s.CurrentTab(); ok && len(s.Browser.Tabs) > 1 {
		v.Tab = tabLabel(t)
	}
	p := s.Browser.Viewport
	if s.Browser.Attached { // its tabs have sizes of their own: known once one is captured
		p = image.Point{}
		if s.Current != nil {
			p = image.Pt(int(s.Current.Capture.Viewport.Width), int(s.Current.Capture.Viewport.Height))
		}
	}
	if p.X > 0 {
		v.Viewport = fmt.Sprintf("%d × %d", p.X, p.Y)
	}
	if d := device.Label(s); d != "" {
		v.Viewport = d
	}
	v.CanDevice = core.Idle(s)
	return v
}

// tabLabel is a tab's title, or its address where it has none, short enough for a
// button.
func tabLabel(t core.Tab) string {
	if title := text.Cut(text.Line(t.Title), 28); title != "" && t.URL != "about:blank" {
		return title
	}
	if u := core.ShowURL(t.URL); u != "" {
		return text.Cut(text.Line(u), 28)
	}
	return "Empty tab"
}

// NoteVM is the notice that lies over the window. The zero value shows nothing.
type NoteVM struct {
	core.Notice
	CommandTitle, AlsoTitle string // of what its buttons do, "" for none
}

// Note is the notice that lies over the window.
func Note(s core.State) NoteVM {
	n := s.Notice
	if n == nil {
		return NoteVM{}
	}
	v := NoteVM{Notice: *n}
	for _, c := range s.Commands() {
		if n.Command != "" && c.ID == n.Command {
			v.CommandTitle = c.Title
		}
		if n.Also != "" && c.ID == n.Also {
			v.AlsoTitle = c.Title
		}
	}
	for _, side := range s.Sides() {
		if n.Command != "" && side.Command == n.Command {
			v.CommandTitle = side.Title // without what the side does
		}
	}
	if n.Command == core.CmdStartBrowser && s.Browser.Phase == core.PhaseFailed {
		v.CommandTitle = "Retry"
	}
	return v
}
