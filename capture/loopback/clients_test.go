package loopback_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// Every client of HTTP in the programs names its transport, and the default one is used nowhere else: so all of them
// know the names of this computer.
func TestEveryClientKnowsTheNames(t *testing.T) {
	root := testneed.Repository(t)
	clients := 0
	for _, room := range []string{"capture", "gui", "cmd/refscope", "cmd/refscopectl", "profiles", "overlay", "snapshot"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "chrometest" || d.Name() == "loopback"):
				return filepath.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					for _, name := range []string{"DefaultClient", "DefaultTransport", "Get", "Post", "PostForm", "Head"} {
						require.False(t, of(n, "http", name), "%s: http.%s: use capture/loopback", files.Position(n.Pos()), name)
					}
				case *ast.CompositeLit:
					if kind, ok := n.Type.(*ast.SelectorExpr); ok && of(kind, "http", "Client") {
						clients++
						require.True(t, names(n, "Transport"), "%s: a client without capture/loopback's transport",
							files.Position(n.Pos()))
					}
				}
				return true
			})
			return nil
		}))
	}
	require.GreaterOrEqual(t, clients, 4)
}

func of(s *ast.SelectorExpr, pkg, name string) bool {
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg && s.Sel.Name == name
}

func names(c *ast.CompositeLit, field string) bool {
	for _, e := range c.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
				return true
			}
		}
	}
	return false
}
