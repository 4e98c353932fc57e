package main

import (
	"bytes"
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
)

// reference makes the pages of docs/reference, by their names: Markdown that the code is the source of.
func reference(root string) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for _, r := range []struct {
		name, title, intro string
		packages           []string // whose comments are shown
		more               func() (string, error)
	}{
		{"formats", "The text formats",
			"Each format as the agents of one family read it, from the same capture, with the same " +
				"numbers. The grammar of each is the comment of its package.",
			[]string{"snapshot/format", "snapshot/format/dddk",
				"snapshot/format/semantic", "snapshot/format/aria", "snapshot/format/wraith", "snapshot/format/domtool",
				"snapshot/format/markup"}, formatTable},
		{"steps", "The step protocol",
			"What `refscopectl run` reads and answers. The tables are the declared parameters, as the " +
				"program checks them.", []string{"capture/step"}, stepTables},
		{"session", "The session folder", "How turns lie on disk.", []string{"snapshot/turn"}, nil},
		{"dialects", "Payload dialects", "What a model receives, byte for byte.",
			[]string{"snapshot/payload", "snapshot/redact"},
			dialectTable},
		{"capture", "The capture",
			"What was seen of a page at one moment: the source of every text, payload and picture. Its " +
				"JSON Schema is [capture.schema.json](../schemas/capture.schema.json).",
			[]string{"snapshot", "overlay", "snapshot/audit", "snapshot/doctor"}, nil},
		{"schemas", "JSON Schemas",
			"The shapes of what Refscope writes and reads, from the Go types, for other programs. " +
				"Members are only ever added; a reader ignores those that it does not know.", nil,
			func() (string, error) { return schemaTable(root) }},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n\n", r.title, r.intro)
		if r.more != nil {
			text, err := r.more()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			b.WriteString(text)
		}
		for _, p := range r.packages {
			text, err := packageComment(root, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			fmt.Fprintf(&b, "## %s\n\n%s\n", p, text)
		}
		pages[r.name+".md"] = append(bytes.TrimRight([]byte(b.String()), "\n"), '\n')
	}
	return pages, nil
}

// packageComment is the comment of a package as Markdown.
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
		print := comment.Printer{HeadingLevel: 3, HeadingID: func(*comment.Heading) string { return "" },
			DocLinkURL: func(*comment.DocLink) string { return "" }}
		return string(print.Markdown(text)), nil
	}
	return "", fmt.Errorf("package %s has no comment", pkg)
}

// table writes rows of texts; the first column is code.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	b.WriteString("| " + strings.Join(head, " | ") + " |\n" + strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = plain.Replace(cell)
			if i == 0 {
				cells[i] = "`" + strings.ReplaceAll(cell, "|", `\|`) + "`"
			}
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String() + "\n"
}

// plain keeps a text from being read as Markdown in a cell of a table.
var plain = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "[", `\[`, "\n", " ")

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
	b.WriteString("## All steps\n\n")
	for _, d := range step.Table() {
		fmt.Fprintf(&b, "[%s](#%s) ", d.Name, strings.ToLower(d.Name))
	}
	b.WriteString("\n\n")
	for _, d := range step.Table() {
		fmt.Fprintf(&b, "### %s\n\n%s\n\n", d.Name, plain.Replace(d.Summary))
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
			b.WriteString(table([]string{"Parameter", "Type", "What", "Notes"}, params))
		}
	}
	return b.String(), nil
}

func schemaTable(root string) (string, error) {
	files, err := schemas(root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "- [%[1]s](../schemas/%[1]s)\n", name)
	}
	return b.String(), nil
}

// written are the files below docs that are made of the code, by their paths with slashes.
func written(root string) (map[string][]byte, error) {
	files := map[string][]byte{}
	pages, err := reference(root)
	if err != nil {
		return nil, err
	}
	for name, body := range pages {
		files["docs/reference/"+name] = body
	}
	shapes, err := schemas(root)
	if err != nil {
		return nil, err
	}
	for name, body := range shapes {
		files["docs/schemas/"+name] = body
	}
	return files, nil
}
