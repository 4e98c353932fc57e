package main

import (
	"fmt"
	"slices"
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

// textFlags describe how a capture becomes text: snap, tokens, audit, why and whatif share them.
type textFlags struct {
	options format.Options
	detail  string
	root    string
	plain   bool // aria without refs
	ids     string
	counter tokens.Counter
}

func (f *textFlags) register(c *cobra.Command) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o := &f.options
	fs.BoolVar(&o.Compat, "compat", false, "the original's spelling and losses")
	fs.IntVar(&o.MaxChars, "max-chars", 0, "cut the text at `N` characters; 0 is the format's own limit, -1 none")
	fs.IntVar(&o.MaxTokens, "max-tokens", 0, "cut it at `N` tokens (o200k)")
	fs.IntVar(&o.MaxNodes, "max-nodes", 0, "cut it after `N` elements; 0 is the format's own limit, -1 none")
	fs.StringVar(&o.Query, "query", "", "only what is relevant to this `TEXT`")
	fs.BoolVar(&o.SummariseRepeats, "summarise-repeats", false,
		"one line for siblings of a kind after the first 20 of more than 50")
	fs.BoolVar(&o.MarkCovered, "mark-covered", false, "name what covers a covered element")
	fs.BoolVar(&o.ViewportOnly, "viewport-only", false,
		"aria, wraith, domtool: only what is in the visible part of the page")
	fs.BoolVar(&o.Semantic.NoViewportPruning, "no-viewport-pruning", false,
		"semantic: keep what is outside the visible part")
	fs.Float64Var(&o.Semantic.MinVisible, "min-visible", 0,
		"semantic: `SHARE` of an element that must be in view; 0 is 0.66, -1 none")
	fs.BoolVar(&o.Semantic.KeepContainers, "keep-containers", false, "semantic: keep containers without a visual boundary")
	fs.BoolVar(&o.Semantic.NoAtomic, "no-atomic", false, "semantic: list what lies inside links and buttons")
	fs.BoolVar(&o.Semantic.Long, "long", false,
		"semantic: keys in full, with type, placeholder, href, isInShadow and frameId")
	fs.StringVar(&f.ids, "ids", "numeric",
		"dddk: `numeric|hash`, as the seed or as the shipped original addresses elements")
	fs.BoolVar(&o.Markup.NoTemplates, "no-templates", false, "full: write repeated patterns out instead of once")
	fs.BoolVar(&o.DomTool.IncludeLayout, "include-layout", false, "domtool: boxes, stacking, groups")
	fs.StringVar(&f.detail, "detail", "full", "aria: `full|interactive|summary`")
	fs.StringVar(&f.root, "root", "",
		"aria: print only that part: `body|role=NAME|CSS`; without it the page, and with --compat main where there is one")
	fs.IntVar(&o.Aria.MaxDepth, "max-depth", 0, "aria: `N` levels; 0 is 50, -1 all")
	fs.BoolVar(&o.Aria.LinkURLs, "link-urls", false, "aria: links with their addresses, [url=\"…\"]")
	fs.BoolVar(&o.Aria.Boxes, "boxes", false, "aria --playwright: elements with their boxes, [box=x,y,w,h] in CSS px")
	fs.BoolVar(&o.Volatile, "volatile", false,
		"also what differs between two captures of an unchanged page: times (semantic, domtool, and in snap always "+
			"wraith-json)")
	fs.BoolVar(&f.plain, "no-refs", false, "aria: without refs")
	fs.BoolVar(&o.Aria.Playwright, "playwright", false, "aria: as Playwright's ariaSnapshot spells it")
	addSection(c, "How the capture becomes text", fs)
	completeFlag(c, "detail", "full", "interactive", "summary")
	completeFlag(c, "ids", "numeric", "hash")
	completeFlag(c, "root", "body", "role=main")
}

// check reports what no capture could make right.
func (f *textFlags) check(command string) error {
	if !slices.Contains([]string{"full", "interactive", "summary"}, f.detail) {
		return usagef("%s: there is no --detail %q: choose from full | interactive | summary", command, f.detail)
	}
	if f.ids != "numeric" && f.ids != "hash" {
		return usagef("%s: there are no --ids %q: choose from numeric | hash", command, f.ids)
	}
	if f.root != "" && f.root != "body" && !strings.HasPrefix(f.root, "role=") {
		if _, err := css.Parse(f.root); err != nil {
			return usagef("%s: --root: %v", command, err)
		}
	}
	return nil
}

// of are the options for one capture.
func (f *textFlags) of(c *snapshot.Capture) (format.Options, error) {
	o := f.options
	o.DDDK.HashIDs = f.ids == "hash"
	o.Aria.Detail = aria.Detail(f.detail)
	if f.plain {
		o.Aria.Mode = aria.ModePlain
	}
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

// isFormat reports whether there is a text format of that name.
func isFormat(name string) bool { return slices.Contains(format.Names(), dump.Format(name)) }

// checkFormat refuses a format that cannot be rendered with the options.
func checkFormat(command, name string, o format.Options) error {
	if !isFormat(name) {
		return usagef("%s: there is no format %q: choose from %s", command, name, formatNames())
	}
	if name == string(format.Filtered) && o.Query == "" {
		return usagef("%s: --format filtered wants --query TEXT", command)
	}
	return nil
}
