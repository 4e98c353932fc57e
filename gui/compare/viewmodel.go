package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/timeline"
	"github.com/refscope/refscope/snapshot/runs"
	"github.com/refscope/refscope/snapshot/text"
)

// VM is what the dialog shows. Its parts are compared by what they point to.
type VM struct {
	// Choosing: the list of sessions is in view.
	Choosing bool
	Sessions []sessionRow
	Empty    string
	// Names are the two runs, Labels why each ended as it did, "" for none, Verdict where they parted, Tone how bad
	// that is.
	Names   [2]string
	Labels  [2]string
	Verdict string
	Tone    core.Tone
	Notes   []string // reservations
	// Result identifies the comparison, Ties are its rows.
	Result *runs.Comparison
	Ties   []tie
	At     int
	Causes core.ListVM
	Shows  Shows
	Pair   *Pair
	Heads  [2]string // over the two pictures
	Texts  [2]core.DumpVM
	// CanJump: there is a divergence, CanOpen: the row in view has a turn of the first run.
	CanJump, CanOpen bool
}

// sessionRow is a session to compare with.
type sessionRow struct{ Name, Turns, Last string }

// tie is one row of the two timelines.
type tie struct {
	A, B  string // the turns in words, "" for none
	Word  string // "same", the cause, or what else is known
	Tone  core.Tone
	First bool
}

// viewOf is what the dialog shows.
func viewOf(s core.State) VM {
	m := Of(s)
	v := VM{Choosing: m.Result == nil && !m.Busy, Names: [2]string{sessionName(s.Session.Name), sessionName(m.Name)},
		Result: m.Result, At: m.At, Shows: m.Shows, Pair: m.Pair}
	switch {
	case m.Busy:
		v.Verdict, v.Tone = "Comparing…", core.ToneMuted
		return v
	case v.Choosing:
		v.choose(s, m)
		return v
	}
	v.Verdict, v.Tone = m.Result.Verdict(), core.ToneGood
	if m.Result.Divergence() != nil {
		v.Tone, v.CanJump = core.ToneBad, true
	}
	v.Notes = m.Result.Notes
	if m.Problem != nil {
		v.Notes = append(slices.Clip(v.Notes), m.Problem.Sentence)
	}
	for i, l := range m.Labels {
		if l != nil {
			v.Labels[i] = text.Cut("label: "+text.Line(strings.TrimSpace(l.Label+" "+l.Note)), 60)
		}
	}
	for i := range m.Result.Rows {
		v.Ties = append(v.Ties, tieOf(m, i))
	}
	v.Causes = core.ListVM{Rows: m.Causes}
	if m.Causes == nil {
		v.Causes.Empty = "Nothing differs."
	}
	row := rowAt(m)
	if row == nil {
		v.Texts[0].Empty, v.Texts[1].Empty = "This run has no turns.", "This run has no turns."
		return v
	}
	v.CanOpen = row.A > 0
	for i, n := range []int{row.A, row.B} {
		v.Heads[i] = v.Names[i] + ", turn " + fmt.Sprint(n)
		if n == 0 {
			v.Heads[i] = v.Names[i] + " has no turn here"
		}
		if p := m.Pair; p != nil && p.Turns[i] != nil && p.Turns[i].Image == nil {
			v.Heads[i] += map[bool]string{true: ": no page", false: ": no picture"}[p.Turns[i].Pageless()]
		}
		v.Texts[i] = core.DumpVM{Empty: "Reading the turns…", Version: 1 + m.At}
		switch p := m.Pair; {
		case p == nil:
		case p.Problem != nil:
			v.Texts[i].Empty = p.Problem.Sentence
		case p.Docs[i] == nil:
			v.Texts[i].Empty = v.Heads[i] + "."
		case p.Docs[i].Text == "":
			v.Texts[i].Empty = "Nothing of this was recorded with the turn."
		default:
			v.Texts[i] = core.DumpVM{Doc: p.Docs[i], Tones: p.Tones[i], Version: v.Texts[i].Version}
		}
	}
	return v
}

func (v *VM) choose(s core.State, m Model) {
	switch {
	case m.Problem != nil:
		v.Empty = strings.TrimSpace(m.Problem.Sentence + " " + m.Problem.Hint)
	case !m.Listed:
		v.Empty = "Looking for sessions…"
	}
	for _, r := range m.Rows {
		if r.Why != "" || r.Path != "" && r.Path == s.Session.Path {
			continue
		}
		row := sessionRow{Name: r.Name, Turns: text.Count(r.Turns, "turn", "turns")}
		if !r.Last.IsZero() {
			row.Last = r.Last.Local().Format("2006-01-02 15:04")
		}
		v.Sessions = append(v.Sessions, row)
	}
	if v.Empty == "" && len(v.Sessions) == 0 {
		v.Empty = "There is no other session yet. Record a second run, or type the path of a recording."
	}
}

func sessionName(name string) string { return text.Cut(text.Line(name), 40) }

// tieOf is a row of the two timelines.
func tieOf(m Model, i int) tie {
	r := &m.Result.Rows[i]
	t := tie{A: turnWords(m.First, r.A), B: turnWords(m.Second, r.B), Word: r.Word(), Tone: core.ToneMuted,
		First: i == m.Result.First}
	if r.Cause != "" {
		t.Tone = core.ToneWarn
	}
	if t.First {
		t.Tone = core.ToneBad
	}
	return t
}

// turnWords is a turn in a few words, "" for none.
func turnWords(rows []core.TurnRow, n int) string {
	if n == 0 {
		return ""
	}
	out := fmt.Sprint(n)
	if r := rowOf(rows, n); r != nil {
		out += "  " + text.Cut(text.Line(timeline.Title(*r)), 60)
	}
	return out
}

// causes are the differences as a list of cards; nil where there is none.
func causes(m *Model) *core.Rows {
	var rows []core.Row
	for i := range m.Result.Rows {
		r := &m.Result.Rows[i]
		if r.Cause == "" {
			continue
		}
		card := core.Row{Kind: core.RowCard, Tone: core.ToneWarn, Title: text.Capital(r.Place()) +
			": " + string(r.Cause),
			Body: r.Sentence() + ".", Pick: RowChosen{i}, On: i == m.At}
		if i == m.Result.First {
			card.Tone, card.Title = core.ToneBad, "First divergence. "+card.Title
		}
		for _, d := range r.Details {
			card.Body += "\n" + text.Cut(text.Line(d), 300)
		}
		rows = append(rows, card)
	}
	if rows == nil {
		return nil
	}
	return core.NewRows(rows)
}
