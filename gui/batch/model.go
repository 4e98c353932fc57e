// Package batch is the table of a batch folder: a row for each page that refscopectl batch has done, with its outcome,
// findings, changes, duration and picture; or of a data set: a row for each example. What report.ReadBatch reads comes
// in; a table that sorts and filters goes out, of which Enter opens a page's turns. Start with [Room] and [Found].
package batch

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export/report"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog is the table.
const Dialog core.Dialog = "batch"

// cmdPages is the command that shows the table again.
const cmdPages = "batch.pages"

// The columns of the table, from 1.
const (
	columnPage = iota + 1
	columnOutcome
	columnErrors
	columnWarnings
	columnChange
	columnSeconds
)

// maxPictures bounds the pictures that are kept: beyond it those out of view are forgotten.
const maxPictures = 300

// model is the table of one batch folder.
type model struct {
	// Dir is the folder, "" until one was opened, and Batch what was read of it, nil until it is there.
	Dir     string
	Batch   *report.Batch
	Problem *core.Problem
	// Filter is what was typed: words that all must be in a row.
	Filter string
	// Order is the column that the table is sorted by, 0 for the order of the list. Negative turns it round.
	Order int
	Rows  *core.Rows
	// Fit is how many pages the filter leaves.
	Fit      int
	Pictures *core.Pictures
	// Note is why the page that was chosen cannot be opened.
	Note string
}

// Engine reads batch folders.
type Engine interface {
	// Batch reads the folder of a batch.
	Batch(ctx context.Context, dir string) (*report.Batch, error)
	// BatchPictures reads the small pictures of pages by their keys, nil for a page that has none.
	BatchPictures(ctx context.Context, dir string, keys []string) map[string]image.Image
}

type (
	// Found opens the batch folder Dir. The engine sends it where a person named a batch folder as a session.
	Found struct{ Dir string }
	// read reads the folder; readDone answers.
	read struct{ Dir string }
	// filtered: a person typed into the filter.
	filtered struct{ Text string }
	// sorted sorts by a column; the one in use turns round, and then gives the order of the list.
	sorted struct{ Column int }
	// readPictures reads pictures; picturesRead answers.
	readPictures struct {
		Dir  string
		Keys []string
	}
)

func (m Found) Apply(s core.State) (core.State, []core.Effect) {
	if of(s).Dir != m.Dir {
		*edit(&s) = model{Dir: m.Dir}
	}
	s.Remember(m.Dir)
	return asked().Apply(s)
}

// asked shows the table again.
func asked() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		s.Dialog = Dialog
		edit(&s).Note = ""
		return s, []core.Effect{read{of(s).Dir}} // a batch that runs has more by now
	})
}

// Do implements [core.Work].
func (e read) Do(ctx context.Context, w *core.Worker) core.Msg {
	b, err := core.EngineOf[Engine](w).Batch(ctx, e.Dir)
	return readDone(e.Dir, b, w.Problem("batch", err))
}

func readDone(dir string, batch *report.Batch, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if of(s).Dir == dir {
			p := edit(&s)
			p.Batch, p.Problem = batch, problem
			list(&s)
		}
		return s, nil
	})
}

func (m filtered) Apply(s core.State) (core.State, []core.Effect) {
	edit(&s).Filter = m.Text
	list(&s)
	return s, nil
}

func (m sorted) Apply(s core.State) (core.State, []core.Effect) {
	p := edit(&s)
	p.Order = core.OrderAfter(p.Order, m.Column)
	list(&s)
	return s, nil
}

// chosen opens the turns of the page with that place in the list.
func chosen(place int) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		p := edit(&s)
		if p.Batch == nil {
			return s, nil
		}
		i := slices.IndexFunc(p.Batch.Rows, func(r report.BatchRow) bool { return r.Place == place })
		if i < 0 {
			return s, nil // it was read again meanwhile
		}
		switch r := &p.Batch.Rows[i]; {
		case r.Session != "":
			s.CloseDialog(Dialog)
			return s.OpenSession(r.Session, "")
		case p.Batch.Examples:
			p.Note = fmt.Sprintf("Example %d is on %s.", r.Place, text.Cut(r.Target, longestDetail))
		case r.Failed:
			p.Note = fmt.Sprintf("Page %d has no turns: it failed (%s).", r.Place, r.Outcome)
		default:
			p.Note = fmt.Sprintf("Page %d has no turns: its batch recorded none. Run it with --do turn.", r.Place)
		}
		return s, nil
	})
}

// inView: rows came into view whose pictures are not there yet.
func inView(keys []string) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		return s, []core.Effect{readPictures{of(s).Dir, keys}}
	})
}

// Pause implements [core.LatestWork]: rows that a person scrolled past are left out, and ask again.
func (readPictures) Pause() time.Duration { return 30 * time.Millisecond }

// Do implements [core.Work].
func (e readPictures) Do(ctx context.Context, w *core.Worker) core.Msg {
	return picturesRead(e.Dir, core.EngineOf[Engine](w).BatchPictures(ctx, e.Dir, e.Keys))
}

func picturesRead(dir string, pictures map[string]image.Image) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if p := edit(&s); p.Dir == dir {
			all := map[string]image.Image{}
			if p.Pictures != nil && len(p.Pictures.ByName)+len(pictures) <= maxPictures {
				all = maps.Clone(p.Pictures.ByName)
			}
			maps.Copy(all, pictures)
			p.Pictures = &core.Pictures{ByName: all}
		}
		return s, nil
	})
}

// list makes the rows of the table.
func list(s *core.State) {
	p := edit(s)
	p.Rows, p.Fit = nil, 0
	if p.Batch == nil {
		return
	}
	var pages []*report.BatchRow
	words := strings.Fields(strings.ToLower(p.Filter))
	for i := range p.Batch.Rows {
		if fits(&p.Batch.Rows[i], words) {
			pages = append(pages, &p.Batch.Rows[i])
		}
	}
	if p.Fit = len(pages); p.Fit == 0 {
		return
	}
	if by := orders[max(p.Order, -p.Order)]; by != nil {
		slices.SortStableFunc(pages, by)
	}
	if p.Order < 0 {
		slices.Reverse(pages)
	}
	head := core.Row{Kind: core.RowColumns, Title: "Page", Sorted: p.Order,
		Cells: []string{"Outcome", "Errors", "Warnings", "Change", "Seconds"}}
	if p.Batch.Examples {
		head.Title, head.Cells = "Example", []string{"Box", "Errors", "Warnings", "", ""}
	}
	for column := columnPage; column <= columnSeconds; column++ {
		head.Sorts = append(head.Sorts, sorted{column})
	}
	rows := append(make([]core.Row, 0, len(pages)+1), head)
	for _, r := range pages {
		rows = append(rows, rowOf(r, s.Session.Path))
	}
	p.Rows = core.NewRows(rows)
}

// orders are the ways to sort: names from A on, figures with the most first. The list's order is that of nil.
var orders = [...]func(a, b *report.BatchRow) int{
	columnPage: func(a, b *report.BatchRow) int {
		return cmp.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
	},
	columnOutcome: func(a, b *report.BatchRow) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Outcome, b.Outcome))
	},
	columnErrors:   func(a, b *report.BatchRow) int { return cmp.Compare(b.Weight, a.Weight) },
	columnWarnings: func(a, b *report.BatchRow) int { return cmp.Compare(warnings(b), warnings(a)) },
	columnChange: func(a, b *report.BatchRow) int {
		return cmp.Or(cmp.Compare(changeRank(b), changeRank(a)), cmp.Compare(a.Change, b.Change))
	},
	columnSeconds: func(a, b *report.BatchRow) int { return cmp.Compare(b.Seconds, a.Seconds) },
}

// warnings of the audit, -1 where there was none.
func warnings(r *report.BatchRow) int {
	if r.Findings == nil {
		return -1
	}
	return r.Findings.Warnings
}

// changeRank puts what differs first, and what was not compared last.
func changeRank(r *report.BatchRow) int {
	switch {
	case r.Differs:
		return 2
	case r.Change != "":
		return 1
	}
	return 0
}

// fits reports whether all words, in lower case, are in what the table shows of a page.
func fits(r *report.BatchRow, words []string) bool {
	if len(words) == 0 {
		return true
	}
	all := strings.ToLower(strings.Join(append([]string{r.Label, r.Title, r.Target, r.Outcome, r.Error,
		r.Change, r.Changed,
		strings.Join(r.Notes, " ")}, r.Breaches...), "\n"))
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// The longest texts of a row, in characters.
const (
	longestLabel   = 200
	longestOutcome = 28
	longestDetail  = 300
)

// rowOf is the row of a page; open is the session in view.
func rowOf(r *report.BatchRow, open string) core.Row {
	row := core.Row{Lead: text.Thousands(r.Place), Title: text.Cut(r.Label, longestLabel), Picture: r.Key,
		Pick: chosen(r.Place), On: r.Session != "" && r.Session == open,
		Cells: []string{text.Cut(r.Outcome, longestOutcome), "", "", r.Change, ""}}
	if r.Title != r.Label {
		row.Aside = text.Cut(r.Title, longestLabel)
	}
	if f := r.Findings; f != nil {
		row.Cells[1], row.Cells[2] = text.Thousands(f.Errors), text.Thousands(f.Warnings)
	}
	if r.Seconds > 0 {
		row.Cells[4] = fmt.Sprintf("%.1f", r.Seconds)
	}
	var more []string
	for _, part := range append([]string{r.Target, r.Error, r.Changed, strings.Join(r.Notes, ", ")}, r.Breaches...) {
		if part != "" {
			more = append(more, text.Cut(part, longestDetail))
		}
	}
	row.Body = strings.Join(more, "\n")
	switch {
	case r.Failed:
		row.Tone = core.ToneBad
	case r.Differs, len(r.Breaches) > 0, r.Rank > 0:
		row.Tone = core.ToneWarn
	}
	return row
}

// VM is the content of the table. Compare with [VM.Equal].
type VM struct {
	Title, Hint string
	Facts       []core.StatusItem
	List        core.ListVM
}

// Equal reports whether both show the same.
func (v VM) Equal(o VM) bool {
	return v.Title == o.Title && v.Hint == o.Hint && v.List == o.List && slices.Equal(v.Facts, o.Facts)
}

// viewOf returns the content of the table.
func viewOf(s core.State) VM {
	p := of(s)
	v := VM{Title: "Pages of a batch", List: core.ListVM{Rows: p.Rows, Pictures: p.Pictures}}
	switch {
	case p.Problem != nil:
		v.List.Empty = p.Problem.Sentence
		return v
	case p.Batch == nil:
		v.List.Empty = "Reading the batch…"
		return v
	case len(p.Batch.Rows) == 0:
		v.List.Empty = "No page of this batch has ended yet."
	case p.Fit == 0:
		v.List.Empty = "No page fits the filter."
	}
	v.Title = p.Batch.Name + ": " + p.Batch.Do
	v.Hint = "Enter opens a page's turns; a column's title sorts. Pages of the batch, in the menu File, comes back " +
		"here."
	if p.Batch.Examples {
		v.Hint = "A column's title sorts. Pages of the batch, in the menu File, comes back here."
	}
	v.Facts = facts(&p)
	return v
}

// facts are the sums of the batch, and why the page that was chosen did not open.
func facts(p *model) []core.StatusItem {
	n := p.Batch.Sums()
	pages := text.Count(n.Pages, "page", "pages")
	if p.Batch.Examples {
		pages = text.Count(n.Pages, "example", "examples")
	}
	if p.Filter != "" {
		pages = text.Thousands(p.Fit) + " of " + pages
	}
	out := []core.StatusItem{{Text: pages, Tone: core.ToneMuted}}
	for _, sum := range []struct {
		n    int
		what string
		tone core.Tone
	}{{n.Failed, "failed", core.ToneBad}, {n.Differ, "not as accepted", core.ToneWarn},
		{p.Batch.Missing, "not done", core.ToneBad}} {
		if sum.n > 0 {
			out = append(out, core.StatusItem{Text: text.Thousands(sum.n) + " " + sum.what, Tone: sum.tone})
		}
	}
	if n.Findings > 0 {
		out = append(out, core.StatusItem{Text: text.Count(n.Findings, "error or warning", "errors and warnings"),
			Tone: core.ToneMuted})
	}
	if p.Note != "" {
		out = append(out, core.StatusItem{Text: p.Note, Tone: core.ToneWarn})
	}
	return out
}

func commands(core.State) []core.Command {
	return []core.Command{{ID: cmdPages, Title: "Pages of the batch…", Menu: "File", Key: "Ctrl+Alt+O",
		Enabled: func(s core.State) bool { return of(s).Dir != "" }, Msg: core.Send(asked())}}
}

// Room is the table of a batch folder.
func Room() core.Room { return core.Room{Name: "batch", Commands: commands} }

// of is the model of the room.
func of(s core.State) model { return core.Of[model](s) }

func edit(s *core.State) *model { return core.Edit[model](s) }
