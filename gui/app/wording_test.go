package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"
)

// wordings are phrases that people stumbled over, each with what took its place, "" where it has
// gone with its place.
var wordings = map[string]string{
	"one moment": "Text and picture match", "a click does not arrive": "Covered: clicks blocked",
	"goes on out of sight": "Continues off-screen", "aimed": "Click point", "only a wrapper": "Layout only",
	"saved of exactly this host": "Saved for this host", "holds from the next capture": "pplies from the next capture",
	"Take my last note back": "Undo note", "Load again": "Reload", "Type an address": "Go to address",
	"Window by numbers": "Custom size", "The tab's own window": "No emulation", "Next colours": "Switch theme",
	"Pretty in place of exact bytes": "Format JSON", "Only about": "Task filter",
	"One line for repeats": "Collapse repeats", "As the original": "Compatibility mode",
	"What it is to hold": "Value", "Beside it": "Also export",
	"What is faint cannot be done": "Greyed commands are unavailable", "It does not run": "Stopped",
	"allow more with --timeout": "Wait longer",
	"A moment…":                 "Starting…", "brings the last run back": "recalls the last run", "beside it.": "next to it.",
	"nothing of the kind": "Nothing of this was recorded", "what becomes of them": "choose which to save",
	"in anything that counts": "", "look like others": "near duplicates",
	"page of its moment": "the page at that time", "page paired": "", "Whose and what": "Role and notes",
	"when numbers count": "differ only in numbers", "is one of these.": "matches the filter.",
	"since it was attached to": "since the tab was attached", "Nobody was asked": "No model was asked",
	"What should others know": "Comment", "opened before": "opened recently", "nothing to suggest": "no suggestions",
	"Choices of the marked": "Options of the marked", "on the console": "in the console", "page facts": "page only",
	"It takes": "", "● two texts": "● conflict", "goes on": "", "is told": "", "says ": "", "stands ": "",
}

// TestWording: what the window shows is plain English of the field. No text of it has one of the
// phrases that were replaced, and one has what took its place.
func TestWording(t *testing.T) {
	shown := literals(t, filepath.Join("..", "..", "gui"), filepath.Join("..", "..", "snapshot", "why"),
		filepath.Join("..", "..", "overlay"))
	require.Greater(t, len(shown), 2000)
	for old, now := range wordings {
		found := false
		for text, at := range shown {
			require.NotContains(t, text, old, at)
			found = found || strings.Contains(text, now)
		}
		require.True(t, found, "no text of the window is %q", now)
	}
}

// TestWordingOnScreen opens every side, drawer, dialog and menu of the window, and reads what it
// shows: no sentence that is put together of parts, and none of another package, has one of the
// phrases that were replaced.
func TestWordingOnScreen(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	read := map[string]bool{}
	look := func(where string) {
		c := b.shell.win.Canvas()
		for _, root := range append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...) {
			for _, o := range visibleObjects(root) {
				for _, words := range wordsOf(o) {
					read[words] = true
					for old := range wordings {
						require.NotContains(t, words, old, where)
					}
				}
			}
		}
	}
	for _, side := range b.shell.State().Sides() {
		b.command(side.Command)
		b.settled()
		look(side.Title)
	}
	over := map[string]bool{}
	for _, c := range b.shell.State().Commands() {
		for old := range wordings {
			require.NotContains(t, c.Title, old, "a command")
		}
		if c.ID == "quit" || c.ID == "view.fullscreen" {
			continue
		}
		b.command(c.ID)
		b.settled()
		look(c.Title)
		if top := b.shell.win.Canvas().Overlays().Top(); top != nil {
			over[c.Title] = true
		}
		for range 3 { // what it opened, and what that was opened over
			if menu, ok := b.shell.win.Canvas().Focused().(*widget.PopUpMenu); ok {
				menu.Dismiss()
			}
			b.shell.escape()
			b.settled()
		}
	}
	require.Greater(t, len(over), 12, "dialogs and menus that were opened: %v", over)
	require.Greater(t, len(read), 400)
}

// wordsOf are the texts of an object that a person reads or has read out.
func wordsOf(o fyne.CanvasObject) []string {
	switch o := o.(type) {
	case *canvas.Text:
		return []string{o.Text}
	case *widget.Entry:
		return []string{o.PlaceHolder}
	case fyne.Accessible:
		return []string{o.AccessibilityLabel()}
	}
	return nil
}

// literals are the strings in the code of folders, tests aside, and where each is.
func literals(t *testing.T, folders ...string) map[string]string {
	out, files := map[string]string{}, token.NewFileSet()
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, err := strconv.Unquote(l.Value)
					require.NoError(t, err)
					out[text] = files.Position(l.Pos()).String()
				}
				return true
			})
			return nil
		}))
	}
	return out
}
