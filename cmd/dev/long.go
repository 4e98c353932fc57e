package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// shortens are the functions by which a test learns that it is to be short: those of package testing, of
// snapshot/testneed and of snapshot/testpages.
func shortens() []string {
	return []string{"testing.Short", "testneed.Long", "testneed.Cases", "testpages.Folders"}
}

// longTest is a test that go test -short leaves out, or runs on fewer cases.
type longTest struct{ room, name string }

// longTests are all of them, by room and name. They are found in the source: a test that asks whether it is to be
// short, itself or in a function of its package that it calls.
func longTests(root string) ([]longTest, error) {
	rooms := map[string]map[string][]string{} // what each function of the tests of a room names
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
			d.Name() == "out" ||
			fileExists(filepath.Join(name, "go.mod"))): // a module of its own
			return filepath.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		room, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		room = "./" + filepath.ToSlash(room)
		if rooms[room] == nil {
			rooms[room] = map[string][]string{}
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				rooms[room][fn.Name.Name] = append(rooms[room][fn.Name.Name], mentions(fn)...)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []longTest
	for room, functions := range rooms {
		for name := range functions {
			if strings.HasPrefix(name, "Test") && name != "TestMain" && reaches(functions, name, map[string]bool{}) {
				out = append(out, longTest{room, name})
			}
		}
	}
	slices.SortFunc(out, func(a, b longTest) int {
		return strings.Compare(a.room+" "+a.name, b.room+" "+b.name)
	})
	return out, nil
}

// mentions are the functions that one names, those of other packages with their package.
func mentions(fn *ast.FuncDecl) []string {
	var out []string
	ast.Inspect(fn, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := x.X.(*ast.Ident); ok {
				out = append(out, of.Name+"."+x.Sel.Name)
			}
			out = append(out, x.Sel.Name) // a method
		case *ast.Ident:
			out = append(out, x.Name)
		}
		return true
	})
	return out
}

// reaches reports whether a function, or one that it names, asks whether a test is to be short.
func reaches(functions map[string][]string, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(functions[name], func(other string) bool {
		return slices.Contains(shortens(), other) || reaches(functions, other, seen)
	})
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// longStage runs the tests that the stage test leaves out or shortens, as they are without -short. A test of the same
// name in another of the rooms runs with them.
func longStage(ctx context.Context, t *setup.Test) (string, error) {
	tests, err := longTests(t.Root)
	if err != nil {
		return "", err
	}
	var rooms, names []string
	for _, l := range tests {
		rooms, names = append(rooms, l.room), append(names, l.name)
	}
	slices.Sort(names)
	rooms = slices.Compact(rooms)
	slices.SortStableFunc(rooms, func(a, b string) int { return beginning(a) - beginning(b) })
	measured, err := measuredBy(t)
	if err != nil {
		return "", err
	}
	args := slices.Concat([]string{"test", "-timeout", "40m", "-tags", setup.Tags, "-vet=all", "-p",
		strconv.Itoa(runtime.NumCPU() + 1),
		"-run", "^(" + strings.Join(slices.Compact(names), "|") + ")$"}, measured, rooms)
	return t.Tool(ctx, setup.CGO(false), "go", args...)
}

// longByRoom are the names of the tests that the stage test leaves out or shortens, a line for each room.
func longByRoom(root string) ([]string, error) {
	tests, err := longTests(root)
	if err != nil {
		return nil, err
	}
	var lines []string
	for i, l := range tests {
		if i == 0 || tests[i-1].room != l.room {
			lines = append(lines, path.Clean(l.room)+":")
		}
		lines[len(lines)-1] += " " + l.name
	}
	return lines, nil
}
