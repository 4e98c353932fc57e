package theme_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2/theme"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/sfnt"
)

// TestNoGlyphThatABareSystemLacks reads every string of the window: a machine without fonts
// has those that Fyne brings, and shows a box for each other character.
func TestNoGlyphThatABareSystemLacks(t *testing.T) {
	font := func(content []byte) *sfnt.Font {
		f, err := sfnt.Parse(content)
		require.NoError(t, err)
		return f
	}
	has := func(f *sfnt.Font, r rune) bool {
		i, err := f.GlyphIndex(nil, r)
		return err == nil && i != 0
	}
	text, bold, symbol := font(theme.DefaultTextFont().Content()), font(theme.DefaultTextBoldFont().Content()),
		font(theme.DefaultSymbolFont().Content())
	mono := font(theme.DefaultTextMonospaceFont().Content())
	// What stands in these is written in the monospace font only.
	monospaced := map[string]bool{"../core/activity.go": true}
	files := token.NewFileSet()
	seen := 0
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				return true
			}
			seen++
			s = strings.TrimSuffix(strings.TrimPrefix(s, "● "), " ▾") // a chip and a fact draw these
			// What follows a sign of the symbol font is drawn with that font, which has no blank.
			before := 'a'
			for _, r := range s {
				if r == ' ' && before > 0x7f && !has(text, before) && has(symbol, before) {
					t.Errorf("%s: %q: the blank after %c is drawn as a box", files.Position(lit.Pos()), s, before)
				}
				before = r
				if r < ' ' || r >= 0x2000 && r < 0x2010 { // a blank of some width
					continue
				}
				ok := has(text, r) && has(bold, r) || has(symbol, r) || monospaced[filepath.ToSlash(path)] &&
					has(mono, r)
				if !ok {
					t.Errorf("%s: %q has %q, which a bare system does not show", files.Position(lit.Pos()), s, r)
				}
			}
			return true
		})
		return nil
	}))
	require.Greater(t, seen, 1000)
}
