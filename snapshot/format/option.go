package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/dddk"
)

// Option is a setting of the text formats. Each is declared once, in [Settings]: the flags of the command line, their
// help and completion, and the controls of the window are made from it.
type Option struct {
	Name string // as the command line spells it: max-chars
	What string // one sentence of help; a word in `quotes` names the value
	// Formats are those that know it; nil: every one. A format ignores no setting: [Option.Check] refuses it.
	Formats []dump.Format
	Choices []string // of a text, the default first
	Least   float64  // the smallest value of a number
	// On is the text that a flag without a value stands for; "" for an option that is no such flag.
	On string
	// At is where the value lies: a *bool, *int, *float64 or *string.
	At func(*Options) any
}

// Knows reports whether a text format knows the setting.
func (o *Option) Knows(f dump.Format) bool {
	if o.Formats == nil {
		return slices.Contains(Names(), f)
	}
	return slices.Contains(o.Formats, f)
}

// notPlaywrights are settings of aria that Playwright's spelling has no place for.
var notPlaywrights = []string{"compat", "mark-covered", "max-depth", "link-urls"}

// heeds reports whether a text format that knows the setting heeds it beside the other settings.
func (o *Option) heeds(f dump.Format, options *Options) bool {
	if f == Aria && (o.Name == "boxes" || slices.Contains(notPlaywrights, o.Name)) {
		return options.Aria.Playwright == (o.Name == "boxes")
	}
	return true
}

// Check refuses a value that the setting cannot have, and the setting for formats none of which heed it.
func (o *Option) Check(options *Options, formats ...dump.Format) error {
	if len(formats) > 0 && !slices.ContainsFunc(formats, o.Knows) {
		known := o.Formats
		if known == nil {
			known = Names()
		}
		return fmt.Errorf("--%s changes nothing in %s: it belongs to %s", o.Name, joined(formats), joined(known))
	}
	heeded := func(f dump.Format) bool { return o.Knows(f) && o.heeds(f, options) }
	if len(formats) > 0 && !slices.ContainsFunc(formats, heeded) {
		how := "with"
		if o.Name == "boxes" {
			how = "without"
		}
		return fmt.Errorf("--%s changes nothing in aria %s --playwright", o.Name, how)
	}
	switch v := o.At(options).(type) {
	case *int:
		if float64(*v) < o.Least {
			return fmt.Errorf("--%s %d: choose a number from %g on", o.Name, *v, o.Least)
		}
	case *float64:
		if *v < o.Least || *v > 1 {
			return fmt.Errorf("--%s %g: choose a number from 0 to 1, or %g", o.Name, *v, o.Least)
		}
	case *string:
		if o.Choices != nil && *v != "" && !slices.Contains(o.Choices, *v) {
			return fmt.Errorf("there is no --%s %q: choose from %s", o.Name, *v, strings.Join(o.Choices, " | "))
		}
	}
	return nil
}

func joined(formats []dump.Format) string {
	words := make([]string, len(formats))
	for i, f := range formats {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

// Sets of formats that share a setting.
var (
	semantics = []dump.Format{Semantic, AX}
	repeating = []dump.Format{DDDK, Wraith, Aria, Skeleton, Hybrid, Full}
	originals = []dump.Format{DDDK, Semantic, Aria, Wraith, WraithJSON, DomTool, Skeleton, Hybrid, Full, AX}
)

// settings are all options, in the order of help and of the window.
var settings = []Option{
	{Name: "compat", What: "the original's spelling and losses", Formats: originals,
		At: func(o *Options) any { return &o.Compat }},
	{Name: "max-chars", What: "cut the text at `N` characters; 0 is the format's own limit, -1 none", Least: -1,
		At: func(o *Options) any { return &o.MaxChars }},
	{Name: "max-tokens", What: "cut it at `N` tokens (o200k)", At: func(o *Options) any { return &o.MaxTokens }},
	{Name: "max-nodes", What: "cut it after `N` elements; 0 is the format's own limit, -1 none", Least: -1,
		At: func(o *Options) any { return &o.MaxNodes }},
	{Name: "query", What: "only what is relevant to this `TEXT`", At: func(o *Options) any { return &o.Query }},
	{Name: "summarise-repeats", What: "one line for siblings of a kind after the first 20 of more than 50",
		Formats: repeating, At: func(o *Options) any { return &o.SummariseRepeats }},
	{Name: "mark-covered", What: "name what covers a covered element",
		Formats: append([]dump.Format{WraithJSON}, repeating...), At: func(o *Options) any { return &o.MarkCovered }},
	{Name: "viewport-only", What: "only what is in the visible part of the page",
		Formats: []dump.Format{Aria, Wraith, WraithJSON, DomTool}, At: func(o *Options) any { return &o.ViewportOnly }},
	{Name: "no-viewport-pruning", What: "keep what is outside the visible part",
		Formats: semantics, At: func(o *Options) any { return &o.Semantic.NoViewportPruning }},
	{Name: "min-visible", What: "`SHARE` of an element that must be in view; 0 is 0.66, -1 none", Formats: semantics,
		Least: -1, At: func(o *Options) any { return &o.Semantic.MinVisible }},
	{Name: "keep-containers", What: "keep containers without a visual boundary",
		Formats: []dump.Format{Semantic}, At: func(o *Options) any { return &o.Semantic.KeepContainers }},
	{Name: "no-atomic", What: "list what lies inside links and buttons", Formats: semantics,
		At: func(o *Options) any { return &o.Semantic.NoAtomic }},
	{Name: "long", What: "keys in full, with type, placeholder, href, isInShadow and frameId", Formats: semantics,
		At: func(o *Options) any { return &o.Semantic.Long }},
	{Name: "ids", What: "address elements by number, or as the shipped original does: `numeric|hash`",
		Formats: []dump.Format{DDDK}, Choices: []string{dddk.IDsNumeric, dddk.IDsHash},
		At: func(o *Options) any { return &o.DDDK.IDs }},
	{Name: "no-templates", What: "write repeated patterns out instead of once", Formats: []dump.Format{Full},
		At: func(o *Options) any { return &o.Markup.NoTemplates }},
	{Name: "include-layout", What: "boxes, stacking, groups", Formats: []dump.Format{DomTool},
		At: func(o *Options) any { return &o.DomTool.IncludeLayout }},
	{Name: "detail", What: "how much of the page: `full|interactive|summary`", Formats: []dump.Format{Aria},
		Choices: []string{string(aria.Full), string(aria.Interactive), string(aria.Summary)},
		At:      func(o *Options) any { return (*string)(&o.Aria.Detail) }},
	{Name: "max-depth", What: "`N` levels; 0 is 50, -1 all", Formats: []dump.Format{Aria}, Least: -1,
		At: func(o *Options) any { return &o.Aria.MaxDepth }},
	{Name: "link-urls", What: "links with their addresses, [url=\"…\"]", Formats: []dump.Format{Aria},
		At: func(o *Options) any { return &o.Aria.LinkURLs }},
	{Name: "boxes", What: "elements with their boxes, [box=x,y,w,h] in CSS px, with --playwright",
		Formats: []dump.Format{Aria}, At: func(o *Options) any { return &o.Aria.Boxes }},
	{Name: "no-refs", What: "without refs", Formats: []dump.Format{Aria}, On: aria.ModePlain,
		At: func(o *Options) any { return &o.Aria.Mode }},
	{Name: "playwright", What: "as Playwright's ariaSnapshot spells it", Formats: []dump.Format{Aria},
		At: func(o *Options) any { return &o.Aria.Playwright }},
	{Name: "volatile", What: "include what differs between two captures of an unchanged page, such as times",
		Formats: []dump.Format{Semantic, AX, WraithJSON, DomTool}, At: func(o *Options) any { return &o.Volatile }},
}

// Settings are the options of the text formats.
func Settings() []Option { return settings }

// Setting is the option of that name; nil for none.
func Setting(name string) *Option {
	for i := range settings {
		if settings[i].Name == name {
			return &settings[i]
		}
	}
	return nil
}
