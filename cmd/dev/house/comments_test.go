package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documented are the folders whose exported identifiers TestDocComments looks at.
func documented() []string {
	return []string{"snapshot", "overlay", "profiles", "capture", "cmd", "gui"}
}

// TestDocComments: the comment of an exported identifier begins with its name, as go doc shows it beside, and a link in
// a comment leads to an identifier of the package. A name that was changed is so changed in its comments too.
func TestDocComments(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	packages := map[string][]*ast.File{}
	files := token.NewFileSet()
	for _, folder := range documented() {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(files, path, nil, parser.ParseComments)
			packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], f)
			return err
		}))
	}
	require.Greater(t, len(packages), 50)
	for _, list := range packages {
		names := map[string]bool{}
		for _, f := range list {
			for _, d := range f.Decls {
				for _, name := range declaredBy(t, files, d) {
					names[name] = true
				}
			}
		}
		for _, f := range list {
			checkLinks(t, files, f, names)
		}
	}
}

// declaredBy are the names that a declaration gives, with those of fields and methods, and holds the comments of
// exported ones to their names. Groups have comments of their own kind; Error, String and the like say what their
// interface says.
func declaredBy(t *testing.T, files *token.FileSet, d ast.Decl) []string {
	var names []string
	camel := regexp.MustCompile(`^[a-z]+[A-Z]\w*$`) // an identifier for sure: the old name of this one
	begins := func(doc *ast.CommentGroup, name string, pos token.Pos) {
		if doc == nil {
			return
		}
		text := strings.TrimPrefix(doc.Text(), "Deprecated: ")
		first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		if !ast.IsExported(name) && !camel.MatchString(first) && !strings.EqualFold(first, name) {
			return
		}
		assert.Equal(t, name, strings.TrimRight(strings.TrimSuffix(first, "'s"), ":,\n"),
			"%s: begin the comment with the name",
			files.Position(pos))
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
		exported := true
		if d.Recv != nil {
			receiver := baseName(d.Recv.List[0].Type)
			names = append(names, receiver+"."+d.Name.Name)
			exported = ast.IsExported(receiver)
		}
		standard := slices.Contains([]string{"Error", "String", "Unwrap", "Is", // and those of the window's
			"Apply", "Object", "Show", "Focus", "Size", "MinSize", "Layout", "CreateRenderer", "MouseIn", "MouseMoved",
			"MouseOut"}, d.Name.Name)
		begins(d.Doc, d.Name.Name, d.Pos())
		if exported && !standard && d.Name.IsExported() {
			assert.NotNil(t, d.Doc, "%s: %s has no comment", files.Position(d.Pos()), d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
				doc := s.Doc
				if !d.Lparen.IsValid() {
					doc = d.Doc
				}
				begins(doc, s.Name.Name, s.Pos())
				ast.Inspect(s.Type, func(n ast.Node) bool {
					if f, ok := n.(*ast.Field); ok {
						for _, name := range f.Names {
							names = append(names, s.Name.Name+"."+name.Name)
							first, _, _ := strings.Cut(f.Doc.Text(), " ")
							renamed := strings.EqualFold(first, name.Name) && first != name.Name
							assert.False(t, renamed, "%s: the field is %s", files.Position(f.Pos()), name.Name)
						}
					}
					return true
				})
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
				if !d.Lparen.IsValid() {
					begins(d.Doc, s.Names[0].Name, s.Pos())
				}
			}
		}
	}
	return names
}

// checkLinks holds the links of a file's comments, [Name] and [Type.Member], to names. Links into other packages are
// not looked at; neither are indented lines, which are text as it is.
func checkLinks(t *testing.T, files *token.FileSet, f *ast.File, names map[string]bool) {
	link := regexp.MustCompile(`(?:^|[\s(])\[\*?([A-Z]\w*(?:\.\w+)?)\](?:[\s.,;:)]|$)`)
	for _, group := range f.Comments {
		for line := range strings.Lines(group.Text()) {
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " ") {
				continue
			}
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				words := strings.ToUpper(m[1]) == m[1] // such as [DISABLED], which a format prints
				assert.True(t, names[m[1]] || words, "%s: [%s] is not in the package", files.Position(group.Pos()), m[1])
			}
		}
	}
}
