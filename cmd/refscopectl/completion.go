package main

import (
	"fmt"
	"github.com/spf13/cobra/doc"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/spf13/cobra"
)

// shells are those that completion writes for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// completionCommand prints the script that completes command lines in a shell.
func completionCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "the script that completes command lines in your shell",
		Long: `The shell asks refscopectl for what fits, so sessions, tabs, formats, dialects and devices are those
that there are. It is loaded for one shell as the examples show; a file in the shell's own folder of
completions loads it for all.`,
		Example: `  source <(refscopectl completion bash)
  refscopectl completion zsh > "${fpath[1]}/_refscopectl"
  refscopectl completion fish | source
  refscopectl completion powershell | Out-String | Invoke-Expression`,
		Args: cli.Between(1, 1, ""), ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.Stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.Stdout)
			case "fish":
				return root.GenFishCompletion(a.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.Stdout)
			}
			return cli.Usagef("completion: unknown shell %q: choose from %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// manCommand writes the manual pages.
func manCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "the manual pages of all commands, written to a folder",
		Example: "  refscopectl man ~/.local/share/man/man1",
		Args:    cli.Between(1, 1, ""),
		RunE: func(c *cobra.Command, args []string) error {
			dir := args[0]
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("man: %s: %w: name a folder that can be written", dir, export.Cause(err))
			}
			header := &doc.GenManHeader{Section: "1", Source: cli.Tool(), Manual: "Refscope"}
			if err := doc.GenManTree(c.Root(), header, dir); err != nil {
				return fmt.Errorf("man: %s: %w", dir, export.Cause(err))
			}
			a.Remark("the manual pages are in %s: man %s shows the first", dir, filepath.Join(dir, "refscopectl.1"))
			return nil
		},
	}
}
