// Package house measures this repository: lines, types and fields of the product, of its
// tooling and of its test support, long lines, crowded packages, and exported identifiers
// that no other package uses. [Tree.Measure] prints the figures, [Tree.Unused] lists the identifiers.
package house

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of the house, which [Tree.Measure] counts against.
const (
	manyFiles  = 25  // more non-test files than that want to be several packages
	longLine   = 120 // columns
	longerLine = 140 // columns
	tabWidth   = 4   // columns
)

// Tree is a checkout of the module.
type Tree struct {
	Root string // its folder
	Tags string // build tags, as the go command takes them
}

// Module is the import path of the module, the prefix of all its packages.
const Module = "github.com/refscope/refscope"

// pkg is a package as go list names it.
type pkg struct {
	ImportPath, Name, Dir                                        string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports                           []string
}

// figures are what [Tree.Measure] counts of packages.
type figures struct {
	packages, files, lines int
	types, fields          int // named types, and fields of structs, embedded ones and those of anonymous structs too
	long, longer           int // lines over longLine, over longerLine
}

// add counts one file without its tests.
func (c *figures) add(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	c.files++
	c.lines += bytes.Count(b, []byte("\n"))
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		columns := utf8.RuneCount(line) + (tabWidth-1)*bytes.Count(line, []byte("\t"))
		if columns > longLine {
			c.long++
		}
		if columns > longerLine {
			c.longer++
		}
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, b, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch v := n.(type) {
		case *ast.TypeSpec:
			c.types++
		case *ast.StructType:
			for _, field := range v.Fields.List {
				c.fields += max(1, len(field.Names))
			}
		}
		return true
	})
	return nil
}

// perThousand is n per 1,000 lines.
func (c figures) perThousand(n int) float64 { return 1000 * float64(n) / float64(max(1, c.lines)) }

// Measure gives the figures of the house, a line each, to say.
func (t Tree) Measure(ctx context.Context, say func(format string, args ...any)) error {
	packages, err := t.packages(ctx, "./...")
	if err != nil {
		return err
	}
	product, err := t.reached(ctx, "./cmd/refscope", "./cmd/refscopectl", "./cmd/refscope-farm")
	if err != nil {
		return err
	}
	tooling, err := t.reached(ctx, "./cmd/...", "./docs/...")
	if err != nil {
		return err
	}
	parts := []*struct {
		name string
		figures
	}{{name: "product: what the three programs hold"}, {name: "tooling: cmd/dev, docs/site"},
		{name: "test support: packages that only tests use"}}
	tests := 0
	var crowded []string
	for _, p := range packages {
		part := parts[2]
		switch {
		case product[p.ImportPath]:
			part = parts[0]
		case tooling[p.ImportPath]:
			part = parts[1]
		}
		part.packages++
		own := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles)
		own = slices.DeleteFunc(own, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
		for _, name := range own {
			if err := part.add(filepath.Join(p.Dir, name)); err != nil {
				return fmt.Errorf("measure: %w", err)
			}
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			b, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return fmt.Errorf("measure: %w", err)
			}
			tests += bytes.Count(b, []byte("\n"))
		}
		if len(own) > manyFiles {
			below, _ := strings.CutPrefix(p.ImportPath, Module+"/")
			crowded = append(crowded, fmt.Sprintf("%s %d", below, len(own)))
		}
	}
	unused, _, err := t.Unused(ctx)
	if err != nil {
		return err
	}
	say("  lines  files  packages  types/1,000  fields/1,000")
	long, longer := 0, 0
	for _, part := range parts {
		say("%7d  %5d  %8d  %11.1f  %12.1f  %s", part.lines, part.files, part.packages,
			part.perThousand(part.types), part.perThousand(part.fields), part.name)
		long += part.long
		longer += part.longer
	}
	say("%7d                                             tests", tests)
	say("%7d packages with more than %d files  %s", len(crowded), manyFiles, strings.Join(crowded, ", "))
	say("%7d lines over %d columns, %d over %d; a tab counts as %d", long, longLine, longer, longerLine, tabWidth)
	say("%7d exported identifiers without a user outside their package (go run ./cmd/dev exported lists them)",
		len(unused))
	return nil
}

// reached are the packages that the given ones hold or import, by their import paths.
func (t Tree) reached(ctx context.Context, patterns ...string) (map[string]bool, error) {
	packages, err := t.packages(ctx, append([]string{"-deps"}, patterns...)...)
	held := map[string]bool{}
	for _, p := range packages {
		held[p.ImportPath] = true
	}
	return held, err
}

// packages asks the go command for packages.
func (t Tree) packages(ctx context.Context, patterns ...string) ([]pkg, error) {
	args := append([]string{"list", "-e", "-tags", t.Tags,
		"-json=ImportPath,Name,Dir,GoFiles,CgoFiles,IgnoredGoFiles," +
			"TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = t.Root
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, strings.TrimSpace(failed.String()))
	}
	var packages []pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, fmt.Errorf("reading the answer of go list: %w", err)
		}
		packages = append(packages, p)
	}
}
