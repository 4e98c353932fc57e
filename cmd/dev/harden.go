package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/cmd/dev/harden"
	"github.com/refscope/refscope/cmd/dev/pack"
	"github.com/refscope/refscope/cmd/dev/release"
	"github.com/refscope/refscope/cmd/dev/setup"
)

// hardenTask attacks refscopectl for an hour, or as long as -for says, and prints what was tried and what failed.
func hardenTask(ctx context.Context, d *setup.Dev, args []string) error {
	flags := flag.NewFlagSet("harden", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	limit := flags.Duration("for", time.Hour, "how long; 0 for the short version of the test")
	seed := flags.Uint64("seed", uint64(time.Now().Unix()), "what decides the attacks; a failure names its own")
	only := flags.String("run", "", "the attacks to perform, with commas between; a star at the end stands for any")
	if err := flags.Parse(args); err != nil {
		return setup.Usagef("harden: %w", err)
	}
	if flags.NArg() > 0 {
		return setup.Usagef("harden takes no argument %q", flags.Arg(0))
	}
	if err := d.SetUp(ctx, []setup.Need{setup.ChromeNeed()}, false); err != nil {
		return err
	}
	table, err := attack(ctx, d, harden.Options{For: *limit, Seed: *seed, Only: *only})
	if table != "" {
		d.Say("%s", setup.Visible(table))
	}
	return err
}

// attack builds refscopectl, attacks it and returns the table, which is kept in out/harden.txt too.
func attack(ctx context.Context, d *setup.Dev, o harden.Options) (table string, err error) {
	folder, err := os.MkdirTemp("", "refscope-harden-")
	if err != nil {
		return "", fmt.Errorf("harden: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // a stray temporary folder does no harm
	o.Root, o.Say = d.Root, d.Status
	if o.Program, err = d.BuildCtl(ctx, folder); err != nil {
		return "", err
	}
	rows, err := harden.Run(ctx, o)
	failed := 0
	for _, r := range rows {
		failed += r.Failed
	}
	if len(rows) > 0 {
		table = harden.Table(rows)
		if werr := errors.Join(os.MkdirAll(filepath.Join(d.Root, "out"), 0o755),
			os.WriteFile(filepath.Join(d.Root, "out", "harden.txt"), []byte(table), 0o644)); werr != nil {
			err = errors.Join(err, werr)
		}
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d attacks were not withstood: out/harden.txt has the first of each kind", failed)
	}
	return table, err
}

// hardenStage is the short version, with a fixed seed.
func hardenStage(ctx context.Context, t *setup.Test) (string, error) {
	stop := t.Pulse(ctx, "attacking refscopectl")
	defer stop()
	return attack(ctx, t.Dev, harden.Options{Seed: 1})
}

// govulncheck is pinned, as staticcheck is; its list of vulnerabilities is the newest.
const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.1.4"

// vulnStage looks for known vulnerabilities in code that the programs call. Without a network there is no list: the
// stage is skipped then, with that reason.
func vulnStage(ctx context.Context, t *setup.Test) (string, error) {
	out, err := t.Tool(ctx, setup.CGO(true), "go", "run", govulncheck, "-tags", setup.Tags, "./cmd/refscope",
		"./cmd/refscopectl")
	if err == nil || ctx.Err() != nil {
		return out, err
	}
	for _, sign := range []string{"dial tcp", "no such host", "i/o timeout", "connection refused", "Forbidden",
		"fetching vulnerabilities", "module lookup disabled", "proxyconnect", "TLS handshake", "x509:"} {
		if strings.Contains(out, sign) {
			return out, fmt.Errorf("%w: the list of vulnerabilities cannot be reached from here (%s)",
				setup.ErrSkipped, sign)
		}
	}
	return out, err
}

// licenseStage holds the licence of each module inside the programs against those that ask for their text alone.
func licenseStage(ctx context.Context, t *setup.Test) (string, error) {
	out, err := t.Tool(ctx, setup.CGO(true), "go", "list", "-deps", "-tags", setup.Tags, "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/refscope", "./cmd/refscopectl")
	if err != nil {
		return out, err
	}
	seen := map[string]bool{}
	counts := map[string]int{}
	var faults []error
	for line := range strings.Lines(out) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || seen[path] {
			continue
		}
		seen[path] = true
		license, _, err := release.LicenseIn(dir)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		}
		counts[license]++
	}
	var said strings.Builder
	for _, license := range pack.Permitted() {
		if counts[license] > 0 {
			fmt.Fprintf(&said, "%d %s\n", counts[license], license)
		}
	}
	if len(seen) < 20 {
		faults = append(faults, fmt.Errorf("only %d modules were found", len(seen)))
	}
	return said.String(), errors.Join(faults...)
}
