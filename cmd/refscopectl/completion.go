package main

import (
	"bytes"
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
			var script bytes.Buffer
			root, err := c.Root(), error(nil)
			switch args[0] {
			case "bash":
				err = root.GenBashCompletionV2(&script, true)
			case "zsh":
				err = root.GenZshCompletion(&script)
			case "fish":
				err = root.GenFishCompletion(&script, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&script)
			default:
				err = cli.Usagef("completion: unknown shell %q: choose from %s", args[0], strings.Join(shells, ", "))
			}
			if err == nil && a.JSON {
				return a.PrintJSON(map[string]any{"shell": args[0], "script": script.String()})
			}
			if err == nil {
				_, err = a.Stdout.Write(script.Bytes())
			}
			return err
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
			if a.JSON {
				return a.PrintJSON(map[string]any{"status": "ok", "dir": dir})
			}
			a.Remark("the manual pages are in %s: man %s shows the first", dir, filepath.Join(dir, "refscopectl.1"))
			return nil
		},
	}
}
