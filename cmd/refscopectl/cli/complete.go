package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/capture/registry"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/spf13/cobra"
)

// CompleteFlag completes a flag's value from a list.
func CompleteFlag(c *cobra.Command, flag string, values ...string) {
	Must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// CompleteFlagBy completes a flag's value from what there is.
func (a *App) CompleteFlagBy(c *cobra.Command, flag string, list func(*App, context.Context, string) []string) {
	Must(c.RegisterFlagCompletionFunc(flag, a.Completer(cobra.ShellCompDirectiveNoFileComp, list)))
}

// Must is for the registration of a completion: it fails where the flag is not there, which
// every run of the program would show.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Completer adapts a list of what there is to cobra.
func (a *App) Completer(d cobra.ShellCompDirective, list func(*App, context.Context,
	string) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		if a.Check() != nil {
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

// Targets completes the arguments of a command that takes targets: tabs, turns, files.
func (a *App) Targets() cobra.CompletionFunc {
	return a.Completer(cobra.ShellCompDirectiveDefault, (*App).CompleteTargets)
}

// First completes only the first argument.
func First(f cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return f(c, args, typed)
	}
}

// Viewports are sizes and devices.
func Viewports() []string { return append([]string{"1280x720", "1920x1080"}, device.Names()...) }

// CompleteSessions are the sessions of the home folder.
func (a *App) CompleteSessions(context.Context, string) []string {
	names, _ := turn.SessionNames(a.Home) // none where there is no folder yet
	return names
}

// CompleteTargets are the tabs, and the last turn of each session, or all turns of the one
// that was typed with its "#".
func (a *App) CompleteTargets(ctx context.Context, typed string) []string {
	var out []string
	if f, err := registry.Open(a.Home).Load(); err == nil {
		for alias := range f.Tabs {
			out = append(out, alias)
		}
	}
	slices.Sort(out)
	chosen, _, all := strings.Cut(typed, "#")
	for _, name := range a.CompleteSessions(ctx, "") {
		if all && name != chosen || !strings.HasPrefix(name, chosen) {
			continue
		}
		turns, _, err := a.Turns(ctx, name)
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

// Turns are the turns of a session of the home folder, and what is damaged of it.
func (a *App) Turns(ctx context.Context, name string) ([]turn.Summary, []turn.Damage, error) {
	store, err := turn.Open(turn.Dir(turn.SessionDir(a.Home, name)))
	if err != nil {
		return nil, nil, err
	}
	defer store.Close()
	return store.List(ctx)
}

// completeDomains are the sites that have a profile.
func (a *App) completeDomains(context.Context, string) []string {
	files, err := a.Profiles().List()
	if err != nil {
		return nil
	}
	var out []string
	for _, f := range files {
		out = append(out, f.Domain)
	}
	return out
}
