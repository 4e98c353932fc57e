// Package format is the table of the text formats, and [Render], which turns a capture
// into a text in one of them. Each format is a package below this one; what they share
// is package dump. To render several formats of one capture, make a page of it once
// ([NewPage]); [Plain] lists the formats and [Legend] explains one to its reader.
package format

import (
	"fmt"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/format/dddk"
	"github.com/refscope/refscope/snapshot/format/domtool"
	"github.com/refscope/refscope/snapshot/format/markup"
	"github.com/refscope/refscope/snapshot/format/semantic"
	"github.com/refscope/refscope/snapshot/format/wraith"
)

// The formats, spelled as on the command line.
const (
	// DDDK is the indented tree of dotdotduck, the default everywhere.
	DDDK dump.Format = "dddk"
	// Semantic is the minified JSON of what can be operated.
	Semantic dump.Format = "semantic"
	// Aria is the tree of roles and names, in YAML.
	Aria dump.Format = "aria"
	// Wraith is Wraith's flat agent text, one line an element.
	Wraith dump.Format = "wraith"
	// WraithJSON is the same list as JSON: DomSnapshot, DomElement, PageMeta.
	WraithJSON dump.Format = "wraith-json"
	// DomTool is BrowserX's tree of virtual nodes as JSON.
	DomTool dump.Format = "domtool"
	// Filtered is what a query finds on a page that is too large to be given whole.
	Filtered dump.Format = "filtered"
	// Skeleton is minimal HTML of what can be operated.
	Skeleton dump.Format = "skeleton"
	// Hybrid is the text of hybrid mode: a skeleton that goes with a picture.
	Hybrid dump.Format = "hybrid"
	// Full is the whole document as HTML with annotations.
	Full dump.Format = "full"
	// AX is semantic for a capture whose roles and names are Chrome's own.
	AX dump.Format = "ax"
)

// Options are the options of all formats: those that several of them use, and for each
// format its own. A format ignores what it does not use. The zero value is every
// format's default.
type Options struct {
	dump.Common
	DDDK     dddk.Options
	Semantic semantic.Options // semantic, ax and filtered
	Aria     aria.Options
	DomTool  domtool.Options
	Markup   markup.Options // full
}

// Kind is the sort of text of a format, for colours and file names.
type Kind string

// The kinds of text.
const (
	KindLines Kind = "lines" // lines of the format's own grammar
	KindJSON  Kind = "json"
	KindYAML  Kind = "yaml"
	KindHTML  Kind = "html" // dddk's lines with tags are none
)

// row is one of the table of formats.
type row struct {
	Name dump.Format
	Kind Kind

	render func(p *dump.Page, o Options) *dump.Builder
	legend func(o Options) string
}

// table is the table of formats, the default first.
var table = []row{
	{DDDK, KindLines, func(p *dump.Page, o Options) *dump.Builder { return dddk.Render(p, o.Common, o.DDDK) },
		func(o Options) string { return dddk.Legend(o.Common) }},
	{Semantic, KindJSON, func(p *dump.Page, o Options) *dump.Builder {
		return semantic.Render(p, o.Common,
			o.Semantic)
	},
		func(o Options) string { return semantic.Legend(o.Common, o.Semantic) }},
	{Aria, KindYAML, func(p *dump.Page, o Options) *dump.Builder { return aria.Render(p, o.Common, o.Aria) },
		func(o Options) string { return aria.Legend(o.Common, o.Aria) }},
	{Wraith, KindLines, func(p *dump.Page, o Options) *dump.Builder { return wraith.Render(p, o.Common) },
		func(o Options) string { return wraith.Legend(o.Common) }},
	{WraithJSON, KindJSON, func(p *dump.Page, o Options) *dump.Builder { return wraith.RenderJSON(p, o.Common) },
		func(o Options) string { return wraith.LegendJSON(o.Common) }},
	{DomTool, KindJSON, func(p *dump.Page, o Options) *dump.Builder { return domtool.Render(p, o.Common, o.DomTool) },
		func(o Options) string { return domtool.Legend(o.Common, o.DomTool) }},
	{Filtered, KindJSON, func(p *dump.Page, o Options) *dump.Builder { return semantic.RenderFiltered(p, o.Common) },
		func(Options) string { return semantic.LegendFiltered() }},
	{Skeleton, KindHTML, func(p *dump.Page, o Options) *dump.Builder { return markup.RenderSkeleton(p, o.Common) },
		func(o Options) string { return markup.LegendSkeleton(o.Common) }},
	{Hybrid, KindHTML, func(p *dump.Page, o Options) *dump.Builder { return markup.RenderHybrid(p, o.Common) },
		func(o Options) string { return markup.LegendHybrid(o.Common) }},
	{Full, KindHTML, func(p *dump.Page, o Options) *dump.Builder { return markup.RenderFull(p, o.Common, o.Markup) },
		func(o Options) string { return markup.LegendFull(o.Common, o.Markup) }},
	{AX, KindJSON, func(p *dump.Page, o Options) *dump.Builder { return semantic.RenderAX(p, o.Common, o.Semantic) },
		func(o Options) string { return semantic.LegendAX(o.Common, o.Semantic) }},
}

// rowOf is the row of a format; false where there is no such format.
func rowOf(name dump.Format) (row, bool) {
	for _, f := range table {
		if f.Name == name {
			return f, true
		}
	}
	return row{}, false
}

// Names lists the formats that [Render] knows, the default first.
func Names() []dump.Format {
	var names []dump.Format
	for _, f := range table {
		names = append(names, f.Name)
	}
	return names
}

// Plain lists the formats that need no options of their own to have content: all but
// what a query finds.
func Plain() []dump.Format {
	var names []dump.Format
	for _, name := range Names() {
		if name != Filtered {
			names = append(names, name)
		}
	}
	return names
}

// SourceOf is the [snapshot.Capture.Source] of what a format is a text of. Any capture is rendered, and its text says
// where its roles and names are from.
func SourceOf(name dump.Format) string {
	if name == AX {
		return snapshot.SourceAX
	}
	return ""
}

// Timestamped reports whether a text in that format that is written to be kept has the time of its snapshot, which is
// one of the format's fields (W-1). A text to be compared has none, see [dump.Common.Volatile].
func Timestamped(name dump.Format) bool { return name == WraithJSON }

// KindOf is the sort of text of a format, lines for one that is unknown.
func KindOf(name dump.Format) Kind {
	if f, ok := rowOf(name); ok {
		return f.Kind
	}
	return KindLines
}

// Extension is the end of a file name for the format's text: .json, .yaml, .html, .txt.
func Extension(name dump.Format) string {
	if k := KindOf(name); k != KindLines {
		return "." + string(k)
	}
	return ".txt"
}

// Render renders the capture in that format. An unknown format is an error that
// names the known ones.
func Render(c *snapshot.Capture, name dump.Format, o Options) (*dump.Document, error) {
	return NewPage(c).Render(name, o)
}

// Page is a capture of which several formats are rendered: what they all need is found
// out once. It is safe for concurrent use. The capture must not change.
type Page struct{ page *dump.Page }

// NewPage is the page of the capture. It costs nothing until something is requested.
func NewPage(c *snapshot.Capture) *Page { return &Page{dump.NewPage(c)} }

// Render is the function of that name for the capture of the page.
func (p *Page) Render(name dump.Format, o Options) (*dump.Document, error) {
	f, known := rowOf(name)
	switch {
	case p.page.Capture == nil:
		return nil, fmt.Errorf("dump %s: there is no capture", name)
	case !known:
		var names []string
		for _, n := range Names() {
			names = append(names, string(n))
		}
		return nil, fmt.Errorf("dump format %q is not known; there are: %s", name, strings.Join(names, ", "))
	}
	return f.render(semantic.Narrow(p.page, o.Common), o).Finish(name, o.Common), nil
}

// Limit is a format's own limit in characters, which holds where no other is requested; 0 for
// none.
func Limit(name dump.Format) int {
	switch name {
	case DDDK:
		return dddk.MaxChars
	case DomTool:
		return domtool.MaxChars
	}
	return 0
}

// Legend is the explanation of a format for an agent's system prompt: every mark
// and every key that the format can emit with the given options. "" for a format that
// is unknown.
func Legend(name dump.Format, o Options) string {
	f, known := rowOf(name)
	if !known {
		return ""
	}
	return f.legend(o)
}
