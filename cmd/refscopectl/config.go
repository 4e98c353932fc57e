package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Every global flag that says how one works, rather than what one call does, has a variable and a line in a file. A
// flag beats the variable, the variable the file.

// notKept are global flags that belong to one call.
var notKept = []string{"help", "version", "json", "debug", "trace", "chrome-flag"}

// variableOf is the environment variable of a global flag: REFSCOPE_ATTACH_HEADER of --attach-header.
func variableOf(flag string) string {
	return "REFSCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// keptFlags are the global flags that have a variable and a line in the file, sorted.
func keptFlags(root *cobra.Command) []*pflag.Flag {
	var out []*pflag.Flag
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(notKept, f.Name) {
			out = append(out, f)
		}
	})
	return out
}

// configFile is where the file lies, "" where no folder for it is known.
func configFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "refscope", "config.yaml")
}

// readConfig reads the file: no settings where there is none.
func readConfig() (map[string]string, error) {
	data, err := os.ReadFile(configFile())
	switch {
	case errors.Is(err, fs.ErrNotExist), configFile() == "":
		return map[string]string{}, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", configFile(), export.Cause(err))
	}
	out := map[string]string{}
	if err := yaml.Unmarshal(data, &out); err != nil {
		return nil, cli.Usagef("%s: write NAME: VALUE on each line, as refscopectl config set does: %s", configFile(),
			strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return out, nil
}

// defaults gives the global flags that the command line leaves out the values of their variables, else of the file.
func defaults(c *cobra.Command) error {
	file, err := readConfig()
	if err != nil {
		return err
	}
	known := keptFlags(c.Root())
	for name := range file {
		if !slices.ContainsFunc(known, func(f *pflag.Flag) bool { return f.Name == name }) {
			return cli.Usagef("%s: unknown setting %q: refscopectl config list shows them", configFile(), name)
		}
	}
	for _, f := range known {
		if f.Changed {
			continue
		}
		value, from := os.Getenv(variableOf(f.Name)), "$"+variableOf(f.Name)
		if value == "" {
			value, from = file[f.Name], configFile()+": "+f.Name
		}
		if value == "" {
			continue
		}
		if err := c.Flags().Set(f.Name, value); err != nil {
			return cli.Usagef("%s: %q: %s", from, value, kindOf(f, err))
		}
	}
	return nil
}

// innermost is the cause of an error without what wraps it.
func innermost(err error) error {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err
}

// configCommand shows and changes the file of settings.
func configCommand(a *cli.App) *cobra.Command {
	verb := cli.Verbs[struct{}]{App: a, Family: "config"}.Verb
	c := cli.Family("config VERB", "settings that hold for every call: list, get, set",
		"  refscopectl config set viewport 1440x900\n  refscopectl config list",
		verb("list", "every setting, its value, and where that comes from", "list --json", 0, 0, listConfig),
		verb("get NAME", "the value of a setting", "get viewport", 1, 1, getConfig),
		verb("set NAME [VALUE]", "write a setting into the file; without a value it is taken out",
			"set timeout 60s", 1, 2,
			setConfig))
	c.Long = "A flag beats its environment variable, the variable beats the file. refscopectl help environment lists " +
		"both."
	for _, v := range c.Commands() {
		if v.Name() != "list" {
			v.ValidArgsFunction = cli.First(func(c *cobra.Command, _ []string, _ string) ([]string,
				cobra.ShellCompDirective) {
				var names []string
				for _, f := range keptFlags(c.Root()) {
					names = append(names, f.Name)
				}
				return names, cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	return c
}

// setting is one line of config list.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"` // flag, a variable, a file or default
}

// settingsNow are all settings as they hold for this call.
func settingsNow(a *cli.App) ([]setting, error) {
	file, err := readConfig()
	if err != nil {
		return nil, err
	}
	var out []setting
	for _, f := range keptFlags(a.Tree) {
		s := setting{Name: f.Name, Value: f.Value.String(), From: "default"}
		switch {
		case os.Getenv(variableOf(f.Name)) != "":
			s.From = "$" + variableOf(f.Name)
		case file[f.Name] != "":
			s.From = configFile()
		}
		out = append(out, s)
	}
	return out, nil
}

func listConfig(_ context.Context, a *cli.App, _ []string, _ *struct{}) error {
	all, err := settingsNow(a)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"file": configFile(), "settings": all})
	}
	var lines []string
	for _, s := range all {
		lines = append(lines, fmt.Sprintf("%-14s %-24s %s", s.Name, s.Value, s.From))
	}
	return a.PrintLines(lines)
}

func getConfig(_ context.Context, a *cli.App, args []string, _ *struct{}) error {
	all, err := settingsNow(a)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(s setting) bool { return s.Name == args[0] })
	switch {
	case i < 0:
		return cli.Usagef("config get: unknown setting %q: refscopectl config list shows them", args[0])
	case a.JSON:
		return a.PrintJSON(all[i])
	}
	return a.Printf("%s\n", all[i].Value)
}

func setConfig(_ context.Context, a *cli.App, args []string, _ *struct{}) error {
	name := args[0]
	known := keptFlags(a.Tree)
	i := slices.IndexFunc(known, func(f *pflag.Flag) bool { return f.Name == name })
	if i < 0 {
		return cli.Usagef("config set: unknown setting %q: refscopectl config list shows them", name)
	}
	file, err := readConfig()
	if err != nil {
		return err
	}
	delete(file, name)
	if len(args) == 2 {
		if err := known[i].Value.Set(args[1]); err != nil {
			return cli.Usagef("config set: %s %q: %v", name, args[1], innermost(err))
		}
		if err := a.Check(); err != nil {
			return err
		}
		file[name] = args[1]
	}
	var out bytes.Buffer
	if len(file) > 0 {
		if err := yaml.NewEncoder(&out).Encode(file); err != nil {
			return fmt.Errorf("config set: %w", err)
		}
	}
	if configFile() == "" {
		return errors.New("config set: no folder for settings is known: set XDG_CONFIG_HOME")
	}
	if err := os.MkdirAll(filepath.Dir(configFile()), 0o700); err != nil {
		return fmt.Errorf("config set: %w", err)
	}
	if err := export.WritePrivate(configFile(), out.Bytes()); err != nil || !a.JSON {
		return err
	}
	return a.PrintJSON(map[string]any{"status": "ok", "name": name, "value": file[name], "file": configFile()})
}
