package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPromisesNameTheirTests: each test that docs/security.md names is in the repository, and it names some.
func TestPromisesNameTheirTests(t *testing.T) {
	promises, _ := document(t, filepath.Join("docs", "security.md"))
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(promises, -1)
	require.Greater(t, len(named), 20)
	tests := map[string]bool{}
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				tests[f.Name.Name] = true
			}
		}
		return nil
	}))
	for _, m := range named {
		assert.True(t, tests[m[1]], "docs/security.md promises what %s holds, which is not there", m[1])
	}
}
