package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/refscope/refscope/cmd/dev/setup"
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

// in reports whether a room is one of the given ones or lies below one.
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

// allowed names which rooms of ours a room may import; nil means any but cmd.
func allowed(name string) []string {
	switch {
	case in(name, "assets"):
		return []string{"assets"}
	case in(name, "snapshot/text"):
		return []string{"snapshot/text"}
	case in(name, "snapshot/redact"):
		return []string{"snapshot/redact", "snapshot/text"}
	case in(name, "snapshot"):
		return []string{"snapshot"}
	case in(name, "overlay"):
		return []string{"overlay", "snapshot"}
	case in(name, "profiles"):
		return []string{"profiles", "snapshot"}
	case in(name, "capture/session", "capture/export", "capture/step", "capture/agent", "capture/domtool", "capture/tap",
		"capture/target", "capture/inspect"):
		return []string{"capture", "profiles", "overlay", "snapshot"}
	case in(name, "capture"):
		return []string{"capture", "snapshot"}
	case in(name, "gui/core"):
		return []string{"gui/core", "overlay", "snapshot"}
	case in(name, "gui/app", "gui/engine"), in(name, "cmd/refscope"), in(name, "cmd/refscopectl"):
		return nil
	case in(name, "gui"): // the rooms, and what they draw with
		return []string{"gui", "profiles", "overlay", "snapshot", "capture/export", "capture/device"}
	case in(name, "cmd/dev"):
		return []string{"snapshot", "cmd/dev"}
	}
	return nil
}

// below are rooms and those above them, which they do not import: what formats share knows
// no format, and finding an element knows no step.
var below = []struct {
	room  string
	above []string
}{
	{"snapshot/dump", []string{"snapshot/format"}},
	{"capture/element", []string{"capture/step", "capture/agent"}},
	{"capture/step", []string{"capture/agent"}},
}

// upwards reports whether an import goes up, or from one format to another.
func upwards(from, to string) bool {
	for _, b := range below {
		if in(from, b.room) && in(to, b.above...) {
			return true
		}
	}
	// Package readback reads what every format writes, so it is above them all.
	return strings.HasPrefix(from, "snapshot/format/") && !in(from, "snapshot/format/readback") &&
		in(to, "snapshot/format") && !in(to, from)
}

// program is the folder in cmd that a room belongs to, "" for none.
func program(room string) string {
	parts := strings.SplitN(room, "/", 3)
	if parts[0] != "cmd" || len(parts) < 2 {
		return ""
	}
	return parts[1]
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
				case ours && in(to, "cmd") && program(from) != program(to):
					fault("%s imports %s: nothing imports cmd", from, to)
				case ours && !inTests && in(to, "gui/app") && in(from, "gui") && !in(from, "gui/app"):
					fault("%s imports gui/app: a room knows nothing of the window", from)
				case ours && !inTests && upwards(from, to):
					fault("%s imports %s: that is above it, or beside it", from, to)
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
		{"harmless text imports nothing", one("snapshot/text", module+"/snapshot"), "only snapshot/text"},
		{"redaction knows harmless text", one("snapshot/redact", module+"/snapshot/text"), ""},
		{"a format imports what all share", one("snapshot/format/aria", module+"/snapshot/dump"), ""},
		{"a format imports another", one("snapshot/format/aria", module+"/snapshot/format/dddk"), "beside it"},
		{"a format imports the table", one("snapshot/format/aria", module+"/snapshot/format"), "above it"},
		{"the table imports a format", one("snapshot/format", module+"/snapshot/format/aria"), ""},
		{"what formats share imports one", one("snapshot/dump", module+"/snapshot/format/aria"), "above it"},
		{"finding imports steps", one("capture/element", module+"/capture/step"), "above it"},
		{"a chapter of steps imports the task", one("capture/step/forms", module+"/capture/agent/task"), "above it"},
		{"the task emits steps", one("capture/agent/task", module+"/capture/step"), ""},
		{"overlay imports capture", one("overlay", module+"/capture/browser"), "overlay imports capture/browser"},
		{"session may use overlay", one("capture/session", module+"/overlay", module+"/capture/collect"), ""},
		{"collect may not", one("capture/collect", module+"/overlay"), "capture/collect imports overlay"},
		{"core imports Fyne", one("gui/core", "fyne.io/fyne/v2"), "gui/core imports fyne.io/fyne/v2"},
		{"core imports capture", one("gui/core", module+"/capture/session"), "gui/core imports capture/session"},
		{"a room imports capture", one("gui/picture", module+"/capture/session"), "gui/picture imports capture/session"},
		{"a room writes files", one("gui/picture", module+"/capture/export", module+"/profiles"), ""},
		{"a room imports the driver", one("gui/picture", "fyne.io/fyne/v2/app"), "only cmd/refscope does"},
		{"a room imports the window", one("gui/picture", module+"/gui/app"), "knows nothing of the window"},
		{"a test imports app", []listed{{ImportPath: module + "/gui/app", XTestImports: []string{"fyne.io/fyne/v2/app"}}},
			"only cmd/refscope does"},
		{"the window may use capture", one("gui/app", module+"/capture/session", module+"/assets", "fyne.io/fyne/v2"), ""},
		{"the command line imports Fyne", one("cmd/refscopectl", "fyne.io/fyne/v2/theme"), "Fyne is for the window"},
		{"the window talks to Chrome", one("gui/app", "github.com/chromedp/chromedp"), "only capture talks to Chrome"},
		{"importing cmd", one("gui/app", module+"/cmd/dev"), "nothing imports cmd"},
		{"a program imports another's packages", one("cmd/refscope", module+"/cmd/refscopectl/cli"), "nothing imports cmd"},
		{"a command imports what all share", one("cmd/refscopectl/view", module+"/cmd/refscopectl/cli"), ""},
		{"a task imports its packages", one("cmd/dev", module+"/cmd/dev/pack"), ""},
		{"dev imports a library", one("cmd/dev", "golang.org/x/sys/unix"), "standard library"},
		{"a room named util", one("capture/util"), "named for what is in it"},
		{"packages of others do as they like", []listed{{ImportPath: "example.org/x",
			Imports: []string{"fyne.io/fyne/v2/app"}}}, ""},
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
	t.Run("refscopectl has no queue server in it", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./cmd/refscopectl", "./cmd/refscope"), "github.com/nats-io/nats-server"))
	})
	t.Run("the state reaches no toolkit and no browser", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./gui/core"), "fyne.io", "github.com/chromedp", module+"/capture",
			"os/exec", "net/http"))
	})
	t.Run("a room reaches no browser", func(t *testing.T) {
		deps := []string{"-deps"}
		for _, p := range goList(t, "./gui/...") {
			if name, _ := room(p.ImportPath); !in(name, "gui/app", "gui/engine") {
				deps = append(deps, p.ImportPath)
			}
		}
		require.Empty(t, among(goList(t, deps...), "github.com/chromedp"))
	})
	t.Run("snapshot reaches no browser and no process", func(t *testing.T) {
		require.Empty(t, among(goList(t, "-deps", "./snapshot", "./snapshot/dump", "./snapshot/payload"), "fyne.io",
			"github.com/chromedp", "os/exec", "net/http"))
	})
	t.Run("a room keeps Fyne in its view", func(t *testing.T) {
		require.Empty(t, strings.Join(fyneOutsideViews(t), "\n"))
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
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-tags", setup.Tags,
		"-json=ImportPath,Imports,TestImports,XTestImports"}, args...)...)
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

// drawn are the folders of the window whose every file may draw: the window itself and what
// its rooms share.
var drawn = []string{"gui/app", "gui/parts", "gui/theme"}

// sources visits the Go files of the repository, tests or the others, by their path below it.
func sources(t *testing.T, tests bool, visit func(short string, files *token.FileSet, tree *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
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
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") != tests {
			return nil
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, file)
		if err == nil {
			visit(filepath.ToSlash(short), files, tree)
		}
		return err
	})
	require.NoError(t, err)
}

// fyneOutsideViews are the files of rooms that import Fyne and are not called view….go.
func fyneOutsideViews(t *testing.T) []string {
	t.Helper()
	var found []string
	sources(t, false, func(short string, _ *token.FileSet, tree *ast.File) {
		if !in(short, "gui") || in(path.Dir(short), drawn...) || strings.HasPrefix(path.Base(short), "view") {
			return
		}
		for _, spec := range tree.Imports {
			if name, err := strconv.Unquote(spec.Path.Value); err == nil && fynePath(name) {
				found = append(found, short+" imports "+name+": only view….go of a room draws")
				break
			}
		}
	})
	return found
}

// fyneDoCalls finds the calls of fyne.Do and fyne.DoAndWait outside tests, as
// file:line below the repository.
func fyneDoCalls(t *testing.T) []string {
	t.Helper()
	var calls []string
	sources(t, false, func(short string, files *token.FileSet, tree *ast.File) {
		name := ""
		for _, spec := range tree.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != "fyne.io/fyne/v2" {
				continue
			}
			if name = "fyne"; spec.Name != nil {
				name = spec.Name.Name
			}
		}
		calls = append(calls, selections(short, files, tree, func(x, method string) bool {
			return name != "" && x == name && (method == "Do" || method == "DoAndWait")
		})...)
	})
	return calls
}

// selections are the places of a file, as file:line, that select a method of a name.
func selections(short string, files *token.FileSet, tree *ast.File, is func(x, method string) bool) []string {
	var found []string
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && is(x.Name, s.Sel.Name) {
				found = append(found, fmt.Sprintf("%s:%d", short, files.Position(s.Pos()).Line))
			}
		}
		return true
	})
	return found
}

// TestNoTestSkipsByItself: what a test lacks, and what nobody asked for, goes through
// snapshot/testneed, which fails under CI where the test is a gate.
func TestNoTestSkipsByItself(t *testing.T) {
	var found []string
	for _, tests := range []bool{true, false} { // helpers of tests are in other files too
		sources(t, tests, func(short string, files *token.FileSet, tree *ast.File) {
			if in(short, "snapshot/testneed") {
				return
			}
			found = append(found, selections(short, files, tree, func(x, method string) bool {
				return slices.Contains([]string{"t", "b", "tb", "f"}, x) &&
					slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, method)
			})...)
		})
	}
	require.Empty(t, strings.Join(found, "\n"))
}

// TestMessagesKeepTheirOperands: a message that is made of a function ([core.Does]) is applied as often as its button is
// pressed, so it never writes to what it was made of.
func TestMessagesKeepTheirOperands(t *testing.T) {
	var written []string
	functions := 0
	sources(t, false, func(short string, files *token.FileSet, tree *ast.File) {
		for _, d := range tree.Decls {
			maker, ok := d.(*ast.FuncDecl)
			if !ok || !in(short, "gui") {
				continue
			}
			operands := map[string]bool{}
			for _, p := range maker.Type.Params.List {
				for _, name := range p.Names {
					operands[name.Name] = true
				}
			}
			ast.Inspect(maker, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 || !slices.Contains([]string{"Does", "core.Does"}, types.ExprString(call.Fun)) {
					return true
				}
				functions++
				for _, place := range writes(call.Args[0]) {
					if operands[place.Name] {
						written = append(written, fmt.Sprintf("%s: %s writes to %s", files.Position(place.Pos()), maker.Name.Name,
							place.Name))
					}
				}
				return false
			})
		}
	})
	require.Greater(t, functions, 50)
	require.Empty(t, strings.Join(written, "\n"))
}

// writes are the variables that a piece of code assigns to, in whole or in part, or whose address it takes.
func writes(code ast.Node) (names []*ast.Ident) {
	var note func(e ast.Expr)
	note = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.Ident:
			names = append(names, e)
		case *ast.SelectorExpr:
			note(e.X)
		case *ast.IndexExpr:
			note(e.X)
		}
	}
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, e := range n.Lhs {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n.X)
			}
		}
		return true
	})
	return names
}
