package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/house"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// faultGroup is a part of the house that faults are put into, and the tests that should find them.
type faultGroup struct {
	name  string
	count int
	rooms []string // whose files, below the root
	tests []string
}

func faultGroups() []faultGroup {
	return []faultGroup{
		{"formats", 10, []string{"snapshot/format/aria", "snapshot/format/dddk", "snapshot/format/domtool",
			"snapshot/format/markup", "snapshot/format/semantic", "snapshot/format/wraith", "snapshot/dump"},
			[]string{"./snapshot/format/...", "./snapshot/dump"}},
		{"capture", 5, []string{"capture/element", "capture/action", "capture/serve"},
			[]string{"./capture/element", "./capture/action", "./capture/serve", "./capture/step/query"}},
		{"redact", 5, []string{"snapshot/redact"}, []string{"./snapshot/redact/...", "./snapshot/turn",
			"./snapshot/wire"}},
		{"store", 5, []string{"snapshot/turn"}, []string{"./snapshot/turn"}},
		{"window", 5, []string{"gui/core", "gui/text", "gui/picture", "gui/sessions"},
			[]string{"./gui/core", "./gui/text",
				"./gui/picture", "./gui/sessions", "./gui/app"}},
	}
}

// fault is one change of the source that compiles and means something else.
type fault struct {
	file       string // below the root
	line       int
	from, to   string
	begin, end int // bytes of the file
}

// faultsTask puts seeded faults into the source, one at a time and on the side (go test -overlay), and says which of
// them the default tier finds: the measure of what a faster test may have lost.
func faultsTask(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("faults", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	seed := flags.Uint64("seed", 46, "which faults are drawn")
	only := flags.String("run", "", "the groups to draw for, with commas between them")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("faults: %w", err)
	}
	if flags.NArg() > 0 {
		return setup.Usagef("faults takes no argument %q", flags.Arg(0))
	}
	found, drawn := 0, 0
	for i, g := range faultGroups() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), g.name) {
			continue
		}
		all, err := possibleFaults(d.Root, g.rooms)
		if err != nil {
			return err
		}
		dice := rand.New(rand.NewPCG(*seed, uint64(i)))
		dice.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
		for n := 0; n < g.count && len(all) > 0; {
			f := all[0]
			all = all[1:]
			begin := time.Now()
			by, err := findsFault(ctx, d, f, g.tests)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case errors.Is(err, setup.ErrSkipped): // it does not compile
				continue
			case err != nil:
				return err
			}
			n++
			drawn++
			word := "NOT FOUND"
			if by != "" {
				found++
				word = "found by " + by
			}
			d.Say("%-8s %6s  %s:%d  %s → %s  %s", g.name, setup.Seconds(time.Since(begin)), f.file,
				f.line, f.from, f.to, word)
		}
	}
	d.Say("")
	d.Say("%d of %d faults were found", found, drawn)
	return nil
}

// possibleFaults are all changes of one operator or one condition in the files of some rooms.
func possibleFaults(root string, rooms []string) ([]fault, error) {
	other := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=",
		token.NEQ: "==", token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+"}
	var out []fault
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(room), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			below, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				e, ok := n.(*ast.BinaryExpr)
				if ok && other[e.Op] != "" {
					at := set.Position(e.OpPos)
					out = append(out, fault{filepath.ToSlash(below), at.Line, e.Op.String(), other[e.Op], at.Offset,
						at.Offset + len(e.Op.String())})
				}
				return true
			})
		}
	}
	return out, nil
}

// findsFault is the first package whose tests fail with a fault, "" where none does; ErrSkipped where it does not
// compile.
func findsFault(ctx context.Context, d *setup.Dev, f fault, tests []string) (by string, err error) {
	path := filepath.Join(d.Root, filepath.FromSlash(f.file))
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), "fault-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	changed := filepath.Join(dir, "changed.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err == nil {
		err = os.WriteFile(changed, slices.Concat(text[:f.begin], []byte(f.to), text[f.end:]), 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		return "", err
	}
	// The room's own tests first, as they find most.
	own := "./" + filepath.ToSlash(filepath.Dir(filepath.FromSlash(f.file)))
	for _, packages := range [][]string{{own}, tests} {
		out, err := d.Output(ctx, nil, setup.CGO(false), "go",
			append([]string{"test", "-short", "-timeout", "5m", "-tags", setup.Tags,
				"-overlay", filepath.Join(dir, "overlay.json")}, packages...)...)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case err == nil:
			continue
		case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
			return "", setup.ErrSkipped
		}
		for line := range strings.Lines(out) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == "FAIL" {
				return strings.TrimPrefix(words[1], house.Module+"/"), nil
			}
		}
		return "", fmt.Errorf("the tests of %s: %w\n%s", strings.Join(packages, " "), err,
			setup.Tail(setup.Visible(out), 12))
	}
	return "", nil
}
