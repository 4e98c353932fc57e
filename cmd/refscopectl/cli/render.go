package cli

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

// TextFlags describe how a capture becomes text: snap, tokens, audit, why and whatif share them. All but --root are
// declared in [format.Settings].
type TextFlags struct {
	Options format.Options
	root    string
	flags   *pflag.FlagSet
	Counter tokens.Counter
}

// Register adds them to a command.
func (f *TextFlags) Register(c *cobra.Command) {
	f.flags = pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, s := range format.Settings() {
		what := s.What
		if s.Formats != nil {
			what = strings.Join(Strings(s.Formats), ", ") + ": " + what
		}
		switch at := s.At(&f.Options).(type) {
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
	AddSection(c, "How the capture becomes text", f.flags)
	for _, s := range format.Settings() {
		if s.Choices != nil {
			CompleteFlag(c, s.Name, s.Choices...)
		}
	}
	CompleteFlag(c, "root", "body", "role=main")
}

// Check reports what no capture could make right, for a command that writes these formats.
func (f *TextFlags) Check(command string, formats ...dump.Format) error {
	for _, s := range format.Settings() {
		if !f.flags.Changed(s.Name) {
			continue
		}
		if err := s.Check(&f.Options, formats...); err != nil {
			return Usagef("%s: %v", command, err)
		}
	}
	if f.root == "" {
		return nil
	}
	if len(formats) > 0 && !slices.Contains(formats, format.Aria) {
		return Usagef("%s: --root changes nothing in %s: it belongs to aria", command,
			strings.Join(Strings(formats), ", "))
	}
	if f.root != "body" && !strings.HasPrefix(f.root, "role=") {
		if _, err := css.Parse(f.root); err != nil {
			return Usagef("%s: --root: %v", command, err)
		}
	}
	return nil
}

// Changed is a flag that was given, "" for none.
func (f *TextFlags) Changed() (name string) {
	f.flags.VisitAll(func(flag *pflag.Flag) { // who parses them is another set, and the flags are shared
		if flag.Changed {
			name = flag.Name
		}
	})
	return name
}

// Of are the options for one capture.
func (f *TextFlags) Of(c *snapshot.Capture) (format.Options, error) {
	o := f.Options
	if o.MaxTokens > 0 || o.Query != "" {
		o.CountTokens = f.Counter.Count
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

// Render makes text of a capture.
func (f *TextFlags) Render(c *snapshot.Capture, name string) (*dump.Document, error) {
	o, err := f.Of(c)
	if err != nil {
		return nil, err
	}
	return format.Render(c, dump.Format(name), o)
}

// PlainFormats reads the formats that a flag names, with commas between them; flag is what an error begins with.
func PlainFormats(flag, names string) ([]dump.Format, error) {
	var out []dump.Format
	for name := range strings.SplitSeq(names, ",") {
		if !slices.Contains(format.Plain(), dump.Format(name)) {
			return nil, Usagef("%s %q: choose from %s", flag, name, strings.Join(Strings(format.Plain()), ","))
		}
		out = append(out, dump.Format(name))
	}
	return out, nil
}

// FormatList are the names of the formats, those of more after them.
func FormatList(more ...string) []string { return append(Strings(format.Names()), more...) }

// FormatNames are the formats as a flag's help lists them.
func FormatNames(more ...string) string { return strings.Join(FormatList(more...), " | ") }

// Strings are names of any kind as strings.
func Strings[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}

// Named are the formats of those names.
func Named(names []string) []dump.Format {
	out := make([]dump.Format, len(names))
	for i, name := range names {
		out[i] = dump.Format(name)
	}
	return out
}

// IsFormat reports whether there is a text format of that name.
func IsFormat(name string) bool { return slices.Contains(format.Names(), dump.Format(name)) }

// CheckFormat refuses a format that cannot be rendered with the options.
func CheckFormat(command, name string, o format.Options) error {
	if !IsFormat(name) {
		return Usagef("%s: unknown format %q: choose from %s", command, name, FormatNames())
	}
	if name == string(format.Filtered) && o.Query == "" {
		return Usagef("%s: --format filtered needs --query TEXT", command)
	}
	return nil
}
