package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot/testneed/guard"
)

// lack is a need that the machine does not meet.
type lack struct {
	need
	err error
}

// probeAll tries every need and describes what it found.
func (d *dev) probeAll(ctx context.Context, needs []need) ([]lack, error) {
	var lacking []lack
	for _, n := range needs {
		found, err := n.probe(ctx, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			lacking = append(lacking, lack{n, err})
			d.say("  missing  %-24s %v", n.name, err)
			continue
		}
		d.say("  found    %-24s %s", n.name, found)
	}
	return lacking, nil
}

// setUp sees that every need is met, installing where that can be done. It fails
// with what is left to do.
func (d *dev) setUp(ctx context.Context, needs []need, yes bool) error {
	d.say("What this needs (%s):", d.machine.family)
	lacking, err := d.probeAll(ctx, needs)
	if err != nil || len(lacking) == 0 {
		return err
	}
	if !d.machine.apt() {
		return advise(lacking, d.machine.family)
	}
	var packages []string
	for _, l := range lacking {
		packages = append(packages, l.packages(d.machine.family)...)
	}
	if len(packages) == 0 {
		return advise(lacking, d.machine.family)
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	if err := d.install(ctx, packages, yes || d.machine.env("CI") == "true"); err != nil {
		return err
	}
	var names []need
	for _, l := range lacking {
		names = append(names, l.need)
	}
	still, err := d.probeAll(ctx, names)
	if err != nil || len(still) == 0 {
		return err
	}
	return advise(still, d.machine.family)
}

// advise is the error that describes what a person has to do.
func advise(lacking []lack, family string) error {
	var b strings.Builder
	b.WriteString("this machine lacks:")
	for _, l := range lacking {
		fmt.Fprintf(&b, "\n  %s (%s): %v\n      %s", l.name, l.why, l.err, l.advice(family))
	}
	return errors.New(b.String())
}

// install runs apt-get, through sudo where we are not root. Without leave in advance
// a person is asked; where there is none, the command is named and nothing done.
func (d *dev) install(ctx context.Context, packages []string, leave bool) error {
	var prefix []string
	if !d.machine.root {
		sudo, err := exec.LookPath("sudo")
		if err != nil {
			return fmt.Errorf("as root, run: apt-get install %s", strings.Join(packages, " "))
		}
		prefix = []string{sudo}
		if !d.person { // nobody could type a password
			prefix = append(prefix, "-n")
		}
	}
	asked := strings.Join(append(slices.Clone(prefix[:min(1, len(prefix))]),
		"apt-get install "+strings.Join(packages, " ")), " ")
	if !leave && !d.machine.root {
		if !d.person {
			return fmt.Errorf("install these first, or call again with -y: %s", asked)
		}
		if !d.ask("Install them with " + asked + "?") {
			return fmt.Errorf("not installed; to do it yourself: %s", asked)
		}
	}
	d.say("Installing: %s", strings.Join(packages, " "))
	// env rather than our own environment, which sudo clears: apt-get must not ask, and where this program is killed it
	// installs to the end.
	run := func(args ...string) error {
		words := append(slices.Clone(prefix), append([]string{"env", "DEBIAN_FRONTEND=noninteractive",
			guard.Unmarked, "apt-get"},
			args...)...)
		// With sudo in the foreground: it may ask for the password.
		cmd := command(ctx, d.root, len(prefix) > 0, words[0], words[1:]...)
		begin := time.Now()
		all := &lines{each: func(line string) { d.status("%s  %s", seconds(time.Since(begin)), line) }}
		cmd.Stdout, cmd.Stderr, cmd.Stdin = all, all, os.Stdin
		if len(prefix) == 0 {
			cmd.Stdin = nil
		}
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, tail(all.text(), 12))
		}
		return nil
	}
	if err := run("update"); err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.say("%v\nGoing on with the package lists that are here.", err)
	}
	begin := time.Now()
	if err := run(append([]string{"install", "-y", "--no-install-recommends"}, packages...)...); err != nil {
		return err
	}
	d.say("Installed in %s.", seconds(time.Since(begin)))
	return nil
}

// tail is the last n lines of a text.
func tail(text string, n int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}
