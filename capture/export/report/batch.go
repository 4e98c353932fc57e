package report

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/batch"
	"github.com/refscope/refscope/snapshot/text"
)

//go:embed batch.tmpl
var batchMarkup string

//go:embed batch.css
var batchStyle string

//go:embed batch.js
var batchScript string

// What the head of a batch's report lists.
const (
	slowestListed = 10
	causeListed   = 50 // pages of one cause
)

// thumbnailLimit is the largest thumbnail that is taken in, in bytes; ours have some 3 KB.
const thumbnailLimit = 64 << 10

// batchHead is what the template shows above the rows.
type batchHead struct {
	Policy, Name, Do, When string
	Style                  template.CSS
	Tiles                  []batchTile
	Causes                 []causeView
	Slowest                []batchRow
}

type batchTile struct {
	Value, What string
	Tone        tone
}

// causeView are the pages that failed for one reason.
type causeView struct {
	Cause, Pages, More string
	Examples           []batchRow
}

// batchRow is one page.
type batchRow struct {
	Place                              int
	Label, Title, Target, Error        string
	Outcome, Findings, Change, Changed string
	Tone, ChangeTone                   tone
	Rank, Weight, ChangeRank           int
	Took                               float64
	Seconds                            string
	Notes, Breaches                    []string
	Thumbnail                          template.URL // a data: address of a JPEG of ours
	Files                              []fileLink
}

// fileLink is a file of the page, relative to the batch folder.
type fileLink struct{ Name, Path string }

// WriteBatch writes one HTML file over all pages of a batch folder: how many ended how, failures
// by their cause, the slowest, and a table of all with their thumbnails, which a script sorts and
// filters. It loads nothing; the only links are to files of the folder, and work where the
// report lies in it.
func WriteBatch(w io.Writer, dir string) error {
	m, err := batch.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is no batch folder: it has no %s", dir, batch.ManifestFile)
	}
	if err != nil {
		return err
	}
	t, err := template.New("batch").Parse(batchMarkup)
	if err != nil {
		return fmt.Errorf("batch report: its template: %w", err)
	}
	entries := m.InOrder()
	out := bufio.NewWriterSize(w, 1<<20)
	if err := t.ExecuteTemplate(out, "batchHead", headOfBatch(dir, m.Header, entries)); err != nil {
		return fmt.Errorf("batch report: its head: %w", err)
	}
	for _, e := range entries {
		row := rowOf(e)
		row.Thumbnail = thumbnailOf(dir, e.Key)
		if err := t.ExecuteTemplate(out, "batchRow", &row); err != nil {
			return fmt.Errorf("batch report: page %d: %w", e.Place, err)
		}
	}
	if err := t.ExecuteTemplate(out, "batchFoot", template.JS(batchScript)); err != nil {
		return fmt.Errorf("batch report: its foot: %w", err)
	}
	return out.Flush()
}

// headOfBatch sums the pages up.
func headOfBatch(dir string, h batch.Header, entries []*batch.Entry) *batchHead {
	style := styleText + batchStyle
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	v := &batchHead{
		Policy: "default-src 'none'; img-src data:; style-src " + SourceHash(style) + "; script-src " +
			SourceHash(batchScript) + "; base-uri 'none'; form-action 'none'",
		Style: template.CSS(style), Name: text.Line(filepath.Base(abs)), Do: text.Line(h.Do),
	}
	var failed, changed, findings int
	var first, last time.Time
	causes := map[string][]*batch.Entry{}
	for _, e := range entries {
		if e.Outcome == batch.Failed {
			failed++
			causes[e.Cause] = append(causes[e.Cause], e)
		}
		if e.Change != "" && e.Change != sameAsAccepted {
			changed++
		}
		if e.Findings != nil {
			findings += e.Findings.Errors + e.Findings.Warnings
		}
		if e.Work != nil && (first.IsZero() || e.Work.Began.Before(first)) {
			first = e.Work.Began
		}
		if e.Work != nil && e.Work.Began.After(last) {
			last = e.Work.Began.Add(time.Duration(e.Work.Seconds * float64(time.Second)))
		}
	}
	if !first.IsZero() {
		v.When = fmt.Sprintf("%s UTC, %s", first.UTC().Format("2 January 2006 15:04"), last.Sub(first).Round(time.Second))
	}
	toneIf := func(n int, t tone) tone {
		if n == 0 {
			return good
		}
		return t
	}
	v.Tiles = []batchTile{
		{text.Thousands(len(entries)), "pages", ""},
		{text.Thousands(failed), "failed", toneIf(failed, bad)},
		{text.Thousands(changed), "not as accepted", toneIf(changed, warn)},
		{text.Thousands(findings), "errors and warnings of the audit", toneIf(findings, warn)},
	}
	if missing := h.Pages - len(entries); missing > 0 && h.Shard == "" {
		v.Tiles = append(v.Tiles, batchTile{text.Thousands(missing), "not done", bad})
	}
	for cause, list := range causes {
		c := causeView{Cause: text.Line(cause), Pages: text.Count(len(list), "page", "pages")}
		for _, e := range list[:min(len(list), causeListed)] {
			c.Examples = append(c.Examples, rowOf(e))
		}
		if left := len(list) - causeListed; left > 0 {
			c.More = fmt.Sprintf("and %s more", text.Thousands(left))
		}
		v.Causes = append(v.Causes, c)
	}
	slices.SortFunc(v.Causes, func(a, b causeView) int {
		return cmp.Or(cmp.Compare(len(causes[b.Cause]), len(causes[a.Cause])), cmp.Compare(a.Cause, b.Cause))
	})
	slow := slices.Clone(entries)
	slow = slices.DeleteFunc(slow, func(e *batch.Entry) bool { return e.Work == nil })
	slices.SortStableFunc(slow, func(a, b *batch.Entry) int { return cmp.Compare(b.Work.Seconds, a.Work.Seconds) })
	for _, e := range slow[:min(len(slow), slowestListed)] {
		v.Slowest = append(v.Slowest, rowOf(e))
	}
	return v
}

// sameAsAccepted is the change of a page that has none.
const sameAsAccepted = "same"

// rowOf is a page as the table shows it, without its thumbnail.
func rowOf(e *batch.Entry) batchRow {
	r := batchRow{
		Place: e.Place, Label: text.Line(cmp.Or(e.Name, e.Target)), Title: text.Line(e.Title), Error: text.Line(e.Error),
		Outcome: "ok", Tone: good, Changed: text.Line(e.Changed),
	}
	if e.Name != "" {
		r.Target = text.Line(e.Target)
	}
	if e.Outcome == batch.Failed {
		r.Outcome, r.Tone, r.Rank = text.Line(e.Cause), bad, 2
	} else if len(e.Notes) > 0 {
		r.Rank = 1
	}
	for _, n := range e.Notes {
		r.Notes = append(r.Notes, text.Line(n))
	}
	if e.Status >= 400 {
		r.Notes = append(r.Notes, fmt.Sprintf("http %d", e.Status))
	}
	if f := e.Findings; f != nil {
		r.Findings = fmt.Sprintf("%s, %s, %s", text.Count(f.Errors, "error", "errors"),
			text.Count(f.Warnings, "warning", "warnings"), text.Count(f.Notes, "note", "notes"))
		r.Weight = f.Errors*1_000_000 + min(f.Warnings, 999)*1000 + min(f.Notes, 999)
	}
	for _, b := range e.Breaches {
		r.Breaches = append(r.Breaches, text.Line(b))
	}
	if e.Change != "" {
		r.Change, r.ChangeTone = text.Line(e.Change), good
		if e.Change != sameAsAccepted {
			r.ChangeTone, r.ChangeRank = warn, 1
		}
	}
	if e.Work != nil {
		r.Took, r.Seconds = e.Work.Seconds, fmt.Sprintf("%.1f", e.Work.Seconds)
	}
	for _, f := range e.Files {
		if linkable.MatchString(f) {
			r.Files = append(r.Files, fileLink{f, strings.Join([]string{batch.PagesDir, e.Key, f}, "/")})
		}
	}
	return r
}

// linkable are the names of files that a link may open: those of ours, which lie in the page's
// own folder.
var linkable = regexp.MustCompile(`^[a-z]+\.(png|json|txt|html)$`)

// thumbnailOf is the thumbnail of a page as an address; "" where there is none.
func thumbnailOf(dir, key string) template.URL {
	file, err := os.Open(filepath.Join(dir, batch.PagesDir, key, "thumbnail.jpg"))
	if err != nil {
		return ""
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, thumbnailLimit+1))
	if err != nil || len(data) > thumbnailLimit || !strings.HasPrefix(string(data), "\xff\xd8\xff") {
		return ""
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data))
}
