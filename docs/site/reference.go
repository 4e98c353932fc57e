package main

import (
	"bytes"
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"html/template"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
)

// reference makes the pages that the code is the source of.
func reference(root string) ([]page, error) {
	var pages []page
	for _, r := range []struct {
		path, title, intro string
		packages           []string // whose comments are shown
		more               func() (string, error)
	}{
		{"formats", "The text formats", "Each format as the agents of one family read it, from the same capture, with the same " +
			"numbers. The grammar of each is the comment of its package.", []string{"snapshot/format", "snapshot/format/dddk",
			"snapshot/format/semantic", "snapshot/format/aria", "snapshot/format/wraith", "snapshot/format/domtool",
			"snapshot/format/markup"}, formatTable},
		{"steps", "The step protocol", "What refscopectl run takes and answers. The tables are the declared parameters, as the " +
			"program checks them.", []string{"capture/step"}, stepTables},
		{"session", "The session folder", "How turns lie on disk.", []string{"snapshot/turn"}, nil},
		{"dialects", "Payload dialects", "What a model receives, byte for byte.", []string{"snapshot/payload", "snapshot/redact"},
			dialectTable},
		{"capture", "The capture", "What was seen of a page at one moment: the source of every text, payload and picture. Its " +
			"JSON Schema is capture.schema.json.", []string{"snapshot", "overlay", "snapshot/audit", "snapshot/doctor"}, nil},
		{"schemas", "JSON Schemas", "The shapes of what Refscope writes and reads, from the Go types, for other programs. " +
			"Members are only ever added; a reader ignores those that it does not know.", nil, schemaTable},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "<h1>%s</h1>\n<p>%s</p>\n", template.HTMLEscapeString(r.title), template.HTMLEscapeString(r.intro))
		if r.more != nil {
			text, err := r.more()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.path, err)
			}
			b.WriteString(text)
		}
		for _, p := range r.packages {
			text, err := packageComment(root, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.path, err)
			}
			fmt.Fprintf(&b, "<h2 id=%q>%s</h2>\n%s", "package-"+strings.ReplaceAll(p, "/", "-"), p, text)
		}
		pages = append(pages, page{Path: "reference/" + r.path + ".html", Title: r.title, Body: template.HTML(b.String())})
	}
	return pages, nil
}

// packageComment is the comment of a package as HTML.
func packageComment(root, pkg string) (string, error) {
	dir := filepath.Join(root, filepath.FromSlash(pkg))
	list, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, path := range list {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		if f.Doc == nil {
			continue
		}
		text := (&doc.Package{}).Parser().Parse(f.Doc.Text())
		print := comment.Printer{HeadingLevel: 3, DocLinkURL: func(*comment.DocLink) string { return "" },
			HeadingID: func(h *comment.Heading) string { return strings.ReplaceAll(pkg, "/", "-") + "-" + h.DefaultID() }}
		return string(print.HTML(text)), nil
	}
	return "", fmt.Errorf("package %s has no comment", pkg)
}

// table writes rows of texts; the first column is code.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("<table><thead><tr>")
	for _, h := range head {
		b.WriteString("<th>" + template.HTMLEscapeString(h) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>\n")
	for _, row := range rows {
		b.WriteString("<tr>")
		for i, cell := range row {
			cell = template.HTMLEscapeString(cell)
			if i == 0 {
				cell = "<code>" + cell + "</code>"
			}
			b.WriteString("<td>" + cell + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table>\n")
	return b.String()
}

func formatTable() (string, error) {
	var rows [][]string
	for _, name := range format.Names() {
		limit := "none"
		if n := format.Limit(name); n > 0 {
			limit = fmt.Sprintf("%d characters", n)
		}
		rows = append(rows, []string{string(name), string(format.KindOf(name)), limit, format.Extension(name)})
	}
	return table([]string{"Format", "Kind", "Its own limit", "Ending"}, rows), nil
}

func dialectTable() (string, error) {
	var rows [][]string
	for _, name := range payload.Dialects() {
		rows = append(rows, []string{name})
	}
	return table([]string{"Dialect"}, rows), nil
}

func stepTables() (string, error) {
	var b strings.Builder
	b.WriteString("<p>")
	for _, d := range step.Table() {
		fmt.Fprintf(&b, `<a href="#step-%[1]s">%[1]s</a> `, d.Name)
	}
	b.WriteString("</p>\n")
	for _, d := range step.Table() {
		fmt.Fprintf(&b, "<h3 id=\"step-%[1]s\">%[1]s</h3>\n<p>%[2]s</p>\n", d.Name, template.HTMLEscapeString(d.Summary))
		var forms, params [][]string
		for _, f := range d.Forms {
			forms = append(forms, []string{fmt.Sprintf("{%q:%s}", d.Name, f.Example()), f.What()})
		}
		b.WriteString(table([]string{"Write", "It is"}, forms))
		for _, p := range d.Params() {
			var notes []string
			if p.Required {
				notes = append(notes, "required")
			}
			if p.Default != "" {
				notes = append(notes, "default "+p.Default)
			}
			if p.Bounds != "" {
				notes = append(notes, p.Bounds)
			}
			if len(p.Choices) > 0 {
				notes = append(notes, "one of "+strings.Join(p.Choices, ", "))
			}
			if p.Secret {
				notes = append(notes, "never recorded")
			}
			params = append(params, []string{p.Name, p.Type, p.What, strings.Join(notes, "; ")})
		}
		if len(params) > 0 {
			b.WriteString(table([]string{"Parameter", "Type", "What", ""}, params))
		}
	}
	return b.String(), nil
}

func schemaTable() (string, error) {
	files, err := schemas()
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	b.WriteString("<ul>\n")
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "<li><a href=\"../docs/schemas/%[1]s\">%[1]s</a></li>\n", name)
	}
	b.WriteString("</ul>\n")
	return b.String(), nil
}
