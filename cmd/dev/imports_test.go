package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path that all packages of ours begin with.
const module = "github.com/refscope/refscope"

// listed is a package as go list names it.
type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// room is the package's path inside the repository: "gui/core"; "" and false for a
// package of others.
func room(path string) (string, bool) {
	rest, ours := strings.CutPrefix(path, module+"/")
	return rest, ours
}

// in tells whether a room is one of the given ones or lies below one.
func in(name string, rooms ...string) bool {
	for _, r := range rooms {
		if name == r || strings.HasPrefix(name, r+"/") {
			return true
		}
	}
	return false
}

func fynePath(path string) bool { return in(path, "fyne.io/fyne/v2") }

func chromePath(path string) bool {
	return in(path, "github.com/chromedp/chromedp", "github.com/chromedp/cdproto")
}

// allowed says which rooms of ours a room may import; nil means any but cmd.
func allowed(name string) []string {
	switch {
	case in(name, "assets"):
		return []string{"assets"}
	case in(name, "snapshot"):
		return []string{"snapshot"}
	case in(name, "overlay"):
		return []string{"overlay", "snapshot"}
	case in(name, "profiles"):
		return []string{"profiles", "snapshot"}
	case in(name, "capture/session", "capture/export", "capture/step", "capture/agent", "capture/domtool"):
		return []string{"capture", "profiles", "overlay", "snapshot"}
	case in(name, "capture"):
		return []string{"capture", "snapshot"}
	case in(name, "gui/core"):
		return []string{"gui/core", "overlay", "snapshot"}
	case in(name, "gui/app"), in(name, "cmd/refscope"), in(name, "cmd/refscopectl"):
		return nil
	case in(name, "gui"): // the widgets
		return []string{"gui", "overlay", "snapshot"}
	case in(name, "cmd/dev"):
		return []string{"snapshot"}
	}
	return nil
}

// broken lists what breaks the import rules of DESIGN.md, one sentence each.
func broken(packages []listed) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for _, p := range packages {
		from, ours := room(p.ImportPath)
		if !ours {
			continue
		}
		for part := range strings.SplitSeq(from, "/") {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "misc"}, part) {
				fault("%s: a room is named for what is in it", from)
			}
		}
		for i, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			inTests := i > 0
			for _, path := range imports {
				to, ours := room(path)
				switch {
				case ours && in(to, "cmd"):
					fault("%s imports %s: nothing imports cmd", from, to)
				case ours && to == "gui/app" && in(from, "gui") && from != "gui/app":
					fault("%s imports gui/app: a widget knows nothing of the window", from)
				case ours && !inTests && allowed(from) != nil && !in(to, allowed(from)...):
					fault("%s imports %s: only %s", from, to, strings.Join(allowed(from), ", "))
				case path == "fyne.io/fyne/v2/app" && from != "cmd/refscope":
					fault("%s imports %s: only cmd/refscope does", from, path)
				case fynePath(path) && !in(from, "gui", "cmd/refscope"):
					fault("%s imports %s: Fyne is for the window", from, path)
				case fynePath(path) && in(from, "gui/core"):
					fault("%s imports %s: the state knows no toolkit", from, path)
				case chromePath(path) && !in(from, "capture"):
					fault("%s imports %s: only capture talks to Chrome", from, path)
				case !ours && in(from, "cmd/dev") && !inTests && strings.Contains(strings.Split(path, "/")[0], "."):
					fault("%s imports %s: it starts with the standard library alone", from, path)
				}
			}
		}
	}
	return faults
}

func TestBrokenRulesAreSeen(t *testing.T) {
	one := func(from string, to ...string) []listed {
		return []listed{{ImportPath: module + "/" + from, Imports: to}}
	}
	for _, tt := range []struct {
		name     string
		packages []listed
		want     string // "" for none
	}{
		{"snapshot keeps to itself", one("snapshot/dump", module+"/snapshot"), ""},
		{"snapshot imports overlay", one("snapshot/dump", module+"/overlay"), "snapshot/dump imports overlay"},
		{"overlay imports capture", one("overlay", module+"/capture/browser"), "overlay imports capture/browser"},
		{"session may use overlay", one("capture/session", module+"/overlay", module+"/capture/collect"), ""},
		{"collect may not", one("capture/collect", module+"/overlay"), "capture/collect imports overlay"},
		{"state imports Fyne", one("gui/core", "fyne.io/fyne/v2"), "gui/core imports fyne.io/fyne/v2"},
		{"state imports capture", one("gui/core", module+"/capture/session"), "gui/core imports capture/session"},
		{"a widget imports capture", one("gui/shotview", module+"/capture/session"), "gui/shotview imports capture/session"},
		{"a widget imports app", one("gui/shotview", "fyne.io/fyne/v2/app"), "only cmd/refscope does"},
		{"a widget imports the shell", one("gui/shotview", module+"/gui/app"), "knows nothing of the window"},
		{"a test imports app", []listed{{ImportPath: module + "/gui/app", XTestImports: []string{"fyne.io/fyne/v2/app"}}}, "only cmd/refscope does"},
		{"the shell may use capture", one("gui/app", module+"/capture/session", module+"/assets", "fyne.io/fyne/v2"), ""},
		{"the command line imports Fyne", one("cmd/refscopectl", "fyne.io/fyne/v2/theme"), "Fyne is for the window"},
		{"the window talks to Chrome", one("gui/app", "github.com/chromedp/chromedp"), "only capture talks to Chrome"},
		{"importing cmd", one("gui/app", module+"/cmd/dev"), "nothing imports cmd"},
		{"dev imports a library", one("cmd/dev", "golang.org/x/sys/unix"), "standard library"},
		{"a room named util", one("capture/util"), "named for what is in it"},
		{"packages of others do as they like", []listed{{ImportPath: "example.org/x", Imports: []string{"fyne.io/fyne/v2/app"}}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := broken(tt.packages)
			if tt.want == "" {
				require.Empty(t, got)
				return
			}
			require.Len(t, got, 1)
			require.Contains(t, got[0], tt.want)
		})
	}
}

// TestImports holds the house of DESIGN.md against the code.
func TestImports(t *testing.T) {
	t.Run("rules", func(t *testing.T) {
		packages := goList(t, "./...")
		require.Greater(t, len(packages), 10)
		require.Empty(t, strings.Join(broken(packages), "\n"))
	})
	t.Run("refscopectl has no window in it", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./cmd/refscopectl"), "fyne.io", "github.com/go-gl", "github.com/fyne-io"))
	})
	t.Run("the state reaches no toolkit and no browser", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./gui/core"), "fyne.io", "github.com/chromedp", module+"/capture", "os/exec", "net/http"))
	})
	t.Run("snapshot reaches no browser and no process", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./snapshot", "./snapshot/dump", "./snapshot/payload"), "fyne.io", "github.com/chromedp", "os/exec", "net/http"))
	})
	t.Run("one call of fyne.Do", func(t *testing.T) {
		calls := fyneDoCalls(t)
		require.Len(t, calls, 1, "%s", strings.Join(calls, "\n"))
		require.True(t, strings.HasPrefix(calls[0], "gui/app/"), "%s", calls[0])
	})
}

// among lists the packages that lie in one of the given trees.
func among(packages []listed, trees ...string) []string {
	var found []string
	for _, p := range packages {
		if in(p.ImportPath, trees...) {
			found = append(found, p.ImportPath)
		}
	}
	return found
}

// goList asks the go command for packages. With cgo, so that the window's are whole;
// nothing is compiled.
func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-tags", tags, "-json=ImportPath,Imports,TestImports,XTestImports"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	var failed strings.Builder
	cmd.Stderr = &failed
	out, err := cmd.Output()
	require.NoError(t, err, failed.String())
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, p)
	}
}

// fyneDoCalls finds the calls of fyne.Do and fyne.DoAndWait outside tests, as
// file:line below the repository.
func fyneDoCalls(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	var calls []string
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == "testdata" || len(name) > 2 && name[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		name := ""
		for _, spec := range tree.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "fyne.io/fyne/v2" {
				continue
			}
			if name = "fyne"; spec.Name != nil {
				name = spec.Name.Name
			}
		}
		if name == "" {
			return nil
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok || selector.Sel.Name != "Do" && selector.Sel.Name != "DoAndWait" {
				return true
			}
			if x, ok := selector.X.(*ast.Ident); ok && x.Name == name {
				at := files.Position(selector.Pos())
				short, err := filepath.Rel(root, at.Filename)
				require.NoError(t, err)
				calls = append(calls, fmt.Sprintf("%s:%d", filepath.ToSlash(short), at.Line))
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	return calls
}
