// Package palette is the list of all commands, to be searched and run.
package palette

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
)

// Dialog is the list of all commands, to be searched and run.
const Dialog core.Dialog = "palette"

// model is the state of that list.
type model struct {
	// Recent are ids of commands that were run from it, the newest first.
	Recent []string
}

const maxRecent = 8

// asked shows the list.
func asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog = Dialog
		return s, nil
	})
}

// Chosen runs a command of the list.
func Chosen(i string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Dialog != Dialog {
			return s, nil
		}
		s.CloseDialog(Dialog)
		recent := slices.DeleteFunc(slices.Clone(of(s).Recent), func(id string) bool { return id == i })
		edit(&s).Recent = append([]string{i}, recent[:min(len(recent), maxRecent-1)]...)
		return s.Command(i)
	})
}

// Row is one command in the list.
type Row struct {
	ID, Title string
	// Menu is its menu, "" for none; Key its key.
	Menu, Key string
	// Enabled: it can be run now. Checked: it is on.
	Enabled, Checked bool
	// Why it cannot be run now, in a few words, "" where that is not sure.
	Why string
}

// whyNot is what keeps a command from being run: that without which it could be; "" where it is none of these.
func whyNot(s core.State, c core.Command) string {
	free, open, running := s, s, s
	free.Tasks, open.Session.ReadOnly, running.Browser.Phase = nil, false, core.PhaseReady
	switch {
	case s.Busy() != nil && c.Enabled(free):
		return "waits: " + s.Busy().Sentence
	case s.Session.ReadOnly && c.Enabled(open):
		return "this session is read only"
	case s.Browser.Phase != core.PhaseReady && c.Enabled(running):
		return "Chrome is not running"
	}
	return ""
}

// Rows are the commands that fit what is typed: every word of it occurs in the
// title, the menu or the id, in any order and case. Those that can be run come first, in
// them the side whose tab is named so, then those whose title begins with it, then those run
// last, then as the menus have them.
func Rows(s core.State, typed string) []Row {
	words := strings.Fields(strings.ToLower(typed))
	var rows []Row
	rank := map[string]int{}
	for i, c := range s.Commands() {
		text := strings.ToLower(c.Title + " " + c.Menu + " " + c.ID)
		if c.ID == core.CmdPalette || slices.ContainsFunc(words, func(w string) bool {
			return !strings.Contains(text, w)
		}) {
			continue
		}
		r := Row{ID: c.ID, Title: strings.TrimSuffix(c.Title, "…"), Menu: c.Menu, Key: c.Key, Enabled: c.Enabled(s)}
		r.Checked = c.Checked != nil && c.Checked(s)
		n := 1000 + i
		if at := slices.Index(of(s).Recent, c.ID); at >= 0 {
			n = at + 100
		}
		if len(words) > 0 && strings.HasPrefix(strings.ToLower(c.Title), words[0]) {
			n -= 100
		}
		if name, _, _ := strings.Cut(strings.ToLower(c.Title), ":"); name == strings.Join(words, " ") {
			n = -1 // a tab of the right side
		}
		if !r.Enabled {
			n, r.Why = n+100_000, whyNot(s, c)
		}
		rank[c.ID] = n
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return rank[a.ID] - rank[b.ID] })
	return rows
}

// Room is the list of all commands.
func Room() core.Room {
	return core.Room{Name: "palette", Commands: func(core.State) []core.Command {
		return []core.Command{
			{ID: core.CmdPalette, Title: "Find a command…", Menu: "Help", Key: "Ctrl+Shift+P", Enabled: core.Always,
				Msg: core.Send(asked())},
		}
	}}
}

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
