package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// shells are those that completion writes for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand prints the script that completes command lines in a shell.
func completionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "the script that completes command lines in your shell",
		Long: `The shell asks refscopectl for what fits, so sessions, tabs, formats, dialects and devices are those
that there are. It is loaded for one shell as the examples show; a file in the shell's own folder of
completions loads it for all.`,
		Example: `  source <(refscopectl completion bash)
  refscopectl completion zsh > "${fpath[1]}/_refscopectl"
  refscopectl completion fish | source
  refscopectl completion powershell | Out-String | Invoke-Expression`,
		Args: between(1, 1, ""), ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return usagef("completion: unknown shell %q: choose from %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// manCommand writes the manual pages.
func manCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "the manual pages of all commands, written to a folder",
		Example: "  refscopectl man ~/.local/share/man/man1",
		Args:    between(1, 1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("man: %s: %w: name a folder that can be written", dir, export.Cause(err))
			}
			header := &doc.GenManHeader{Section: "1", Source: tool(), Manual: "Refscope"}
			if err := doc.GenManTree(c.Root(), header, dir); err != nil {
				return fmt.Errorf("man: %s: %w", dir, export.Cause(err))
			}
			a.remark("the manual pages are in %s: man %s shows the first", dir, filepath.Join(dir, "refscopectl.1"))
			return nil
		},
	}
}

// completeFlag completes a flag's value from a list.
func completeFlag(c *cobra.Command, flag string, values ...string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// completeFlagBy completes a flag's value from what there is.
func (a *app) completeFlagBy(c *cobra.Command, flag string, list func(*app, context.Context, string) []string) {
	must(c.RegisterFlagCompletionFunc(flag, a.completer(cobra.ShellCompDirectiveNoFileComp, list)))
}

// must is for the registration of a completion: it fails where the flag is not there, which
// every run of the program would show.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// completer adapts a list of what there is to cobra.
func (a *app) completer(d cobra.ShellCompDirective, list func(*app, context.Context,
	string) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if a.check() != nil {
			return nil, d
		}
		ctx := c.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second) // a person waits
		defer cancel()
		return list(a, ctx, typed), d
	}
}

// targets completes the arguments of a command that takes targets: tabs, turns, files.
func (a *app) targets() cobra.CompletionFunc {
	return a.completer(cobra.ShellCompDirectiveDefault, (*app).completeTargets)
}

// first completes only the first argument.
func first(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return f(c, args, typed)
	}
}

// viewports are sizes and devices.
func viewports() []string { return append([]string{"1280x720", "1920x1080"}, device.Names()...) }

func (a *app) completeSessions(context.Context, string) []string {
	names, _ := turn.SessionNames(a.home) // none where there is no folder yet
	return names
}

// completeTargets are the tabs, and the last turn of each session, or all turns of the one
// that was typed with its "#".
func (a *app) completeTargets(ctx context.Context, typed string) []string {
	var out []string
	if f, err := registry.Open(a.home).Load(); err == nil {
		for alias := range f.Tabs {
			out = append(out, alias)
		}
	}
	slices.Sort(out)
	chosen, _, all := strings.Cut(typed, "#")
	for _, name := range a.completeSessions(ctx, "") {
		if all && name != chosen || !strings.HasPrefix(name, chosen) {
			continue
		}
		turns, _, err := a.turns(ctx, name)
		if err != nil || len(turns) == 0 {
			continue // a damaged session has nothing to offer
		}
		if !all {
			turns = turns[len(turns)-1:]
		}
		for _, t := range turns {
			out = append(out, cobra.CompletionWithDesc(fmt.Sprintf("%s#%d", name, t.N), t.Title))
		}
	}
	return out
}

// turns are the turns of a session of the home folder, and what is damaged of it.
func (a *app) turns(ctx context.Context, name string) ([]turn.Summary, []turn.Damage, error) {
	store, err := turn.Open(turn.Dir(turn.SessionDir(a.home, name)))
	if err != nil {
		return nil, nil, err
	}
	defer store.Close()
	return store.List(ctx)
}

// completeDomains are the sites that have a profile.
func (a *app) completeDomains(context.Context, string) []string {
	files, err := a.profiles().List()
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range files {
		out = append(out, f.Domain)
	}
	return out
}
