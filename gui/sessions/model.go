// Package sessions is the list of sessions to open.
package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Row is one session of the home folder, for the list to choose from.
type Row struct {
	Name string
	// Path is its folder.
	Path  string
	Turns int
	// Title is that of the page of its newest turn, Size what its turns hold in bytes, unpacked.
	Title string
	Size  int64
	// Last is when its newest turn was taken, zero where it has none.
	Last time.Time
	// Damaged is how many turns cannot be shown; Why is set where the session as a
	// whole cannot be opened.
	Damaged int
	Why     string
}

// Model is what was listed for [core.DialogSessions].
type Model struct {
	// Listed: Rows have arrived.
	Listed  bool
	Rows    []Row
	Problem *core.Problem
	// Wanted is what was entered before the rows arrived.
	Wanted string
}

// askSessions shows the list of sessions.
func askSessions(s core.State) (core.State, []core.Effect) {
	s.Dialog, *edit(&s) = core.DialogSessions, Model{}
	return s, []core.Effect{List{}}
}

func sessionsListed(s core.State, m Listed) (core.State, []core.Effect) {
	if s.Dialog != core.DialogSessions {
		return s, nil
	}
	wanted := Of(s).Wanted
	*edit(&s) = Model{Listed: true, Rows: m.Rows, Problem: m.Problem}
	if wanted == "" {
		return s, nil
	}
	return entered(wanted).Apply(s)
}

// entered opens what is typed: the session of that name, or the first of the list that it fits, else what it names.
// Before the list is there it waits for it.
func entered(words string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !Of(s).Listed {
			edit(&s).Wanted = words
			return s, nil
		}
		rows, name := viewOf(s, time.UTC).Rows, words
		if !slices.ContainsFunc(rows, func(r RowVM) bool { return r.Name == name }) {
			if i := slices.IndexFunc(rows, func(r RowVM) bool { return r.fits(words) }); i >= 0 {
				name = rows[i].Name
			}
		}
		return core.SessionChosen(name).Apply(s)
	})
}

// fits reports whether the session's name or title holds what is typed.
func (r RowVM) fits(typed string) bool {
	return strings.Contains(strings.ToLower(r.Name+" "+r.Title), strings.ToLower(typed))
}

// VM is the list of sessions to open. Compare with [VM.Equal].
type VM struct {
	Rows []RowVM
	// Empty is the sentence in place of rows.
	Empty string
}

// RowVM is one session. Name is what opens it.
type RowVM struct {
	// Title is the page that its newest turn shows.
	Name, Title, Turns, Size, Last string
	Tone                           core.Tone
	// Current: it is the one in view.
	Current bool
}

// viewOf is what the list of sessions shows. Times are of the zone that loc names.
func viewOf(s core.State, loc *time.Location) VM {
	v := VM{}
	switch {
	case !Of(s).Listed:
		v.Empty = "Looking for sessions…"
	case Of(s).Problem != nil:
		v.Empty = Of(s).Problem.Sentence
	case len(Of(s).Rows) == 0:
		v.Empty = "There are no sessions yet. Capture a page here, or run refscopectl turn --session NAME."
	}
	for _, r := range Of(s).Rows {
		row := RowVM{Name: r.Name, Title: text.Cut(text.Line(r.Title), 80), Turns: text.Count(r.Turns, "turn", "turns"),
			Current: r.Path != "" &&
				r.Path == s.Session.Path}
		if !r.Last.IsZero() {
			row.Last, row.Size = r.Last.In(loc).Format("2006-01-02 15:04"), text.Bytes(r.Size)
		}
		switch {
		case r.Why != "":
			row.Turns, row.Tone = text.Cut(text.Line(r.Why), 60), core.ToneBad
		case r.Damaged > 0:
			row.Turns, row.Tone = row.Turns+fmt.Sprintf(", %d damaged", r.Damaged), core.ToneWarn
		}
		v.Rows = append(v.Rows, row)
	}
	if !Of(s).Listed { // all rows come at once, so that none moves under the hand
		return v
	}
	for _, path := range s.Recent {
		if path != "" && !slices.ContainsFunc(Of(s).Rows, func(r Row) bool { return r.Path == path }) {
			v.Rows = append(v.Rows, RowVM{Name: path, Turns: "opened recently", Tone: core.ToneMuted,
				Current: path == s.Session.Path})
		}
	}
	return v
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	if v.Empty != o.Empty || len(v.Rows) != len(o.Rows) {
		return false
	}
	for i := range v.Rows {
		if v.Rows[i] != o.Rows[i] {
			return false
		}
	}
	return true
}

// asked shows the list of sessions.
func asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) { return askSessions(s) })
}

// Listed answers [List].
type Listed struct {
	Rows    []Row
	Problem *core.Problem
}

func (m Listed) Apply(s core.State) (core.State, []core.Effect) { return sessionsListed(s, m) }

// Engine knows the sessions of the home folder.
type Engine interface {
	// Sessions lists them, the one used last first.
	Sessions(ctx context.Context) ([]Row, error)
}

// List lists the sessions of the home folder. [Listed] answers it.
type List struct{}

// Do implements [core.Work].
func (List) Do(ctx context.Context, w *core.Worker) core.Msg {
	rows, err := core.EngineOf[Engine](w).Sessions(ctx)
	return Listed{Rows: rows, Problem: w.Problem("sessions", err)}
}

func commands(core.State) []core.Command {
	const file = "File"
	return []core.Command{
		{ID: core.CmdSessions, Title: "Open a session…", Menu: file, Key: "Ctrl+O", Enabled: core.Always,
			Msg: core.Send(asked())},
		{ID: "session.folder", Title: "Open a session's folder…", Menu: file, Key: "Ctrl+Shift+O", Enabled: core.Always,
			Msg: core.Send(core.Wanted(core.AskSession{Folder: true}))},
		{ID: "session.file", Title: "Open a recording…", Menu: file, Key: "Ctrl+Shift+F", Enabled: core.Always,
			Msg: core.Send(core.Wanted(core.AskSession{}))},
	}
}

// Room is the list of sessions to open.
func Room() core.Room { return core.Room{Name: "sessions", Commands: commands} }

// Of is the model of the room.
func Of(s core.State) Model { return core.Of[Model](s) }

func edit(s *core.State) *Model { return core.Edit[Model](s) }
