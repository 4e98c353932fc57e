package main

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/spf13/cobra"
)

// about is what this program is made of, and what it works with.
type about struct {
	Version string   `json:"version"`
	Commit  string   `json:"commit,omitempty"`  // "" where it was not built in a clone
	Changed bool     `json:"changed,omitempty"` // there were changes beside the commit
	Go      string   `json:"go"`
	System  string   `json:"system"` // as in GOOS/GOARCH
	Chrome  struct { // the browser that a command would start
		Path    string `json:"path,omitempty"`
		Version string `json:"version,omitempty"`
		Error   string `json:"error,omitempty"` // why there is none
	} `json:"chrome"`
	Capture string `json:"capture"` // the schema of captures
}

// aboutProgram gathers it. Chrome is asked for its version, which takes a moment.
func aboutProgram(ctx context.Context, a *cli.App) about {
	v := about{Version: cli.Version, Commit: commit, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH,
		Capture: snapshot.Schema}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = cmp.Or(v.Commit, s.Value)
			case "vcs.modified":
				v.Changed = s.Value == "true"
			}
		}
	}
	path, err := browser.Find(a.Chrome)
	if err == nil {
		v.Chrome.Path = path
		v.Chrome.Version, err = browser.Product(ctx, path)
		v.Chrome.Version = text.Line(v.Chrome.Version)
	}
	if err != nil {
		v.Chrome.Error = err.Error()
	}
	return v
}

// versionCommand prints the version.
func versionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "the version of this program, of Go and of Chrome", Args: cli.Between(0, 0, ""),
		Example: "  refscopectl version --json",
		RunE: func(c *cobra.Command, _ []string) error {
			v := aboutProgram(c.Context(), a)
			if a.JSON {
				return a.PrintJSON(v)
			}
			from := cmp.Or(v.Commit, "unknown")
			if v.Changed {
				from += ", with changes"
			}
			chrome := v.Chrome.Version + ", " + v.Chrome.Path
			if v.Chrome.Error != "" {
				chrome = v.Chrome.Error
			}
			return a.Printf("%s\ncommit    %s\ngo        %s %s\nchrome    %s\ncaptures  %s\n", cli.Tool(),
				from, v.Go, v.System,
				chrome, v.Capture)
		},
	}
}
