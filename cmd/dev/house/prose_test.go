package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// searching are the functions of package strings, and the methods of a regular expression, that look for something in a
// text. What only cuts to a length or changes letters is none.
var (
	searching = []string{"Contains", "ContainsAny", "ContainsFunc", "HasPrefix", "HasSuffix", "Index", "IndexByte",
		"LastIndex", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "Split", "SplitN", "Fields", "Replace",
		"ReplaceAll", "Count", "EqualFold"}
	matching = []string{"MatchString", "FindString", "FindStringIndex", "FindStringSubmatch", "FindAllString",
		"FindAllStringIndex", "FindAllStringSubmatch", "ReplaceAllString", "ReplaceAllStringFunc"}
	prose = []string{"Sentence", "Evidence", "Why"}
)

// searches are the places of a file that look for something in a sentence, an evidence or a why, or compare one with a
// text of their own.
func searches(fset *token.FileSet, f *ast.File) []string {
	var found []string
	add := func(n ast.Node, what string) { found = append(found, fset.Position(n.Pos()).String()+" "+what) }
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.CallExpr:
			fun, ok := x.Fun.(*ast.SelectorExpr)
			if !ok || len(x.Args) == 0 {
				return true
			}
			pkg, _ := fun.X.(*ast.Ident)
			inStrings := pkg != nil && pkg.Name == "strings" && slices.Contains(searching, fun.Sel.Name)
			if (inStrings || slices.Contains(matching, fun.Sel.Name)) && isProse(x.Args[0]) {
				add(x, fun.Sel.Name)
			}
		case *ast.BinaryExpr:
			if x.Op != token.EQL && x.Op != token.NEQ {
				return true
			}
			for _, pair := range [2][2]ast.Expr{{x.X, x.Y}, {x.Y, x.X}} {
				if text, ok := pair[1].(*ast.BasicLit); ok && text.Kind == token.STRING && len(text.Value) > 2 &&
					isSentence(pair[0]) {
					add(x, x.Op.String())
				}
			}
		case *ast.SwitchStmt:
			if x.Tag != nil && isSentence(x.Tag) {
				add(x, "switch")
			}
		}
		return true
	})
	return found
}

// isProse reports whether an expression is a field that has English for a person.
func isProse(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && slices.Contains(prose, s.Sel.Name)
}

// isSentence leaves out Why, which in package redact is the kind of a secret and compared as one.
func isSentence(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name != "Why" && isProse(e)
}

// left are the searches that are still there, by file. The list only gets shorter.
func left() map[string]int {
	return map[string]int{
		"capture/collect/redact.go": 2, // withholds an address that stands in a why: a redaction, not a reading
		"snapshot/audit/report.go":  2, // whether the sentence quotes the evidence already, word for word
		"snapshot/node.go":          1, // what releases wrote that had no code beside the evidence: fixed words
	}
}

// TestNobodySearchesProse: an English sentence can be improved without any other file changing, as no further
// package searches in one (facts are codes with operands to the last door).
func TestNobodySearchesProse(t *testing.T) {
	root := testneed.Repository(t)
	fset, files := token.NewFileSet(), 0
	found, places := map[string]int{}, []string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "out" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		if list := searches(fset, f); len(list) > 0 {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			found[filepath.ToSlash(name)] = len(list)
			places = append(places, list...)
		}
		return nil
	}))
	require.Greater(t, files, 500)
	require.Equal(t, left(), found, "give a code or a typed fact in the place of searching a sentence: %v", places)
}

// TestSearchesInProseAreSeen: the check sees each way to look into a sentence, and nothing else.
func TestSearchesInProseAreSeen(t *testing.T) {
	for code, want := range map[string]int{
		`strings.Contains(f.Sentence, "opacity")`: 1, `strings.Cut(x.y.Evidence, " on ")`: 1,
		`re.FindString(v.Why)`: 1, `_ = n.Evidence == "clipped"`: 1, `switch n.Sentence { case "a": }`: 1,
		`_ = n.Why == "key"`: 0, `_ = n.Sentence == ""`: 0, `strings.Contains(n.Text, n.Why)`: 0, `text.Cut(f.Sentence, 80)`: 0,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "a.go", "package a\nfunc b() { "+code+" }", 0)
		require.NoError(t, err, code)
		require.Len(t, searches(fset, f), want, code)
	}
}
