package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/refscope/refscope/cmd/dev/setup"
)

// runTask sets up, builds the window and opens it. -y in front of the arguments
// installs without asking; everything else goes to refscope as it is.
func runTask(ctx context.Context, d *setup.Dev, args []string) error {
	yes := false
	if len(args) > 0 && (args[0] == "-y" || args[0] == "--yes") {
		yes, args = true, args[1:]
	}
	// The display first: it is the one thing that nobody can install.
	display := setup.DisplayNeed()
	if _, err := display.Probe(ctx, d); err != nil {
		return setup.Advise([]setup.Lack{{Need: display, Err: err}}, d.Machine.Family)
	}
	if err := d.SetUp(ctx, setup.WindowNeeds(d.Machine), yes); err != nil {
		return err
	}
	program, err := d.BuildWindow(ctx)
	if err != nil {
		return err
	}
	d.Say("Opening the window on the demo site. Close it, or press Ctrl-C here, to end.")
	cmd := setup.Command(ctx, d.Root, false, program, args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	if d.Machine.GOOS == "linux" {
		cmd.Env = withLanguage(cmd.Env)
	}
	err = cmd.Run()
	_ = setup.EndGroup(cmd, true) // a browser that outlived its window
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return fmt.Errorf("refscope ended with status %d", exit.ExitCode())
	case err != nil:
		return fmt.Errorf("refscope: %w", err)
	}
	return nil
}

// withLanguage gives an environment a language where it has none: Fyne cannot parse
// the locales C and POSIX and complains of them at every start.
func withLanguage(env []string) []string {
	found := false
	kept := env[:0:0]
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if name == "LANG" || name == "LANGUAGE" || strings.HasPrefix(name, "LC_") {
			language, _, _ := strings.Cut(value, ".")
			if language == "" || language == "C" || language == "POSIX" {
				continue
			}
			found = found || name == "LANG" || name == "LC_ALL"
		}
		kept = append(kept, v)
	}
	if !found {
		kept = append(kept, "LANG=en_US.UTF-8")
	}
	return kept
}

// doctorTask describes what the machine has and lacks, and changes nothing.
func doctorTask(ctx context.Context, d *setup.Dev, args []string) error {
	if len(args) > 0 {
		return setup.Usagef("doctor takes no arguments, not %q", args[0])
	}
	d.Say("%s:", d.Machine.Family)
	lacking, err := d.ProbeAll(ctx, append(setup.TestNeeds(d.Machine), setup.DisplayNeed()))
	if err != nil {
		return err
	}
	for _, l := range lacking {
		d.Say("\n%s (%s)\n    %s", l.Name, l.Why, l.Advice(d.Machine.Family))
	}
	if len(lacking) > 0 {
		return errors.New("something is missing; `go run ./cmd/dev run` and `test` install what can be installed")
	}
	d.Say("Nothing is missing.")
	return nil
}
