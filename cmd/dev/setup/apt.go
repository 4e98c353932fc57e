package setup

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

// Lack is a need that the machine does not meet.
type Lack struct {
	Need
	Err error
}

// ProbeAll tries every need and describes what it found.
func (d *Dev) ProbeAll(ctx context.Context, needs []Need) ([]Lack, error) {
	var lacking []Lack
	for _, n := range needs {
		found, err := n.Probe(ctx, d)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			lacking = append(lacking, Lack{n, err})
			d.Say("  missing  %-24s %v", n.Name, err)
			continue
		}
		d.Say("  found    %-24s %s", n.Name, found)
	}
	return lacking, nil
}

// SetUp sees that every need is met, installing where that can be done. It fails
// with what is left to do.
func (d *Dev) SetUp(ctx context.Context, needs []Need, yes bool) error {
	d.Say("What this needs (%s):", d.Machine.Family)
	lacking, err := d.ProbeAll(ctx, needs)
	if err != nil || len(lacking) == 0 {
		return err
	}
	if !d.Machine.Apt() {
		return Advise(lacking, d.Machine.Family)
	}
	var packages []string
	for _, l := range lacking {
		packages = append(packages, l.packages(d.Machine.Family)...)
	}
	if len(packages) == 0 {
		return Advise(lacking, d.Machine.Family)
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	if err := d.Install(ctx, packages, yes || d.Machine.env("CI") == "true"); err != nil {
		return err
	}
	var names []Need
	for _, l := range lacking {
		names = append(names, l.Need)
	}
	still, err := d.ProbeAll(ctx, names)
	if err != nil || len(still) == 0 {
		return err
	}
	return Advise(still, d.Machine.Family)
}

// Advise is the error that describes what a person has to do.
func Advise(lacking []Lack, family string) error {
	var b strings.Builder
	b.WriteString("this machine lacks:")
	for _, l := range lacking {
		fmt.Fprintf(&b, "\n  %s (%s): %v\n      %s", l.Name, l.Why, l.Err, l.Advice(family))
	}
	return errors.New(b.String())
}

// Install runs apt-get, through sudo where we are not root. Without leave in advance
// a person is asked; where there is none, the command is named and nothing done.
func (d *Dev) Install(ctx context.Context, packages []string, leave bool) error {
	var prefix []string
	if !d.Machine.Root {
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
	if !leave && !d.Machine.Root {
		if !d.person {
			return fmt.Errorf("install these first, or call again with -y: %s", asked)
		}
		if !d.ask("Install them with " + asked + "?") {
			return fmt.Errorf("not installed; to do it yourself: %s", asked)
		}
	}
	d.Say("Installing: %s", strings.Join(packages, " "))
	// env rather than our own environment, which sudo clears: apt-get must not ask, and where this program is killed it
	// installs to the end.
	run := func(args ...string) error {
		words := append(slices.Clone(prefix), append([]string{"env", "DEBIAN_FRONTEND=noninteractive",
			guard.Unmarked, "apt-get"},
			args...)...)
		// With sudo in the foreground: it may ask for the password.
		cmd := Command(ctx, d.Root, len(prefix) > 0, words[0], words[1:]...)
		begin := time.Now()
		all := &Lines{each: func(line string) { d.Status("%s  %s", Seconds(time.Since(begin)), line) }}
		cmd.Stdout, cmd.Stderr, cmd.Stdin = all, all, os.Stdin
		if len(prefix) == 0 {
			cmd.Stdin = nil
		}
		if err := cmd.Run(); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, Tail(all.Text(), 12))
		}
		return nil
	}
	if err := run("update"); err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.Say("%v\nGoing on with the package lists that are here.", err)
	}
	begin := time.Now()
	if err := run(append([]string{"install", "-y", "--no-install-recommends"}, packages...)...); err != nil {
		return err
	}
	d.Say("Installed in %s.", Seconds(time.Since(begin)))
	return nil
}

// Tail is the last n lines of a text.
func Tail(text string, n int) string {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-n):], "\n")
}
