package cli

import (
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/target"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// openingFlags are the global flags that say how a page is opened. Those that name the browser are not among them, such
// as --attach and --chrome: they hold for when one is needed, and decide nothing of an answer.
var openingFlags = []string{"fresh", "headed", "session", "timeout", "viewport"}

// pageless are the commands that open no page, with the flags of [openingFlags] that they heed nevertheless. A family
// stands for its verbs.
var pageless = map[string][]string{
	"batch merge": nil, "batch report": nil, "compare": nil, "completion": nil, "dataset check": nil, "doctor": nil,
	"browser": {"timeout"},
	"config":  openingFlags, // it prints what holds for the other commands
	"key":     nil, "man": nil, "session": nil, "session import": {"session"},
	"session label": {"timeout"}, "session note": {"timeout"}, "skill": nil, "version": nil,
	"profile diff": nil, "profile history": nil, "profile import": nil, "profile lint": nil, "profile list": nil,
	"profile path": nil, "profile restore": nil, "profile show": nil, "profile write": nil,
}

// CheckPageFlags refuses flags about the opening and the capture of a page where the command, with these arguments,
// captures none. Only what was typed is meant: a variable, or a line of the file of settings, holds for the calls
// that it fits.
func (a *App) CheckPageFlags(c *cobra.Command, args, typed []string) error {
	if len(typed) == 0 {
		return nil
	}
	path := PathOf(c)
	heeded, none := pageless[path]
	if !none {
		family, _, _ := strings.Cut(path, " ")
		heeded, none = pageless[family]
	}
	if none {
		for _, name := range typed {
			if !slices.Contains(heeded, name) {
				return Usagef("%s: --%s changes nothing: no page is opened: leave it out", path, name)
			}
		}
		return nil
	}
	named := targetsIn(c.Use, args)
	if len(named) == 0 || slices.ContainsFunc(named, func(name string) bool { return !a.isRecorded(name) }) {
		return nil
	}
	return Usagef("%s: --%s changes nothing: %s was captured before: leave it out, or name the page itself", path,
		typed[0], named[0])
}

// isRecorded reports whether a target is a capture that there is already, or a session of them.
func (a *App) isRecorded(name string) bool {
	switch t, err := target.Parse(a.Home, name); {
	case err == nil && t.Recorded():
		return true
	case err == nil && t.Kind == target.TabKind: // its session may have the same name
		return false
	}
	s, err := a.OpenSession(name)
	if err != nil {
		return false
	}
	_ = s.Close() // nothing was written
	return true
}

// How flags of a command stand to each other, as annotations of a flag: see [needs], [alone] and [OfPages].
const (
	needsKey = "needs"
	aloneKey = "alone"
)

// Needs notes that a flag changes nothing unless one of the others is given.
func Needs(c *cobra.Command, name string, others ...string) {
	Must(c.Flags().SetAnnotation(name, needsKey, others))
}

// Alone notes that a flag makes the command print something and end, so that beside it no other flag of the command
// changes anything but these.
func Alone(c *cobra.Command, name string, but ...string) {
	Must(c.Flags().SetAnnotation(name, aloneKey, but))
}

// CheckBeside refuses flags that change nothing beside the others.
func CheckBeside(c *cobra.Command) (err error) {
	path := PathOf(c)
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || err != nil {
			return
		}
		if others := f.Annotations[needsKey]; len(others) > 0 && !slices.ContainsFunc(others, c.Flags().Changed) {
			err = Usagef("%s: --%s changes nothing without --%s: add it, or leave --%s out", path, f.Name,
				strings.Join(others, " or --"), f.Name)
		}
		if but, is := f.Annotations[aloneKey]; is && f.Value.String() != "false" {
			c.LocalNonPersistentFlags().VisitAll(func(other *pflag.Flag) {
				if other.Changed && other != f && !slices.Contains(but, other.Name) {
					err = Usagef("%s: --%s changes nothing beside --%s: leave one of them out", path, other.Name,
						f.Name)
				}
			})
		}
	})
	return err
}

// pageKey is the annotation of flags about the capture of a page that have no section of their own in the help.
const pageKey = "page"

// OfPages notes that these flags are about the capture of a page, and change nothing of one that was captured before.
func OfPages(c *cobra.Command, names ...string) {
	for _, name := range names {
		Must(c.Flags().SetAnnotation(name, pageKey, nil))
	}
}

// TypedPageFlags are the flags of a command line that are about opening and capturing a page.
func TypedPageFlags(c *cobra.Command) (names []string) {
	c.Flags().Visit(func(f *pflag.Flag) {
		_, page := f.Annotations[pageKey]
		if page || slices.Contains(openingFlags, f.Name) || slices.Contains(f.Annotations[sectionKey], captureSection) {
			names = append(names, f.Name)
		}
	})
	return names
}

// PathOf is a command without the program's name: "session list".
func PathOf(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), "refscopectl ") }

// targetsIn are the arguments in the places that the use line calls a target or a turn.
func targetsIn(use string, args []string) (out []string) {
	for i, word := range strings.Fields(use)[1:] {
		word, more := strings.CutSuffix(strings.Trim(word, "[]"), "…")
		switch {
		case strings.HasPrefix(word, "-"), i >= len(args):
			return out
		case word != "TURN" && word != "A" && word != "B" && !strings.HasPrefix(word, "TARGET"):
		case more:
			return append(out, args[i:]...)
		default:
			out = append(out, args[i])
		}
	}
	return out
}
