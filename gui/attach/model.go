// Package attach is the dialog that asks for a running Chrome, and the way back to the window's own one.
package attach

import (
	"context"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog asks for a running Chrome.
const Dialog core.Dialog = "attach"

// Commands of attaching.
const (
	CmdAttach    = "browser.attach"
	CmdOwnChrome = "browser.own"
)

// Model is the dialog that asks for a running Chrome.
type Model struct {
	// Where is what was typed last: HOST:PORT or a ws:// address.
	Where string
	// Problem is why that did not work, "" for nothing.
	Problem string
}

// Attached answers [Attach].
type Attached struct {
	Asked   Attach
	Browser core.Browser
	Problem *core.Problem
}

// Attach changes to another Chrome: one that runs, or an own one where Where is "". On
// an error the browser in use stays.
type Attach struct {
	Task  int
	Where string
}

// Engine changes browsers.
type Engine interface {
	// Attach changes to a Chrome that runs, HOST:PORT or a ws:// address, or to an own one
	// where that is "". On an error the browser in use stays.
	Attach(ctx context.Context, where string, progress func(stage string)) (core.Browser, error)
}

// Number implements [core.Numbered].
func (e Attach) Number() int { return e.Task }

// UsesTab implements [core.TabWork].
func (Attach) UsesTab() {}

// Do implements [core.Work].
func (e Attach) Do(ctx context.Context, w *core.Worker) core.Msg {
	b, err := core.EngineOf[Engine](w).Attach(ctx, e.Where, w.Progress)
	return Attached{Asked: e, Browser: b, Problem: w.Problem("browser", err)}
}

func commands(core.State) []core.Command {
	free := func(s core.State) bool {
		return s.Browser.Phase != core.PhaseStarting && (!core.Ready(s) || core.Idle(s))
	}
	return []core.Command{
		{ID: CmdAttach, Title: "Attach to a running Chrome…", Menu: "Page", Key: "Ctrl+Shift+T", Enabled: free,
			Msg: core.Send(Asked())},
		{ID: CmdOwnChrome, Title: "Back to this window's Chrome", Menu: "Page", Enabled: func(s core.State) bool {
			return s.Browser.Attached && free(s)
		}, Msg: core.Send(Confirmed(""))},
	}
}

// Asked shows the dialog.
func Asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog, edit(&s).Problem = Dialog, ""
		return s, nil
	})
}

// Confirmed attaches to a running Chrome, or starts an own one again where Where
// is "".
func Confirmed(w string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		where := strings.TrimSpace(w)
		if s.Dialog == Dialog {
			if where == "" {
				edit(&s).Problem = "Enter HOST:PORT, such as 127.0.0.1:9222, or a ws:// address."
				return s, nil
			}
			edit(&s).Where = where
		}
		// such as a watch of its tab
		s, live := s.Each(func(r core.Room) func(core.State) (core.State, []core.Effect) { return r.BrowserChanged })
		if s.Browser.Phase == core.PhaseReady {
			var effects []core.Effect
			var ok bool
			if s, effects, ok = s.FreeBrowser(); !ok {
				return s, append(live, effects...)
			}
			live = append(live, effects...)
		}
		edit(&s).Problem = ""
		sentence := "Starting Chrome"
		if where != "" {
			sentence = "Attaching to " + text.Cut(text.Line(where), 60)
		}
		id := s.StartTask(core.TaskLaunch, sentence)
		return s, append(live, Attach{id, where})
	})
}

func (m Attached) Apply(s core.State) (core.State, []core.Effect) {
	if m.Problem != nil {
		s.FinishTask(m.Asked.Task)
		p := *m.Problem
		p.BrowserGone = false
		if s.Dialog == Dialog && !p.Canceled {
			edit(&s).Problem = strings.TrimSpace(p.Sentence + " " + p.Hint)
			return s, nil
		}
		s.Complain(core.TaskLaunch, &p)
		return s, nil
	}
	s.CloseDialog(Dialog)
	s.First = true // the tabs of that browser stay as they are
	s.Browser.Phase = core.PhaseStarting
	s, effects := s.BrowserStarted(core.BrowserStarted{Task: m.Asked.Task, Browser: m.Browser})
	if m.Asked.Where != "" {
		s.Notice = &core.Notice{Tone: core.ToneGood, Source: core.TaskLaunch, Text: "Attached to " +
			text.Cut(text.Line(m.Asked.Where), 60) + " with " + text.Count(len(m.Browser.Tabs), "tab", "tabs") + ".",
			Hint: "Ctrl+T lists them; Ctrl+R captures."}
	}
	return s, effects
}

// Room is the dialog that asks for a running Chrome.
func Room() core.Room { return core.Room{Name: "attach", Commands: commands} }

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
