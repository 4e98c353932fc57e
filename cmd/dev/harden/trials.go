package harden

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// allTrials are all kinds of attack. Those that take a share of the whole time take it of that; 0 is the short version.
func allTrials(whole time.Duration) []trial {
	var all []trial
	for i, p := range hostilePages {
		all = append(all, trial{"page: " + p.name, "a hostile page, read by some command", i%6 == 0 ||
			p.name == "forged lines",
			tryPage(p.name, p.make)})
	}
	for _, w := range writers() {
		all = append(all, trial{"kill: " + w.name, "kill -9 while it writes: whole or absent, and the next one works",
			w.name == "note" || w.name == "export" || w.name == "turn", tryKill(w)})
	}
	for _, w := range writers() {
		all = append(all, trial{"full: " + w.name, "the disk is full while it writes", !w.chrome, tryFull(w)})
	}
	all = append(all,
		trial{"endpoint", "a browser behind --attach that answers nonsense, floods or never answers",
			true, tryEndpoint},
		trial{"archive", "archives that lie, 40 at a time", true, tryArchive},
		trial{"mcp", "lines that are nearly JSON-RPC, 30 at a time", true, tryMCP},
		trial{"steps", "steps that are nearly JSON, 10 at a time", true, trySteps},
		trial{"vendor", "a vendor behind the tap that lies, floods, drips or breaks off", true, tryVendor},
		trial{"mcp clients", "clients of the MCP server over HTTP that lie, drip or leave, 24 at a time", true,
			tryClients})
	if whole > 0 {
		all = append(all, trial{"fuzz", "a fuzz target of the repository, one after the other", false, fuzz(whole)})
		for _, s := range []struct{ name, pkg, test string }{{"soak: window", "./gui/app", "^TestSoak$"},
			{"soak: mcp", "./capture/agent/mcp", "^TestFiftyClients$"},
			{"window", "./gui/app", "^TestHostileSessions$"}} {
			all = append(all, trial{s.name, "the same for long: neither heap nor goroutines may grow", false,
				soak(whole, s.pkg, s.test)})
		}
	}
	return all
}

// soak runs a long test once, for a tenth of the whole time.
func soak(whole time.Duration, pkg, test string) func(context.Context, *bench, *rand.Rand) error {
	var ran atomic.Bool
	return func(ctx context.Context, b *bench, _ *rand.Rand) error {
		if ran.Swap(true) {
			return fmt.Errorf("%w again: once is enough", errUnable)
		}
		return goTest(ctx, b, []string{"REFSCOPE_SOAK=" + (whole / 10).String(), "REFSCOPE_SLOW=1"}, "-timeout",
			(whole + time.Hour).String(),
			"-count=1", "-run", test, pkg)
	}
}

// target is one fuzz target of the repository.
type target struct{ pkg, name string }

// fuzz runs the fuzz targets one after the other, as many in one try as fit in a twentieth of the whole time. One that
// fails leaves its input in the testdata of its package, from where every later test reads it.
func fuzz(whole time.Duration) func(context.Context, *bench, *rand.Rand) error {
	next := 0
	return func(ctx context.Context, b *bench, _ *rand.Rand) error {
		all, err := targets(b.Root)
		if err != nil {
			return err
		}
		each := min(max(whole/3/time.Duration(len(all)), time.Second), time.Minute)
		for begin := time.Now(); time.Since(begin) < whole/20; {
			t := all[next%len(all)]
			next++
			if err := goTest(ctx, b, nil, "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", each.String(),
				t.pkg); err != nil {
				return fmt.Errorf("%s %s: %w", t.pkg, t.name, err)
			}
		}
		return nil
	}
}

// targets finds the fuzz targets by their names.
func targets(root string) ([]target, error) {
	var all []target
	name := regexp.MustCompile(`^func (Fuzz\w+)\(`)
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // only read
		pkg, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for s := bufio.NewScanner(f); s.Scan(); {
			if m := name.FindStringSubmatch(s.Text()); m != nil {
				all = append(all, target{"./" + filepath.ToSlash(pkg), m[1]})
			}
		}
		return nil
	})
	return all, err
}

func goTest(ctx context.Context, b *bench, env []string, args ...string) error {
	c := exec.CommandContext(ctx, "go", append([]string{"test", "-tags", "migrated_fynedo"}, args...)...)
	c.Dir, c.Env = b.Root, append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	c.WaitDelay = 5 * time.Second
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out[max(0, len(out)-2000):])
	}
	return nil
}
