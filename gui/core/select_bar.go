package core

import (
	"fmt"
	"image"
)

// BarVM is the top bar.
type BarVM struct {
	Address                        Address
	CanBack, CanForward, CanReload bool
	CanCapture, CanExport, CanTabs bool
	CanDevice                      bool
	Tab, Viewport, CaptureLabel    string
	Follow                         FollowVM
}

// Bar is what the top bar shows.
func (s State) Bar() BarVM {
	v := BarVM{
		Address: s.Address,
		CanBack: idle(s), CanForward: idle(s), CanReload: idle(s), CanCapture: idle(s),
		CanExport: s.canExport(Export{Kind: ExportAll}), CanTabs: ready(s),
		Tab: "No tab", CaptureLabel: "Capture", Follow: s.FollowChip(),
	}
	if t, ok := s.CurrentTab(); ok {
		v.Tab = TabLabel(t)
	}
	p := s.Browser.Viewport
	if s.Browser.Attached { // its tabs have sizes of their own: known once one is captured
		p = image.Point{}
		if s.Shown != nil {
			p = image.Pt(int(s.Shown.Capture.Viewport.Width), int(s.Shown.Capture.Viewport.Height))
		}
	}
	if p.X > 0 {
		v.Viewport = fmt.Sprintf("%d × %d", p.X, p.Y)
	}
	if d := s.deviceLabel(); d != "" {
		v.Viewport = d
	}
	v.CanDevice = idle(s)
	return v
}

// TabLabel is a tab's title, or its address where it has none, short enough for a
// button.
func TabLabel(t Tab) string {
	if title := Plain(t.Title, 28); title != "" && t.URL != "about:blank" {
		return title
	}
	if u := showURL(t.URL); u != "" {
		return Plain(u, 28)
	}
	return "Empty tab"
}

// StripVM is the notice below the top bar. The zero value shows nothing.
type StripVM struct {
	Text, Hint string
	Tone       Tone
	// Command and CommandTitle offer one thing to do, "" for none.
	Command, CommandTitle string
}

// Strip is what the line below the top bar shows.
func (s State) Strip() StripVM {
	n := s.Notice
	if n == nil {
		return StripVM{}
	}
	v := StripVM{Text: n.Text, Hint: n.Hint, Tone: n.Tone, Command: n.Command}
	for _, c := range s.Commands() {
		if n.Command != "" && c.ID == n.Command {
			v.CommandTitle = c.Title
		}
	}
	if n.Command == CmdStartBrowser && s.Browser.Phase == PhaseFailed {
		v.CommandTitle = "Try again"
	}
	return v
}

// ProgressVM is work that runs; the zero value is none.
type ProgressVM struct {
	Task     int
	Text     string
	Stage    string
	Stopping bool
}

// Progress is the work that a Cancel button stops: the browser's newest, else an
// export.
func (s State) Progress() ProgressVM {
	t := s.Busy()
	for i := range s.Tasks {
		if t == nil && s.Tasks[i].Kind == TaskExport {
			t = &s.Tasks[i]
		}
	}
	if t == nil {
		return ProgressVM{}
	}
	v := ProgressVM{Task: t.ID, Stage: t.Stage, Stopping: t.Stopping}
	if !t.Kind.browser() { // of the browser's work the picture pane has the sentence
		v.Text = t.Sentence + "…"
	}
	if t.Stopping {
		v.Stage = "stopping"
	}
	return v
}
