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

	"github.com/stretchr/testify/require"
)

// TestWording: what the window says is plain English of the field. A phrase that people stumbled
// over is in no text of it any more, and the one that took its place is.
func TestWording(t *testing.T) {
	phrases := map[string]string{ // the old one, and the new one, "" where it has gone with its place
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
	}
	said := literals(t, filepath.Join("..", "..", "gui"), filepath.Join("..", "..", "snapshot", "why"),
		filepath.Join("..", "..", "overlay"))
	require.Greater(t, len(said), 2000)
	for old, now := range phrases {
		found := false
		for text, at := range said {
			require.NotContains(t, text, old, at)
			found = found || strings.Contains(text, now)
		}
		require.True(t, found, "nothing in the window says %q", now)
	}
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
