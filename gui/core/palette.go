package core

import (
	"slices"
	"strings"
)

// DialogPalette is the list of all commands, to be searched and run.
const DialogPalette Dialog = "palette"

// Palette is the state of that list.
type Palette struct {
	// Recent are ids of commands that were run from it, the newest first.
	Recent []string
}

const maxRecent = 8

// PaletteAsked shows the list.
type PaletteAsked struct{}

func (PaletteAsked) Apply(s State) (State, []Effect) {
	s.Dialog = DialogPalette
	return s, nil
}

// PaletteChosen runs a command of the list.
type PaletteChosen struct{ ID string }

func (m PaletteChosen) Apply(s State) (State, []Effect) {
	if s.Dialog != DialogPalette {
		return s, nil
	}
	s.close(DialogPalette)
	recent := slices.DeleteFunc(slices.Clone(s.Palette.Recent), func(id string) bool { return id == m.ID })
	s.Palette.Recent = append([]string{m.ID}, recent[:min(len(recent), maxRecent-1)]...)
	return s.command(m.ID)
}

// PaletteRow is one command in the list.
type PaletteRow struct {
	ID, Title string
	// Menu is where it stands, "" for nowhere else; Key its key.
	Menu, Key string
	// Enabled: it can be run now. Checked: it is on.
	Enabled, Checked bool
}

// CommandRows are the commands that fit what is typed: every word of it occurs in the
// title, the menu or the id, in any order and case. Those that can be run come first, in
// them those whose title begins with it, then those run last, then as the menus have them.
func (s State) CommandRows(typed string) []PaletteRow {
	words := strings.Fields(strings.ToLower(typed))
	var rows []PaletteRow
	rank := map[string]int{}
	for i, c := range s.Commands() {
		text := strings.ToLower(c.Title + " " + c.Menu + " " + c.ID)
		if c.ID == CmdPalette || slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		r := PaletteRow{ID: c.ID, Title: strings.TrimSuffix(c.Title, "…"), Menu: c.Menu, Key: c.Key, Enabled: c.Enabled(s)}
		r.Checked = c.Checked != nil && c.Checked(s)
		n := 1000 + i
		if at := slices.Index(s.Palette.Recent, c.ID); at >= 0 {
			n = at + 100
		}
		if len(words) > 0 && strings.HasPrefix(strings.ToLower(c.Title), words[0]) {
			n -= 100
		}
		if !r.Enabled {
			n += 100_000
		}
		rank[c.ID] = n
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b PaletteRow) int { return rank[a.ID] - rank[b.ID] })
	return rows
}

// paletteRoom is the list of all commands.
func paletteRoom() Room {
	return Room{Name: "palette", Commands: func(State) []Command {
		return []Command{
			{ID: CmdPalette, Title: "Find a command…", Menu: "Help", Key: "Ctrl+Shift+P", Enabled: always, Msg: send(PaletteAsked{})},
		}
	}}
}
