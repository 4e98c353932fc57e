package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/trace"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The groups of the help, in the order of the help.
const (
	groupFirst = "first" // what one sees first
	groupDaily = "daily" // what one needs daily
	groupRare  = "rare"
)

// root makes the tree of commands.
func (a *app) root() *cobra.Command {
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
		RunE:              func(c *cobra.Command, args []string) error { return a.withoutCommand(c, args) },
	}
	root.PersistentPreRunE = func(c *cobra.Command, args []string) error {
		typed := typedPageFlags(c) // before variables and the file give their values
		a.shape = shapeOf(strings.TrimPrefix(c.CommandPath(), "refscopectl "))
		if a.traceFile != "" {
			a.recorder = trace.New()
			c.SetContext(a.recorder.In(c.Context()))
		}
		if err := defaults(c); err != nil {
			return err
		}
		if err := a.check(); err != nil {
			return err
		}
		if err := checkBeside(c); err != nil {
			return err
		}
		return a.checkPageFlags(c, args, typed)
	}
	a.tree, root.Version = root, version
	root.SetVersionTemplate(tool() + "\n")
	root.InitDefaultVersionFlag()
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.help(c) })
	a.register(root.PersistentFlags())
	completeFlag(root, "viewport", viewports()...)
	a.completeFlagBy(root, "session", (*app).completeSessions)
	root.AddGroup(&cobra.Group{ID: groupFirst, Title: "Start with"}, &cobra.Group{ID: groupDaily, Title: "Daily work"},
		&cobra.Group{ID: groupRare, Title: "Rarely needed"})
	for _, group := range []struct {
		id       string
		commands []func(*app) *cobra.Command
	}{
		{groupFirst, []func(*app) *cobra.Command{snapCommand, markCommand, turnCommand, whyCommand, runCommand,
			sessionCommand}},
		{groupDaily, []func(*app) *cobra.Command{
			auditCommand, networkCommand, batchCommand, tokensCommand, findCommand, diffCommand,
			compareCommand, whatIfCommand,
			payloadCommand, goldenCommand, datasetCommand, profileCommand, tapCommand, doctorCommand,
			workerCommand, askCommand,
			mcpCommand, taskCommand, browserCommand,
		}},
		{groupRare, []func(*app) *cobra.Command{configCommand, keyCommand, skillCommand, completionCommand, manCommand,
			versionCommand}},
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
func (a *app) dispatch(ctx context.Context, args []string) error {
	root := a.root()
	root.SetArgs(canonical(root, args))
	defer a.tidy()
	c, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = a.helpErr
	}
	err = inCommand(c, err)
	if a.pool != nil {
		if err := a.pool.Close(); err != nil {
			a.log().Debug("leaving the browsers", "error", err)
		}
	}
	return errors.Join(err, a.writeTrace())
}

// inCommand begins an error with the command that it is of, where it does not name it already.
func inCommand(c *cobra.Command, err error) error {
	if _, own := errors.AsType[exitCode](err); err == nil || own || errors.Is(err, errReported) || !c.HasParent() {
		return err
	}
	path := strings.TrimPrefix(c.CommandPath(), "refscopectl ")
	family, _, _ := strings.Cut(path, " ")
	for _, name := range []string{path + ":", path + " ", family + ":"} {
		if strings.HasPrefix(err.Error(), name) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// writeTrace writes the file of --trace, also of a command that failed.
func (a *app) writeTrace() error {
	if a.recorder == nil {
		return nil
	}
	if a.traced == nil {
		var err error
		if a.traced, err = perfetto(a.recorder); err != nil {
			return err
		}
	}
	return export.Write(a.traceFile, a.traced)
}

// perfetto is the file of a trace.
func perfetto(r *trace.Recorder) ([]byte, error) {
	var out bytes.Buffer
	err := r.WriteJSON(&out)
	return out.Bytes(), err
}

// withoutCommand runs steps that were piped in; anything else is a wrong call.
func (a *app) withoutCommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unknown command %q: %srefscopectl --help lists them", args[0], meant(c.SuggestionsFor(args[0])))
	}
	if ran, err := a.usesInput(c.Context()); ran {
		return err
	}
	return usagef("no command: refscopectl snap PAGE prints what an agent reads; refscopectl --help lists all commands")
}

// meant is the question that follows a word that was not understood.
func meant(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(words, " or ") + "? "
}

// family is a command of which one has to choose a verb.
func family(use, short, example string, verbs ...*cobra.Command) *cobra.Command {
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
			return usagef("%s: there is no %q: %schoose from %s", c.Name(), args[0], meant(c.SuggestionsFor(args[0])),
				strings.Join(names, ", "))
		}
		return usagef("%s: choose from %s", c.Name(), strings.Join(names, ", "))
	}
	return c
}

// verbs makes the verbs of a family that have flags F in common; each begins with these values.
type verbs[F any] struct {
	app          *app
	family, note string // note describes what the words of the use lines mean
	flags        F
}

func (v verbs[F]) verb(use, short, example string, least, most int, run func(context.Context, []string, *F) error,
	flags ...func(*pflag.FlagSet, *F)) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Example: "  refscopectl " + v.family + " " + example,
		Args: between(least, most, v.note),
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), args, &v.flags) },
	}
	switch {
	case strings.Contains(use, "TARGET"), strings.Contains(use, "SESSION#N"):
		c.ValidArgsFunction = first(v.app.targets())
	case strings.Contains(use, "SESSION"):
		c.ValidArgsFunction = first(v.app.completer(cobra.ShellCompDirectiveDefault, (*app).completeSessions))
	case strings.Contains(use, "DOMAIN"):
		c.ValidArgsFunction = first(v.app.completer(cobra.ShellCompDirectiveDefault, (*app).completeDomains))
	}
	for _, add := range flags {
		add(c.Flags(), &v.flags)
	}
	return c
}

// between accepts that many arguments, -1 as the most for any number. note describes what the
// words of the use line mean.
func between(least, most int, note string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= least && (most < 0 || len(args) <= most) {
			return nil
		}
		name := strings.TrimPrefix(c.CommandPath(), "refscopectl ")
		use := name + strings.TrimPrefix(c.Use, c.Name()) + note
		if len(args) > most && most >= 0 {
			return usagef("%s: unexpected argument %q: write %s", name, args[most], use)
		}
		return usagef("%s: write %s", name, use)
	}
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
			if command == root && descend && isSteps(arg) {
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
	name := strings.TrimPrefix(path, "refscopectl ")
	if !c.HasParent() {
		name = "flags"
	}
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown):
		typed := unknown.GetSpecifiedName()
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
		return usagef("%s: unknown flag %s: %s%s --help lists its flags", name, dashed(typed), meant(flags), path)
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usagef("%s: %s %q: %s", name, dashed(f.Name), invalid.GetValue(), kindOf(f, err))
	case errors.As(err, &missing):
		return usagef("%s: %s needs a value: see %s --help", name, dashed(missing.GetSpecifiedName()), path)
	}
	return usagef("%s: %v: see %s --help", name, err, path)
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

// sectionKey is the annotation that holds a flag's section in the help.
const sectionKey = "section"

// addSection adds flags to a command that are listed below a title of their own in its help.
func addSection(c *cobra.Command, title string, fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{sectionKey: {title}} })
	c.Flags().AddFlagSet(fs)
}

// wide is the width of the help, in columns.
const wide = 110

// help prints what a command does, with an example, and its flags. The global flags are
// explained once, in the help of the program.
func (a *app) help(c *cobra.Command) {
	var b strings.Builder
	if c.HasParent() {
		fmt.Fprintf(&b, "%s: %s\n\nUsage: %s\n", strings.TrimPrefix(c.CommandPath(), "refscopectl "),
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
		fmt.Fprintf(&b, "\n%s\n\nGlobal flags:\n%s", targetHelp, c.PersistentFlags().FlagUsagesWrapped(wide))
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
	_ = a.show(c.Root().Context(), b.String(), paintHelp)
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
