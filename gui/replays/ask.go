package replays

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/sentrequest"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/text"
)

// Dialog asks a model about the turn in view again.
const Dialog core.Dialog = "ask"

// times are how often one can ask.
func times() []int { return []int{1, 3, 5, 10, 20} }

// Again describes how a model is asked again: with the recorded request, or with declared changes.
type Again struct {
	Endpoint string // the base address that clients are given, "" for the vendor's own
	Model    string // "" for the recorded one
	N        int    // how often
	// Build makes the request again, with our text of the page in that format, and without the picture where NoImage
	// is set; else the recorded body is sent.
	Build   bool
	Format  dump.Format
	NoImage bool
}

// Quote describes what a question would send, before it is sent.
type Quote struct {
	Host, Model string
	// Tokens are those of one request, Output those of the recorded answer, 0 where they are not known. Counted: Tokens
	// are the vendor's own count.
	Tokens, Output int
	Counted        bool
	// Key is where the key comes from in words, "" where there is none. Needed: the vendor refuses a request without.
	Key    string
	Needed bool
	// Marks are how many secrets of the recorded request were never stored.
	Marks   int
	Changes []string
}

type (
	// askChanged changes what is to be asked.
	askChanged struct{ Again Again }
	// quote asks what a question would send. [quoted] answers.
	quote struct {
		Turn  *core.Turn
		Again Again
	}
	quoted asking
	// send sends a question. [answered] answers.
	send struct {
		Task  int
		Turn  *core.Turn
		Again Again
	}
)

// asking is the state of the dialog.
type asking struct {
	Again Again
	// Turn is the one that is asked about, Quote what would be sent, nil until it is known.
	Turn    *core.Turn
	Quote   *Quote
	Problem *core.Problem
}

// CanAsk reports whether the turn in view holds a request that can be sent again.
func CanAsk(s core.State) bool { return sentrequest.ToModel(s.Current) }

// askOpened opens the dialog.
func askOpened() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if !CanAsk(s) {
			return s, nil
		}
		a := core.Edit[asking](&s)
		if a.Again.N == 0 {
			a.Again = Again{N: 1, Format: format.DDDK}
		}
		if a.Turn != s.Current {
			a.Again.Model = ""
		}
		a.Turn, a.Quote, a.Problem = s.Current, nil, nil
		s.Dialog = Dialog
		return s, []core.Effect{quote{a.Turn, a.Again}}
	})
}

// Apply implements [core.Msg].
func (m askChanged) Apply(s core.State) (core.State, []core.Effect) {
	a := core.Edit[asking](&s)
	if s.Dialog != Dialog || a.Again == m.Again {
		return s, nil
	}
	a.Again, a.Problem = m.Again, nil
	return s, []core.Effect{quote{a.Turn, a.Again}}
}

// Pause implements [core.LatestWork].
func (quote) Pause() time.Duration { return 150 * time.Millisecond }

// Do implements [core.Work].
func (e quote) Do(ctx context.Context, w *core.Worker) core.Msg {
	q, err := core.EngineOf[Engine](w).Quote(ctx, e.Turn.N, e.Again)
	if ctx.Err() != nil {
		return nil
	}
	return quoted{e.Again, e.Turn, q, w.Problem("ask", err)}
}

// Apply implements [core.Msg].
func (m quoted) Apply(s core.State) (core.State, []core.Effect) {
	if a := core.Edit[asking](&s); a.Turn == m.Turn && a.Again == m.Again {
		a.Quote, a.Problem = m.Quote, m.Problem
	}
	return s, nil
}

// askConfirmed sends it.
func askConfirmed() core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		a := core.Of[asking](s)
		if s.Dialog != Dialog || !canSend(s) {
			return s, nil
		}
		s.CloseDialog(Dialog)
		what := "Asking " + text.Cut(text.Line(a.Quote.Model), 40) + " about turn " + fmt.Sprint(a.Turn.N)
		id := s.StartTask(core.TaskAsk, what)
		return s, []core.Effect{send{id, a.Turn, a.Again}}
	})
}

// canSend reports whether the question is ready to be sent.
func canSend(s core.State) bool {
	a := core.Of[asking](s)
	return a.Quote != nil && a.Problem == nil && (a.Quote.Key != "" || !a.Quote.Needed) && unable(s) == ""
}

// unable is why answers cannot be recorded in the session in view, "" where they can.
func unable(s core.State) string {
	switch {
	case !s.Session.Kept:
		return "The session in view is in memory only, and answers are recorded beside the turn."
	case s.Session.File:
		return "The session in view is a file, and answers are recorded beside the turn: import it first " +
			"(refscopectl session import)."
	}
	return ""
}

// Number implements [core.Numbered].
func (e send) Number() int { return e.Task }

// Do implements [core.Work].
func (e send) Do(ctx context.Context, w *core.Worker) core.Msg {
	count, failed, err := core.EngineOf[Engine](w).Ask(ctx, e.Turn.N, e.Again, w.Progress)
	return answered(e.Task, count, failed, w.Problem("ask", err))
}

// answered answers [send]. The table of the variants comes into view.
func answered(task, count, failed int, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if _, ok := s.FinishTask(task); !ok {
			return s, nil
		}
		edit(&s).Turn = nil // it is listed again
		switch {
		case problem != nil:
			s.Complain(core.TaskAsk, problem)
		case failed > 0:
			s.Notice = &core.Notice{Tone: core.ToneWarn, Source: core.TaskAsk,
				Text: fmt.Sprintf("%d of %s failed.", failed, text.Count(count, "answer", "answers")),
				Hint: "Variants lists them with what the endpoint said."}
		default:
			s.Notice = &core.Notice{Tone: core.ToneGood, Source: core.TaskAsk,
				Text: text.Count(count, "answer", "answers") + " recorded as variants of the turn."}
		}
		if count == 0 {
			return s, nil
		}
		return s.ChooseSide(Side)
	})
}

// AskVM is what the dialog shows.
type AskVM struct {
	Again Again
	// Model and Endpoint are what holds where nothing is typed.
	Model, Endpoint string
	// Facts are what would be sent, where to, and what it costs; Changes how it differs from what was recorded.
	Facts   []core.StatusItem
	Changes string
	// Problem is why it cannot be sent, "" where it can.
	Problem string
	Can     bool
	Send    string // the words on the button
}

// askViewOf is what the dialog shows.
func askViewOf(s core.State) AskVM {
	a := core.Of[asking](s)
	v := AskVM{Again: a.Again, Can: canSend(s), Model: "as recorded", Endpoint: "the vendor's own",
		Send: "Ask", Problem: unable(s)}
	if a.Again.N > 1 {
		v.Send += " " + text.Count(a.Again.N, "time", "times")
	}
	if a.Turn != nil {
		if asked, _ := sentrequest.Payloads(a.Turn); asked != nil && asked.Model != "" {
			v.Model = text.Cut(text.Line(asked.Model), 60) + ", as recorded"
		}
	}
	if a.Problem != nil {
		v.Problem = strings.TrimSpace(a.Problem.Sentence + " " + a.Problem.Hint)
		return v
	}
	q := a.Quote
	if q == nil {
		v.Facts = []core.StatusItem{{Text: "Counting…", Tone: core.ToneMuted}}
		return v
	}
	v.Facts = costOf(q, a.Again.N)
	v.Facts = append(v.Facts, core.StatusItem{Text: "to " + text.Cut(text.Line(q.Host), 60), Tone: core.ToneNormal})
	switch {
	case q.Key != "":
		v.Facts = append(v.Facts, core.StatusItem{Text: "key: " + q.Key, Tone: core.ToneMuted})
	case q.Needed && v.Problem == "":
		v.Problem = "No key for " + text.Line(q.Host) + " is known: set it up under Edit, Settings…, or name an " +
			"endpoint that needs none."
	default:
		v.Facts = append(v.Facts, core.StatusItem{Text: "without a key", Tone: core.ToneMuted})
	}
	if q.Marks > 0 {
		v.Facts = append(v.Facts, core.StatusItem{Tone: core.ToneWarn, Text: text.Count(q.Marks, "secret", "secrets") +
			" never stored: sent as marks"})
	}
	lines := q.Changes
	for _, l := range lines[:min(len(lines), 6)] {
		v.Changes += text.Cut(text.Line(l), 100) + "\n"
	}
	if more := len(lines) - 6; more > 0 {
		v.Changes += "and " + text.Count(more, "more line", "more lines")
	}
	if len(lines) == 0 {
		v.Changes = "Every byte as it was recorded."
	}
	v.Changes = strings.TrimSpace(v.Changes)
	return v
}

// costOf is what n requests cost in tokens.
func costOf(q *Quote, n int) []core.StatusItem {
	about := "about "
	if q.Counted {
		about = ""
	}
	one := text.Thousands(q.Tokens)
	if n > 1 {
		one = fmt.Sprintf("%d × %s = %s", n, one, text.Thousands(n*q.Tokens))
	}
	out := []core.StatusItem{{Text: about + one + " tokens in", Tone: core.ToneNormal}}
	if q.Output > 0 {
		out = append(out, core.StatusItem{Text: "out: " + text.Thousands(q.Output) + " each last time",
			Tone: core.ToneMuted})
	}
	return out
}
