package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/trace"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Perfetto is the file of a trace.
func Perfetto(r *trace.Recorder) ([]byte, error) {
	var out bytes.Buffer
	err := r.WriteJSON(&out)
	return out.Bytes(), err
}

// Meant is the question that follows a word that was not understood.
func Meant(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(words, " or ") + "? "
}

// Family is a command of which one has to choose a verb.
func Family(use, short, example string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Example: example, Args: cobra.ArbitraryArgs,
		SuggestionsMinimumDistance: 2}
	c.AddCommand(verbs...)
	c.RunE = func(c *cobra.Command, args []string) error {
		var names []string
		for _, v := range c.Commands() {
			if !v.Hidden {
				names = append(names, v.Use)
			}
		}
		if len(args) > 0 {
			return Usagef("%s: there is no %q: %schoose from %s", c.Name(), args[0], Meant(c.SuggestionsFor(args[0])),
				strings.Join(names, ", "))
		}
		return Usagef("%s: choose from %s", c.Name(), strings.Join(names, ", "))
	}
	return c
}

// Verbs makes the verbs of a family that have flags F in common; each begins with these values.
type Verbs[F any] struct {
	App          *App
	Family, Note string // note describes what the words of the use lines mean
	Flags        F
}

// Verb is one of them, which takes from least to most arguments; most -1 is any number.
func (v Verbs[F]) Verb(use, short, example string, least, most int, run func(context.Context, *App, []string, *F) error,
	flags ...func(*pflag.FlagSet, *F)) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Example: "  refscopectl " + v.Family + " " + example,
		Args: Between(least, most, v.Note),
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), v.App, args, &v.Flags) },
	}
	switch {
	case strings.Contains(use, "TARGET"), strings.Contains(use, "SESSION#N"):
		c.ValidArgsFunction = First(v.App.Targets())
	case strings.Contains(use, "SESSION"):
		c.ValidArgsFunction = First(v.App.Completer(cobra.ShellCompDirectiveDefault, (*App).CompleteSessions))
	case strings.Contains(use, "DOMAIN"):
		c.ValidArgsFunction = First(v.App.Completer(cobra.ShellCompDirectiveDefault, (*App).completeDomains))
	}
	for _, add := range flags {
		add(c.Flags(), &v.Flags)
	}
	return c
}

// Between accepts that many arguments, -1 as the most for any number. note describes what the
// words of the use line mean.
func Between(least, most int, note string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		name := PathOf(c)
		use := name + strings.TrimPrefix(c.Use, c.Name()) + note
		if len(args) > most && most >= 0 {
			return Usagef("%s: unexpected argument %q: write %s", name, args[most], use)
		}
		return Usagef("%s: write %s", name, use)
	}
}

// sectionKey is the annotation that holds a flag's section in the help.
const sectionKey = "section"

// AddSection adds flags to a command that are listed below a title of their own in its help.
func AddSection(c *cobra.Command, title string, fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{sectionKey: {title}} })
	c.Flags().AddFlagSet(fs)
}

// wide is the width of the help, in columns.
const wide = 110

// Help prints what a command does, with an example, and its flags. The global flags are
// explained once, in the help of the program.
func (a *App) Help(c *cobra.Command) {
	if a.JSON {
		_ = a.PrintJSON(helpOf(c))
		return
	}
	var b strings.Builder
	if c.HasParent() {
		fmt.Fprintf(&b, "%s: %s\n\nUsage: %s\n", PathOf(c),
			c.Short, usageLine(c))
	} else {
		fmt.Fprintf(&b, "refscopectl: %s\n\nUsage: refscopectl [global flags] COMMAND …\n", c.Short)
	}
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Long)
	}
	for _, g := range c.Groups() {
		fmt.Fprintf(&b, "\n%s:\n%s", g.Title, commandLines(c, g.ID))
	}
	if c.HasParent() && c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nChoose from:\n%s", commandLines(c, ""))
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if !c.HasParent() {
		fmt.Fprintf(&b, "\n%s\n\nGlobal flags:\n%s", TargetHelp, c.PersistentFlags().FlagUsagesWrapped(wide))
		b.WriteString("\nrefscopectl COMMAND --help explains a command.\n")
	} else {
		b.WriteString(flagSections(c))
		var global []string
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { global = append(global, "--"+f.Name) })
		b.WriteString("\nGlobal flags, which refscopectl --help explains:\n")
		half := (len(global) + 1) / 2
		for _, line := range [][]string{global[:half], global[half:]} {
			fmt.Fprintf(&b, "  %s\n", strings.Join(line, " "))
		}
		if c.HasAvailableSubCommands() {
			fmt.Fprintf(&b, "\n%s VERB --help explains a verb.\n", c.CommandPath())
		}
	}
	// A help that cannot be written has nobody to tell it to.
	_ = a.Show(c.Root().Context(), b.String(), PaintHelp)
}

// HelpShape is the schema of what help prints with --json.
var HelpShape = ShapeOf("help")

// help is a command as its help describes it, with all commands below it; the global flags are those of the program.
type help struct {
	Schema   string     `json:"schema,omitempty"`
	Command  string     `json:"command"` // as it is called, with the program's name
	Short    string     `json:"short"`
	Usage    string     `json:"usage"`
	Long     string     `json:"long,omitempty"`
	Examples []string   `json:"examples"`
	Flags    []helpFlag `json:"flags"`
	Commands []help     `json:"commands,omitempty"`
}

// helpFlag is a flag of a command.
type helpFlag struct {
	Name      string `json:"name"` // without its dashes
	Shorthand string `json:"shorthand,omitempty"`
	Takes     string `json:"takes,omitempty"` // what its value is, "" for one without
	Default   string `json:"default,omitempty"`
	Section   string `json:"section,omitempty"` // of the help, "" for Flags
	Usage     string `json:"usage"`
}

// helpOf describes a command from its declaration.
func helpOf(c *cobra.Command) help {
	h := commandHelp(c)
	h.Schema = HelpShape
	return h
}

func commandHelp(c *cobra.Command) help {
	h := help{Command: c.CommandPath(), Short: c.Short, Usage: usageLine(c), Long: c.Long, Examples: []string{},
		Flags: []helpFlag{}}
	flags := c.LocalFlags()
	if !c.HasParent() {
		h.Usage, h.Long, flags = "refscopectl [global flags] COMMAND …", TargetHelp, c.PersistentFlags()
	}
	for line := range strings.Lines(c.Example) {
		h.Examples = append(h.Examples, strings.TrimSpace(line))
	}
	flags.VisitAll(func(f *pflag.Flag) {
		one := helpFlag{Name: f.Name, Shorthand: f.Shorthand, Default: f.DefValue}
		one.Takes, one.Usage = pflag.UnquoteUsage(f)
		if s := f.Annotations[sectionKey]; len(s) > 0 {
			one.Section = s[0]
		}
		h.Flags = append(h.Flags, one)
	})
	for _, s := range c.Commands() {
		if !s.Hidden {
			h.Commands = append(h.Commands, commandHelp(s))
		}
	}
	return h
}

// usageLine is how a command is called.
func usageLine(c *cobra.Command) string {
	line := c.CommandPath() + strings.TrimPrefix(c.Use, c.Name())
	if c.HasAvailableLocalFlags() {
		line += " [flags]"
	}
	return line
}

// commandLines list the commands of a group.
func commandLines(c *cobra.Command, group string) string {
	var b strings.Builder
	width := 0
	for _, s := range c.Commands() {
		width = max(width, len([]rune(s.Use)))
	}
	for _, s := range c.Commands() {
		if s.Hidden || s.GroupID != group {
			continue
		}
		name := s.Name()
		if group == "" {
			name = s.Use
		}
		if group != "" {
			width = 10
		}
		fmt.Fprintf(&b, "  %s%s  %s\n", name, strings.Repeat(" ", max(0, width-len([]rune(name)))), s.Short)
	}
	return b.String()
}

// flagSections are the flags of a command below their titles.
func flagSections(c *cobra.Command) string {
	titles := []string{"Flags"}
	sections := map[string]*pflag.FlagSet{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		title := titles[0]
		if s := f.Annotations[sectionKey]; len(s) > 0 {
			title = s[0]
		}
		if sections[title] == nil {
			sections[title] = pflag.NewFlagSet("", pflag.ContinueOnError)
			if title != titles[0] {
				titles = append(titles, title)
			}
		}
		sections[title].AddFlag(f)
	})
	var b strings.Builder
	for _, title := range titles {
		if s := sections[title]; s != nil && s.HasAvailableFlags() {
			fmt.Fprintf(&b, "\n%s:\n%s", title, s.FlagUsagesWrapped(wide))
		}
	}
	return b.String()
}

// IsSteps reports whether a command line is a run without its name.
func IsSteps(arg string) bool { return strings.HasPrefix(strings.TrimSpace(arg), "{") }
