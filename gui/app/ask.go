package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Asker asks a person for a place. done is called with a path on the window's
// goroutine, and not at all where the person changed their mind.
type Asker interface {
	File(name string, done func(path string))
	// Folder asks for a folder, which need not be there: one called name to begin with.
	Folder(name string, done func(path string))
	// Existing asks for a file that is there; title is the question, action the word on its button.
	Existing(title, action string, done func(path string))
	// Session asks for a session's folder, or for a file: of a session, or the recording of another tool.
	Session(folder bool, done func(path string))
}

// dialogs is the Asker of a real window: a path is typed, with its completions
// listed below, and Enter takes it.
type dialogs struct {
	shell  *Shell
	folder string         // where the last answer was
	open   *widget.PopUp  // nil where none is
	pick   *parts.Picker  // of open
	before fyne.Focusable // what had the keyboard when open came
}

// wish is the purpose of a requested path.
type wish struct {
	title, action string
	name          string   // of the file or new folder to begin with
	folder        bool     // a folder is wanted, not a file
	there         bool     // it has to be there already
	endings       []string // of files that are listed
	any           bool     // all files are listed
}

// dismiss closes the dialog that is open, and reports whether one was.
func (d *dialogs) dismiss() bool {
	if d.open == nil {
		return false
	}
	d.open.Hide()
	d.open, d.pick = nil, nil
	if d.before != nil {
		d.shell.win.Canvas().Focus(d.before)
	}
	return true
}

// File asks where to write a file that is called name to begin with.
func (d *dialogs) File(name string, done func(path string)) {
	d.ask(wish{title: "Export to a file", action: "Write", name: name, endings: []string{filepath.Ext(name)}}, done)
}

// Folder asks for a folder, which need not be there: one called name to begin with.
func (d *dialogs) Folder(name string, done func(path string)) {
	d.ask(wish{title: "Export to a folder", action: "Export to", name: name, folder: true}, done)
}

// Existing asks for a file that is there.
func (d *dialogs) Existing(title, action string, done func(path string)) {
	d.ask(wish{title: title, action: action, there: true, any: true}, done)
}

// Session asks for a session to open.
func (d *dialogs) Session(folder bool, done func(path string)) {
	if folder {
		d.ask(wish{title: "Open a session's folder", action: "Open", folder: true, there: true}, done)
		return
	}
	d.ask(wish{title: "Open a session's file, or the recording of another tool", action: "Open", there: true,
		endings: []string{turn.Extension, ".zip", ".json", ".jsonl", ".har"}}, done)
}

func (d *dialogs) ask(w wish, done func(path string)) {
	d.dismiss()
	d.before = d.shell.win.Canvas().Focused()
	leave := func() { d.dismiss() }
	var rows []place
	narrow := func(typed string) []parts.PickRow {
		rows = places(w, typed)
		out := make([]parts.PickRow, len(rows))
		for i, p := range rows {
			out[i] = parts.PickRow{Title: p.title, Bold: p.take, Faint: p.take && !p.can, Facts: p.facts}
		}
		return out
	}
	choose := func(row int, _ string) {
		if row < 0 || row >= len(rows) {
			return
		}
		if p := rows[row]; !p.take {
			d.pick.Entry.SetText(p.path)
			d.pick.Entry.CursorColumn = len([]rune(p.path))
			d.shell.win.Canvas().Focus(d.pick.Entry)
		} else if p.can {
			d.folder = filepath.Dir(p.path)
			if w.folder && w.there {
				d.folder = p.path
			}
			d.dismiss()
			done(p.path)
		}
	}
	d.pick = parts.NewPicker("A path; ~ is your home folder", narrow, choose, leave)
	first := func() {
		if len(rows) > 0 {
			choose(0, "")
		}
	}
	buttons := container.NewHBox(parts.NewPushButton("Cancel", false, leave, leave), parts.NewPushButton(w.action, true,
		first, leave))
	d.open = openOver(d.pick.Dialog(w.title,
		"Arrow keys choose a row, Enter opens a folder or takes the path, Esc leaves.", buttons), d.shell.win.Canvas())
	d.open.Resize(parts.PickSize(d.shell.win.Canvas().Size()))
	begin := d.start()
	if !strings.HasSuffix(begin, string(filepath.Separator)) {
		begin += string(filepath.Separator)
	}
	d.pick.Entry.SetText(begin + w.name)
	d.open.Show()
	d.shell.win.Canvas().Focus(d.pick.Entry)
	d.pick.Entry.CursorColumn = len([]rune(begin + w.name))
	d.pick.Entry.Refresh()
}

// start is the folder to begin in: the last one, where it is still there, else the one of the
// program, else the person's own.
func (d *dialogs) start() string {
	here, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	for _, f := range []string{d.folder, home, here} {
		if info, err := os.Stat(f); f != "" && err == nil && info.IsDir() {
			return f
		}
	}
	return string(filepath.Separator)
}

// place is a row below a typed path: the path itself, to be taken, or a completion.
type place struct {
	path, title string
	take, can   bool
	facts       []core.StatusItem
}

// maxPlaces bounds the rows.
const maxPlaces = 300

// places are the rows for what is typed.
func places(w wish, typed string) []place {
	path := expanded(typed)
	if path == "" {
		return nil
	}
	first := place{path: filepath.Clean(path), take: true, can: true}
	info, err := os.Stat(path)
	say := func(tone core.Tone, words string) { first.facts = []core.StatusItem{{Text: words, Tone: tone}} }
	switch {
	case err == nil && info.IsDir() != w.folder:
		first.can = false
		say(core.ToneMuted, map[bool]string{true: "this is a file", false: "this is a folder"}[w.folder])
	case w.there && err != nil:
		first.can = false
		say(core.ToneMuted, "does not exist")
	case err == nil && !w.folder && !w.there:
		say(core.ToneWarn, "replaces the file")
	case err != nil && w.folder:
		say(core.ToneMuted, "new folder")
	}
	first.title = w.action + " " + text.Cut(text.Line(first.path), 200)
	out := []place{first}
	dir, part := filepath.Split(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out
	}
	if up := filepath.Dir(filepath.Clean(dir)); part == "" && up != filepath.Clean(dir) {
		out = append(out, place{path: withSlash(up), title: ".." + string(filepath.Separator),
			facts: []core.StatusItem{{Text: "up", Tone: core.ToneMuted}}})
	}
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int {
		if a.IsDir() != b.IsDir() {
			return map[bool]int{true: -1, false: 1}[a.IsDir()]
		}
		return 0
	})
	for _, e := range entries {
		if len(out) == maxPlaces {
			break
		}
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(part, ".")
		if hidden || !strings.HasPrefix(strings.ToLower(e.Name()), strings.ToLower(part)) || e.Name() == part {
			continue
		}
		p := place{path: dir + e.Name(), title: text.Cut(text.Line(e.Name()), 120)}
		switch {
		case e.IsDir():
			p.path, p.title = withSlash(p.path), p.title+string(filepath.Separator)
		case w.folder || !w.any && !slices.Contains(w.endings, strings.ToLower(filepath.Ext(e.Name()))):
			continue
		}
		out = append(out, p)
	}
	return out
}

func withSlash(dir string) string {
	return strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
}

// expanded is an absolute path; a trailing separator stays.
func expanded(typed string) string {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(typed, "~"); ok &&
		(rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			typed = home + rest
		}
	}
	path, err := filepath.Abs(typed)
	if err != nil {
		return typed
	}
	if strings.HasSuffix(typed, "/") || strings.HasSuffix(typed, string(filepath.Separator)) {
		path = withSlash(path)
	}
	return path
}
