package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/device"
	"github.com/refscope/refscope/cmd/refscopectl/cli"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/spf13/cobra"
)

// topic is a page of help that belongs to no command.
type topic struct {
	name, short string
	text        func(a *cli.App) string
}

// topics are the pages of help beside those of commands.
func topics() []topic {
	return []topic{
		{"environment", "variables, the file of settings, and where things lie", environmentHelp},
		{"exit-codes", "what the exit status means", func(*cli.App) string { return exitHelp }},
		{"formats", "the text formats, and the settings that each knows", formatsHelp},
		{"targets", "what a TARGET can be", func(*cli.App) string { return cli.TargetHelp + "\n\n" + deviceHelp() }},
	}
}

const exitHelp = `  0    all is well; a page that never comes to rest is well too
  1    it ran and something failed: a step, a check, a page that broke
  2    a wrong call: the line on standard error says what to write
  130  interrupted by Ctrl-C (143 by SIGTERM)

Errors are one line on standard error. With --json they are {"schema":"refscope.error/1","status":"error",
"error":{"type","message"}} on standard output. What a command prints with --json is JSON, ` +
	`one document on each line, whose
member schema names its shape. run always prints one JSON object on standard output.`

func deviceHelp() string {
	const width = 100
	lines := []string{"--viewport takes WIDTHxHEIGHT in CSS px, such as 1280x720, or a device, a phone or tablet also",
		"with -landscape behind its name:", ""}
	for _, name := range device.Names() {
		last := &lines[len(lines)-1]
		switch {
		case strings.HasSuffix(name, "-landscape"):
		case *last == "":
			*last = name
		case len(*last)+len(name)+2 > width:
			*last += ","
			lines = append(lines, name)
		default:
			*last += ", " + name
		}
	}
	return strings.Join(lines, "\n")
}

func environmentHelp(a *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A flag beats its variable, and the variable beats the file of settings, %s,\n", configFile())
	b.WriteString("which refscopectl config list | get | set shows and changes.\n\n")
	for _, f := range keptFlags(a.Tree) {
		fmt.Fprintf(&b, "  %-26s --%s\n", variableOf(f.Name), f.Name)
	}
	b.WriteString(`
  REFSCOPE_CHROME_FLAGS      further flags for a browser that is started, as a shell splits them
  CHROME_PATH                the Chrome to start where --chrome and REFSCOPE_CHROME name none
  REFSCOPE_MCP_TOKEN         the bearer token of mcp --http
  REFSCOPE_READ_TWICE        set, a page is read also where the texts of a capture before ` +
		`would be given again, and both compared
  CDP_METRICS_FILE           run appends a line about each call to this file
  NO_COLOR, CLICOLOR=0       no colours on a terminal; CLICOLOR_FORCE=1 has them in a file too
  REFSCOPE_PAGER, PAGER      shows what is longer than the terminal; less where both are unset, cat for none
  OPENAI_API_KEY and the like: ask reads the vendor's own variable, else the keyring (refscopectl key)`)
	return b.String()
}

func formatsHelp(a *cli.App) string {
	var b strings.Builder
	for _, name := range format.Names() {
		var known []string
		for _, s := range format.Settings() {
			if s.Formats != nil && s.Knows(name) {
				known = append(known, "--"+s.Name)
			}
		}
		fmt.Fprintf(&b, "  %-12s %s\n", name, strings.Join(known, " "))
	}
	b.WriteString("\nEvery format knows --max-chars, --max-nodes, --max-tokens and --query. capture, of snap, is the " +
		"capture itself.")
	return b.String()
}

// helpCommand explains a command or a topic.
func helpCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use: "help [COMMAND | TOPIC]", Short: "explain a command or a topic",
		Example: "  refscopectl help session note\n  refscopectl help environment",
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if at, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
				for _, s := range at.Commands() {
					names = append(names, cobra.CompletionWithDesc(s.Name(), s.Short))
				}
			}
			if len(args) == 0 {
				for _, t := range topics() {
					names = append(names, cobra.CompletionWithDesc(t.name, t.short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error { return explain(a, c.Root(), args) },
	}
	var list strings.Builder
	for _, t := range topics() {
		fmt.Fprintf(&list, "  %-12s  %s\n", t.name, t.short)
	}
	c.Long = "Topics:\n" + strings.TrimRight(list.String(), "\n")
	return c
}

// explain prints the help of a command, or a topic.
func explain(a *cli.App, root *cobra.Command, args []string) error {
	if len(args) == 1 {
		all := topics()
		i := slices.IndexFunc(all, func(t topic) bool { return t.name == args[0] })
		switch {
		case i >= 0 && a.JSON:
			return a.PrintJSON(map[string]any{"schema": cli.HelpShape, "topic": all[i].name, "short": all[i].short,
				"text": all[i].text(a)})
		case i >= 0:
			return a.Show(root.Context(), fmt.Sprintf("%s: %s\n\n%s\n", all[i].name, all[i].short, all[i].text(a)),
				cli.PaintHelp)
		}
	}
	at := root
	for i, word := range args {
		next := child(at, word)
		if next == nil {
			return cli.Usagef("help: there is no command or topic %q: %srefscopectl --help lists commands, "+
				"refscopectl help --help topics",
				strings.Join(args[:i+1], " "), cli.Meant(at.SuggestionsFor(word)))
		}
		at = next
	}
	return at.Help()
}
