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
	"github.com/refscope/refscope/snapshot/audit"
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
	Slowest                []batchCells
}

type batchTile struct {
	Value, What string
	Tone        tone
}

// causeView are the pages that failed for one reason.
type causeView struct {
	Cause, Pages, More string
	Examples           []batchCells
}

// BatchRow is one page of a batch, as a table shows it: texts of one line, and the numbers to sort by.
type BatchRow struct {
	Key   string // names its folder, and its thumbnail for [BatchThumbnail]
	Place int    // in the list, from 1 on
	// Label is its name, or else its address; Target its address where it has a name.
	Label, Title, Target string
	// Outcome is ok, the status where the server answered with an error and its page was captured, or the cause of the
	// failure, of which Error has the details.
	Outcome, Error string
	Failed         bool
	Rank           int // 0 for a page that ended well, 1 with notes, 2 for one that failed
	Notes          []string
	// Findings are those of its audit, nil where there was none; Weight orders them, errors first.
	Findings *audit.Tally
	Weight   int
	Breaches []string
	// Change is the outcome of the comparison with what was accepted, "" for none; Differs where that is
	// not the same, which Changed describes.
	Change, Changed string
	Differs         bool
	Seconds         float64 // 0 where it is not known
	// Session is the folder of its turns, "" where the batch kept none.
	Session string

	files []string
}

// Batch is a batch folder, as a table shows it.
type Batch struct {
	Dir, Name string
	Do        string // what was done to each page
	// Examples: it is a data set, whose rows are examples. Each has its picture's path as Target, its box as Outcome.
	Examples bool
	Rows     []BatchRow
	// Missing is how many pages of the list are not done.
	Missing int

	header  batch.Header
	entries []*batch.Entry
}

// ReadBatch reads a batch folder. Pages are in the order of the list. A folder that is none is an error.
func ReadBatch(dir string) (*Batch, error) {
	m, err := batch.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %w", dir, errNoBatch)
	}
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	b := &Batch{Dir: abs, Name: text.Line(filepath.Base(abs)), Do: text.Line(m.Header.Do), header: m.Header,
		entries: m.InOrder()}
	if b.header.Shard == "" {
		b.Missing = max(0, b.header.Pages-len(b.entries))
	}
	for _, e := range b.entries {
		b.Rows = append(b.Rows, rowOf(abs, e))
	}
	return b, nil
}

// errNoBatch is the error of a folder that holds no batch.
var errNoBatch = errors.New("is not a batch folder: it has no " + batch.ManifestFile)

// BatchThumbnail is the small picture of a page of a batch folder, a JPEG; nil where there is none.
func BatchThumbnail(dir, key string) []byte {
	file, err := os.Open(filepath.Join(dir, batch.PagesDir, key, batch.ThumbnailFile))
	if err != nil {
		return nil
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, thumbnailLimit+1))
	if err != nil || len(data) > thumbnailLimit || !strings.HasPrefix(string(data), "\xff\xd8\xff") {
		return nil
	}
	return data
}

// batchCells is a row as the page has it.
type batchCells struct {
	*BatchRow
	Tone, ChangeTone tone
	ChangeRank       int
	Counts, Took     string       // "" where they are not known
	Thumbnail        template.URL // a data: address of a JPEG of ours
	Files            []fileLink
}

// fileLink is a file of the page, relative to the batch folder.
type fileLink struct{ Name, Path string }

// Write writes one HTML file over all pages of the batch: how many ended how, failures
// by their cause, the slowest, and a table of all with their thumbnails, which a script sorts and
// filters. It loads nothing; the only links are to files of the folder, and work where the
// report lies in it.
func (b *Batch) Write(w io.Writer) error {
	t, err := template.New("batch").Parse(batchMarkup)
	if err != nil {
		return fmt.Errorf("batch report: its template: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	if err := t.ExecuteTemplate(out, "batchHead", b.head()); err != nil {
		return fmt.Errorf("batch report: its head: %w", err)
	}
	for i := range b.Rows {
		cells := b.Rows[i].cells()
		if data := BatchThumbnail(b.Dir, cells.Key); data != nil {
			cells.Thumbnail = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data))
		}
		if err := t.ExecuteTemplate(out, "batchRow", &cells); err != nil {
			return fmt.Errorf("batch report: page %d: %w", cells.Place, err)
		}
	}
	if err := t.ExecuteTemplate(out, "batchFoot", template.JS(batchScript)); err != nil {
		return fmt.Errorf("batch report: its foot: %w", err)
	}
	return out.Flush()
}

// head sums the pages up.
func (b *Batch) head() *batchHead {
	style := styleText + batchStyle
	v := &batchHead{
		Policy: "default-src 'none'; img-src data:; style-src " + SourceHash(style) + "; script-src " +
			SourceHash(batchScript) + "; base-uri 'none'; form-action 'none'",
		Style: template.CSS(style), Name: b.Name, Do: b.Do,
	}
	if first, last := b.span(); !first.IsZero() {
		v.When = fmt.Sprintf("%s UTC, %s", first.UTC().Format("2 January 2006 15:04"),
			last.Sub(first).Round(time.Second))
	}
	v.Tiles = b.tiles()
	causes := map[string][]*BatchRow{}
	for i := range b.Rows {
		if r := &b.Rows[i]; r.Failed {
			causes[r.Outcome] = append(causes[r.Outcome], r)
		}
	}
	for cause, list := range causes {
		c := causeView{Cause: cause, Pages: text.Count(len(list), "page", "pages")}
		for _, r := range list[:min(len(list), causeListed)] {
			c.Examples = append(c.Examples, r.cells())
		}
		if left := len(list) - causeListed; left > 0 {
			c.More = fmt.Sprintf("and %s more", text.Thousands(left))
		}
		v.Causes = append(v.Causes, c)
	}
	slices.SortFunc(v.Causes, func(a, b causeView) int {
		return cmp.Or(cmp.Compare(len(causes[b.Cause]), len(causes[a.Cause])), cmp.Compare(a.Cause, b.Cause))
	})
	var slow []*BatchRow
	for i := range b.Rows {
		if b.Rows[i].Seconds > 0 {
			slow = append(slow, &b.Rows[i])
		}
	}
	slices.SortStableFunc(slow, func(a, b *BatchRow) int { return cmp.Compare(b.Seconds, a.Seconds) })
	for _, r := range slow[:min(len(slow), slowestListed)] {
		v.Slowest = append(v.Slowest, r.cells())
	}
	return v
}

// span is from when to when pages were worked at; zero times where that is not known.
func (b *Batch) span() (first, last time.Time) {
	for _, e := range b.entries {
		if e.Work == nil {
			continue
		}
		if first.IsZero() || e.Work.Began.Before(first) {
			first = e.Work.Began
		}
		if end := e.Work.Began.Add(time.Duration(e.Work.Seconds * float64(time.Second))); end.After(last) {
			last = end
		}
	}
	return first, last
}

// BatchSums are the sums of a batch.
type BatchSums struct {
	Pages, Failed     int
	Compared, Differ  int // with what was accepted, and not as that
	Audited, Findings int // pages, and the errors and warnings on them
}

// Sums counts the pages and what was found on them.
func (b *Batch) Sums() BatchSums {
	n := BatchSums{Pages: len(b.Rows)}
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.Failed {
			n.Failed++
		}
		if r.Change != "" {
			n.Compared++
		}
		if r.Differs {
			n.Differ++
		}
		if r.Findings != nil {
			n.Audited++
			n.Findings += r.Findings.Errors + r.Findings.Warnings
		}
	}
	return n
}

// tiles are the sums at the top, of what was done.
func (b *Batch) tiles() []batchTile {
	toneIf := func(n int, t tone) tone {
		if n == 0 {
			return good
		}
		return t
	}
	n := b.Sums()
	out := []batchTile{
		{text.Thousands(n.Pages), "pages", ""},
		{text.Thousands(n.Failed), "failed", toneIf(n.Failed, bad)},
	}
	if n.Compared > 0 {
		out = append(out, batchTile{text.Thousands(n.Differ), "not as accepted", toneIf(n.Differ, warn)})
	}
	if n.Audited > 0 {
		out = append(out, batchTile{text.Thousands(n.Findings), "errors and warnings of the audit",
			toneIf(n.Findings, warn)})
	}
	if b.Missing > 0 {
		out = append(out, batchTile{text.Thousands(b.Missing), "not done", bad})
	}
	return out
}

// sameAsAccepted is the change of a page that has none.
const sameAsAccepted = "same"

// rowOf is a page of the batch folder dir.
func rowOf(dir string, e *batch.Entry) BatchRow {
	r := BatchRow{
		Key: e.Key, Place: e.Place, Label: text.Line(cmp.Or(e.Name, e.Target)), Title: text.Line(e.Title),
		Error: text.Line(e.Error), Outcome: "ok", Findings: e.Findings, Change: text.Line(e.Change),
		Changed: text.Line(e.Changed), Differs: e.Change != "" && e.Change != sameAsAccepted, files: e.Files,
	}
	if e.Name != "" {
		r.Target = text.Line(e.Target)
	}
	switch {
	case e.Outcome == batch.Failed:
		r.Outcome, r.Failed, r.Rank = text.Line(e.Cause), true, 2
	case e.Refused(): // what was captured is the server's page about the error
		r.Outcome, r.Rank = fmt.Sprintf("http %d", e.Status), 1
	case len(e.Notes) > 0:
		r.Rank = 1
	}
	for _, n := range e.Notes {
		r.Notes = append(r.Notes, text.Line(n))
	}
	if f := e.Findings; f != nil {
		r.Weight = f.Errors*1_000_000 + min(f.Warnings, 999)*1000 + min(f.Notes, 999)
	}
	for _, b := range e.Breaches {
		r.Breaches = append(r.Breaches, text.Line(b))
	}
	if e.Work != nil {
		r.Seconds = e.Work.Seconds
	}
	if slices.Contains(e.Files, batch.SessionDir) {
		r.Session = filepath.Join(dir, batch.PagesDir, e.Key, batch.SessionDir)
	}
	return r
}

// cells is the row as the page has it, without its thumbnail.
func (r *BatchRow) cells() batchCells {
	c := batchCells{BatchRow: r, Tone: good}
	switch {
	case r.Failed:
		c.Tone = bad
	case r.Rank > 0:
		c.Tone = warn
	}
	if r.Change != "" {
		c.ChangeTone = good
	}
	if r.Differs {
		c.ChangeTone, c.ChangeRank = warn, 1
	}
	if f := r.Findings; f != nil {
		c.Counts = fmt.Sprintf("%s, %s, %s", text.Count(f.Errors, "error", "errors"),
			text.Count(f.Warnings, "warning", "warnings"), text.Count(f.Notes, "note", "notes"))
	}
	if r.Seconds > 0 {
		c.Took = fmt.Sprintf("%.1f", r.Seconds)
	}
	for _, f := range r.files {
		if linkable.MatchString(f) {
			c.Files = append(c.Files, fileLink{f, strings.Join([]string{batch.PagesDir, r.Key, f}, "/")})
		}
	}
	return c
}

// linkable are the names of files that a link may open: those of ours, which lie in the page's
// own folder.
var linkable = regexp.MustCompile(`^[a-z]+\.(png|json|txt|html)$`)
