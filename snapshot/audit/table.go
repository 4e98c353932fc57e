package audit

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// CSV is the findings of the reports as a table for spreadsheets, one line each under a line of names. Ref is the
// element's number and is empty where there is none.
func CSV(list ...Audited) ([]byte, error) {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	rows := [][]string{{"severity", "rule", "ref", "sentence", "evidence", "path", "action", "key", "url"}}
	for _, a := range list {
		for i := range a.Report.Findings {
			f := &a.Report.Findings[i]
			rows = append(rows, []string{string(f.Severity), f.Rule, refOf(f), f.Sentence, f.Evidence, f.Path, f.Action,
				f.Key, a.URI})
		}
	}
	for _, row := range rows {
		for i := range row {
			row[i] = text.Cell(row[i])
		}
		if err := out.Write(row); err != nil {
			return nil, fmt.Errorf("writing CSV: %w", err)
		}
	}
	out.Flush()
	return b.Bytes(), out.Error()
}

// Markdown is the findings of the reports for an issue or a chat: a heading and a table for each report.
func Markdown(list ...Audited) []byte {
	var b strings.Builder
	for i, a := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		r := a.Report
		fmt.Fprintf(&b, "## Findings on %s\n\n%s\n", markdown(a.URI), r.Words())
		if len(r.Findings) == 0 {
			continue
		}
		b.WriteString("\n| severity | rule | ref | finding | what to do |\n|---|---|---|---|---|\n")
		for k := range r.Findings {
			f := &r.Findings[k]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", f.Severity, f.Rule, refOf(f), markdown(f.Sentence),
				markdown(f.Action))
		}
	}
	return []byte(b.String())
}

func refOf(f *Finding) string {
	if f.Ref == 0 {
		return ""
	}
	return strconv.Itoa(f.Ref)
}

// markdown is a text of a page that stands in Markdown as it reads: it makes no link, picture, tag or cell of its own,
// and names nobody.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range text.Line(s) {
		switch r {
		case '&':
			b.WriteString("&amp;")
			continue
		case '<':
			b.WriteString("&lt;")
			continue
		case '@': // a mention where it is posted
			b.WriteString("&#64;")
			continue
		}
		if strings.ContainsRune("\\`*_[]()#|!~>$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
