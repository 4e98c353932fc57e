package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/trace"
	"github.com/refscope/refscope/cmd/refscopectl/bulk"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/cmd/refscopectl/drive"
	"github.com/refscope/refscope/cmd/refscopectl/record"
	"github.com/refscope/refscope/cmd/refscopectl/view"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of the help, in the order of the help.
const (
	groupFirst = "first" // what one sees first
	groupDaily = "daily" // what one needs daily
	groupRare  = "rare"
)

// newRoot makes the tree of commands.
func newRoot(a *cli.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "refscopectl",
		Short: "see exactly what a browser agent saw",
		Example: `  refscopectl snap assets/demo/index.html
  refscopectl turn assets/demo/checkout.html -o out/session
  refscopectl why out/session#1 "#password"
  refscopectl '{"steps":[{"openTab":"https://example.org/"},{"click":{"text":"More"}}]}'`,
		Args: cobra.ArbitraryArgs, SuggestionsMinimumDistance: 2,
		SilenceErrors: true, SilenceUsage: true, DisableAutoGenTag: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE:              func(c *cobra.Command, args []string) error { return withoutCommand(a, c, args) },
	}
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		typed := cli.TypedPageFlags(c) // before variables and the file give their values
		a.Shape = cli.ShapeOf(cli.PathOf(c))
		if a.TraceFile != "" {
			a.Recorder = trace.New()
		}
		if r := cmp.Or(a.Recorder, &trace.Recorder{}); a.Debug || a.Recorder != nil {
			if a.Debug {
				r.Log = a.Log()
			}
			c.SetContext(r.In(c.Context()))
		}
		if err := defaults(c); err != nil {
			return err
		}
		if err := a.Check(); err != nil {
			return err
		}
		if err := cli.CheckBeside(c); err != nil {
			return err
		}
		return a.CheckPageFlags(c, args, typed)
	}
	a.Tree, root.Version = root, cli.Version
	root.SetVersionTemplate(cli.Tool() + "\n")
	root.InitDefaultVersionFlag()
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		behind := slices.Index(a.Args, "--json") // cobra reads no flag behind a wrong one
		if stop := slices.Index(a.Args, "--"); behind >= 0 && (stop < 0 || behind < stop) {
			a.JSON = true
		}
		return flagError(c, err)
	})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.Help(c) })
	a.Register(root.PersistentFlags())
	cli.CompleteFlag(root, "viewport", cli.Viewports()...)
	a.CompleteFlagBy(root, "session", (*cli.App).CompleteSessions)
	root.AddGroup(&cobra.Group{ID: groupFirst, Title: "Start with"}, &cobra.Group{ID: groupDaily, Title: "Daily work"},
		&cobra.Group{ID: groupRare, Title: "Rarely needed"})
	for _, group := range []struct {
		id       string
		commands []func(*cli.App) *cobra.Command
	}{
		{groupFirst, []func(*cli.App) *cobra.Command{view.Snap, view.Mark, record.Turn, view.Why, drive.Run,
			record.Session}},
		{groupDaily, []func(*cli.App) *cobra.Command{
			view.Audit, view.Network, bulk.Batch, view.Tokens, view.Find, view.Diff,
			record.Compare, view.WhatIf,
			view.Payload, bulk.Golden, bulk.Dataset, view.Profile, record.Tap, view.Doctor,
			bulk.Worker, view.Ask,
			drive.MCP, drive.Task, drive.Browser,
		}},
		{groupRare, []func(*cli.App) *cobra.Command{configCommand, keyCommand, skillCommand, completionCommand,
			manCommand, versionCommand}},
	} {
		for _, command := range group.commands {
			c := command(a)
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	help := helpCommand(a)
	help.GroupID = groupRare
	root.SetHelpCommand(help)
	root.InitDefaultHelpCmd()
	return root
}

// dispatch runs a command line.
func dispatch(ctx context.Context, a *cli.App, args []string) error {
	root := newRoot(a)
	root.SetArgs(canonical(root, args))
	defer a.Tidy()
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = a.HelpErr
	}
	err = inCommand(c, err)
	if a.Pool != nil {
		if err := a.Pool.Close(); err != nil {
			a.Log().Debug("leaving the browsers", "error", err)
		}
	}
	return errors.Join(err, writeTrace(a))
}

// inCommand begins an error with the command that it is of, where it does not name it already.
func inCommand(c *cobra.Command, err error) error {
	if _, own := errors.AsType[cli.ExitCode](err); err == nil || own || errors.Is(err, cli.ErrReported) ||
		!c.HasParent() {
		return err
	}
	path := cli.PathOf(c)
	family, _, _ := strings.Cut(path, " ")
	for _, name := range []string{path + ":", path + " ", family + ":"} {
		if strings.HasPrefix(err.Error(), name) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// writeTrace writes the file of --trace, also of a command that failed.
func writeTrace(a *cli.App) error {
	if a.Recorder == nil {
		return nil
	}
	if a.Traced == nil {
		var err error
		if a.Traced, err = cli.Perfetto(a.Recorder); err != nil {
			return err
		}
	}
	return export.Write(a.TraceFile, a.Traced)
}

// withoutCommand runs steps that were piped in; anything else is a wrong call.
func withoutCommand(a *cli.App, c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.Usagef("unknown command %q: %srefscopectl --help lists them", args[0],
			cli.Meant(c.SuggestionsFor(args[0])))
	}
	if ran, err := drive.UsesInput(c.Context(), a); ran {
		return err
	}
	return cli.Usagef("no command: refscopectl snap PAGE prints what an agent reads; refscopectl --help lists all " +
		"commands")
}

// canonical brings a command line into the form that cobra reads. Three things that
// scripts rely on are not its own: global flags before the command, a long flag with one
// dash (-format), as Go's flag package takes it, and steps in the place of a command.
func canonical(root *cobra.Command, args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args
	}
	command := root
	descend := true // no argument of the command was met yet
	path, rest := []string{}, []string{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			next := child(command, arg)
			if command == root && descend && cli.IsSteps(arg) {
				path, command, descend = []string{"run"}, child(root, "run"), false
			}
			if descend && next != nil {
				path, command = append(path, arg), next
				continue
			}
			descend = false
			rest = append(rest, arg)
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		spelled := "--" + name
		if len(name) == 1 {
			spelled = "-" + name
		}
		if given {
			spelled += "=" + value
		}
		rest = append(rest, spelled)
		if f := flagNamed(command, name); !given && f != nil && f.NoOptDefVal == "" && i+1 < len(args) {
			i++
			rest = append(rest, args[i]) // its value, whatever it looks like
		}
	}
	return append(path, rest...)
}

// child is the command of that name below c, nil for none.
func child(c *cobra.Command, name string) *cobra.Command {
	for _, s := range c.Commands() {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// flagNamed is the flag of that name: of the command, or of one below it, as flags may
// come before the verb that they belong to.
func flagNamed(c *cobra.Command, name string) *pflag.Flag {
	if f := c.Flag(name); f != nil {
		return f
	}
	if len(name) == 1 {
		if f := c.Flags().ShorthandLookup(name); f != nil {
			return f
		}
	}
	for _, s := range c.Commands() {
		if f := flagNamed(s, name); f != nil {
			return f
		}
	}
	return nil
}

// flagError describes what is wrong with a flag, in our words.
func flagError(c *cobra.Command, err error) error {
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	path := c.CommandPath()
	name := cli.PathOf(c)
	if !c.HasParent() {
		name = "flags"
	}
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		typed := unknown.GetSpecifiedName()
		if _, err := os.Stat("-" + typed); err == nil {
			return cli.Usagef("%s: unknown flag -%s: write ./-%[2]s for the file of that name", name, typed)
		}
		near := &cobra.Command{SuggestionsMinimumDistance: 1 + len(typed)/6}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			near.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		})
		var flags []string
		if len(typed) > 1 {
			for _, n := range near.SuggestionsFor(typed) {
				flags = append(flags, "--"+n)
			}
		}
		return cli.Usagef("%s: unknown flag %s: %s%s --help lists its flags", name, dashed(typed), cli.Meant(flags),
			path)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return cli.Usagef("%s: %s %q: %s", name, dashed(f.Name), invalid.GetValue(), kindOf(f, err))
	case errors.As(err, &missing):
		return cli.Usagef("%s: %s needs a value: see %s --help", name, dashed(missing.GetSpecifiedName()), path)
	}
	return cli.Usagef("%s: %v: see %s --help", name, err, path)
}

// kindOf says what kind of value a flag takes, for one that was given another: err is why it is refused.
func kindOf(f *pflag.Flag, err error) string {
	switch f.Value.Type() {
	case "duration":
		return "write a time with its unit, such as 5s or 300ms"
	case "bool":
		return "write true or false"
	case "float64":
		return "write a number"
	case "int", "int64":
		return "write a whole number"
	case "uint", "uint16", "uint64":
		return "write a whole number from 0 on"
	}
	return innermost(err).Error()
}

// dashed is a flag as it is written.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
