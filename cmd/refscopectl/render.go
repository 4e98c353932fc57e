package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/css"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/tokens"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// textFlags describe how a capture becomes text: snap, tokens, audit, why and whatif share them. All but --root are
// declared in [format.Settings].
type textFlags struct {
	options format.Options
	root    string
	flags   *pflag.FlagSet
	counter tokens.Counter
}

func (f *textFlags) register(c *cobra.Command) {
	f.flags = pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, s := range format.Settings() {
		what := s.What
		if s.Formats != nil {
			what = strings.Join(strs(s.Formats), ", ") + ": " + what
		}
		switch at := s.At(&f.options).(type) {
		case *bool:
			f.flags.BoolVar(at, s.Name, false, what)
		case *int:
			f.flags.IntVar(at, s.Name, 0, what)
		case *float64:
			f.flags.Float64Var(at, s.Name, 0, what)
		case *string:
			if s.On != "" {
				f.flags.BoolFunc(s.Name, what, func(value string) error {
					on, err := strconv.ParseBool(value)
					if *at = ""; on {
						*at = s.On
					}
					return err
				})
				continue
			}
			f.flags.StringVar(at, s.Name, strings.Join(s.Choices[:min(1, len(s.Choices))], ""), what)
		}
	}
	f.flags.StringVar(&f.root, "root", "",
		"aria: print only that part: `body|role=NAME|CSS`; without it the page, and with --compat main where there "+
			"is one")
	addSection(c, "How the capture becomes text", f.flags)
	for _, s := range format.Settings() {
		if s.Choices != nil {
			completeFlag(c, s.Name, s.Choices...)
		}
	}
	completeFlag(c, "root", "body", "role=main")
}

// check reports what no capture could make right, for a command that writes these formats.
func (f *textFlags) check(command string, formats ...dump.Format) error {
	for _, s := range format.Settings() {
		if !f.flags.Changed(s.Name) {
			continue
		}
		if err := s.Check(&f.options, formats...); err != nil {
			return usagef("%s: %v", command, err)
		}
	}
	if f.root == "" {
		return nil
	}
	if len(formats) > 0 && !slices.Contains(formats, format.Aria) {
		return usagef("%s: --root changes nothing in %s: it belongs to aria", command,
			strings.Join(strs(formats), ", "))
	}
	if f.root != "body" && !strings.HasPrefix(f.root, "role=") {
		if _, err := css.Parse(f.root); err != nil {
			return usagef("%s: --root: %v", command, err)
		}
	}
	return nil
}

// changed is a flag that was given, "" for none.
func (f *textFlags) changed() (name string) {
	f.flags.VisitAll(func(flag *pflag.Flag) { // who parses them is another set, and the flags are shared
		if flag.Changed {
			name = flag.Name
		}
	})
	return name
}

// of are the options for one capture.
func (f *textFlags) of(c *snapshot.Capture) (format.Options, error) {
	o := f.options
	if o.MaxTokens > 0 || o.Query != "" {
		o.CountTokens = f.counter.Count
	}
	var err error
	o.Aria.Root, err = rootOf(c, f.root)
	return o, err
}

// rootOf is the element that --root names, nil for none.
func rootOf(c *snapshot.Capture, root string) (*int, error) {
	if root == "" || root == "body" || strings.HasPrefix(root, "role=") {
		return aria.Root(c, root)
	}
	sel, err := css.Parse(root)
	if err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	for _, n := range sel.All(css.NewTree(c)) {
		i := n.I
		return &i, nil
	}
	return nil, fmt.Errorf("--root %q: nothing on the page matches it", root)
}

// render makes text of a capture.
func (f *textFlags) render(c *snapshot.Capture, name string) (*dump.Document, error) {
	o, err := f.of(c)
	if err != nil {
		return nil, err
	}
	return format.Render(c, dump.Format(name), o)
}

// plainFormats reads the formats that a flag names, with commas between them; flag is what an error begins with.
func plainFormats(flag, names string) ([]dump.Format, error) {
	var out []dump.Format
	for name := range strings.SplitSeq(names, ",") {
		if !slices.Contains(format.Plain(), dump.Format(name)) {
			return nil, usagef("%s %q: choose from %s", flag, name, strings.Join(strs(format.Plain()), ","))
		}
		out = append(out, dump.Format(name))
	}
	return out, nil
}

// formatList are the names of the formats, those of more after them.
func formatList(more ...string) []string { return append(strs(format.Names()), more...) }

// formatNames are the formats as a flag's help lists them.
func formatNames(more ...string) string { return strings.Join(formatList(more...), " | ") }

// strs are names of any kind as strings.
func strs[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}

// named are the formats of those names.
func named(names []string) []dump.Format {
	out := make([]dump.Format, len(names))
	for i, name := range names {
		out[i] = dump.Format(name)
	}
	return out
}

// isFormat reports whether there is a text format of that name.
func isFormat(name string) bool { return slices.Contains(format.Names(), dump.Format(name)) }

// checkFormat refuses a format that cannot be rendered with the options.
func checkFormat(command, name string, o format.Options) error {
	if !isFormat(name) {
		return usagef("%s: unknown format %q: choose from %s", command, name, formatNames())
	}
	if name == string(format.Filtered) && o.Query == "" {
		return usagef("%s: --format filtered needs --query TEXT", command)
	}
	return nil
}
