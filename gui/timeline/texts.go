package timeline

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/refscope/refscope/gui/core"
)

// A word of the filter is looked for in the texts of all turns too: what their pages say, and what is new in the
// messages that their models were sent. Those are read behind the window, some turns at a time, and kept, so that only
// the first word of a session takes time.

// leastWord is how long a word has to be, in bytes, to be looked for in texts.
const leastWord = 2

// Hits are how often each word stands in the texts of each turn. They are replaced, never changed in place.
type Hits map[string]map[int]int

// Of is how often a word stands in a turn.
func (h Hits) Of(word string, n int) int { return h[word][n] }

// Count is how often the words of a filter stand in a turn.
func (h Hits) Count(f turnFilter, n int) int {
	sum := 0
	for _, w := range f.words {
		if w.key == "" {
			sum += h.Of(w.text, n)
		}
	}
	return sum
}

// Engine reads the texts of turns.
type Engine interface {
	// SearchTurns calls each with how often each of the words, which are in lower case, stands in the texts of a turn
	// of the session in use, for every turn where one does. It calls from one goroutine, with how many turns are left.
	SearchTurns(ctx context.Context, words []string, each func(n, left int, counts []int)) error
	// ReadTexts reads the texts ahead, as far as it comes until the context ends; nil where all are read.
	ReadTexts(ctx context.Context) error
}

type (
	// searchTurns looks for words in the texts of all turns. [turnsSearched] answers, some turns at a time.
	searchTurns struct {
		Session int
		Words   []string
	}
	// readTexts reads texts before a word is looked for, while a person stays at a turn. [textsRead] answers where more
	// are left.
	readTexts struct {
		view view
		On   bool // from where the one before stopped
	}
)

// view is what a person looks at: a turn of a session, by the number of its opening.
type view struct{ Session, Turn int }

const (
	// readAhead is how long texts are read ahead at a time, so that what a person does next waits for no more.
	readAhead = 200 * time.Millisecond
	// searchEvery is how often a search that goes on tells what it found: each time the window is painted again.
	searchEvery = time.Second
	// leastAhead is from how many turns on texts are read ahead: those of fewer are read while the word is typed.
	leastAhead = 40
)

// readOn asks for texts ahead, once for each turn that a person comes to.
func readOn(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || s.PendingTurn != 0 || !s.Session.Kept || len(s.Session.Turns) < leastAhead {
		return s, nil
	}
	at := view{s.Session.Opened, s.Current.N}
	if core.Of[Model](s).ahead == at {
		return s, nil
	}
	edit(&s).ahead = at
	return s, []core.Effect{readTexts{view: at}}
}

func afterUpdate(s core.State) (core.State, []core.Effect) {
	s, effects := seekOn(s)
	s, more := readOn(s)
	return s, append(effects, more...)
}

// Pause implements [core.LatestWork]: who goes through turns waits for none of it.
func (e readTexts) Pause() time.Duration {
	if e.On {
		return 20 * time.Millisecond
	}
	return time.Second
}

// Do implements [core.Work].
func (e readTexts) Do(ctx context.Context, w *core.Worker) core.Msg {
	within, cancel := context.WithTimeout(ctx, readAhead)
	defer cancel()
	if core.EngineOf[Engine](w).ReadTexts(within) == nil || ctx.Err() != nil || within.Err() == nil {
		return nil // all are read, or cannot be: a search says so
	}
	return textsRead(e.view)
}

func textsRead(v view) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if s.Current == nil || v != (view{s.Session.Opened, s.Current.N}) {
			return s, nil
		}
		return s, []core.Effect{readTexts{v, true}}
	})
}

// plain are the words of the filter that are looked for in texts.
func (f turnFilter) plain() []string {
	var out []string
	for _, w := range f.words {
		if w.key == "" && len(w.text) >= leastWord && !slices.Contains(out, w.text) {
			out = append(out, w.text)
		}
	}
	return out
}

// search asks for the words of the filter that were not looked for.
func search(s core.State, f turnFilter) (core.State, []core.Effect) {
	m := edit(&s)
	words := f.plain()
	if slices.Equal(words, m.Words) {
		return s, nil
	}
	m.Words, m.Hits, m.Reading = words, nil, 0
	if len(words) == 0 || !s.Session.Kept {
		return s, nil
	}
	m.Reading = len(s.Session.Turns)
	return s, []core.Effect{searchTurns{s.Session.Opened, words}}
}

// Pause implements [core.LatestWork]: who types a word waits for none of its beginnings.
func (searchTurns) Pause() time.Duration { return 150 * time.Millisecond }

// Front implements [core.FrontWork].
func (searchTurns) Front() {}

// Do implements [core.Work].
func (e searchTurns) Do(ctx context.Context, w *core.Worker) core.Msg {
	hits, told := Hits{}, time.Now()
	for _, word := range e.Words {
		hits[word] = map[int]int{}
	}
	err := core.EngineOf[Engine](w).SearchTurns(ctx, e.Words, func(n, left int, counts []int) {
		for i, c := range counts {
			if c > 0 {
				hits[e.Words[i]][n] = c
			}
		}
		if time.Since(told) > searchEvery {
			told = time.Now()
			w.Dispatch(turnsSearched(e, hits.clone(), left, nil))
		}
	})
	if ctx.Err() != nil {
		return nil
	}
	return turnsSearched(e, hits, 0, w.Problem("search", err))
}

func (h Hits) clone() Hits {
	out := Hits{}
	for word, turns := range h {
		out[word] = maps.Clone(turns)
	}
	return out
}

// turnsSearched answers [searchTurns]. hits are all so far, left is how many turns are left.
func turnsSearched(e searchTurns, hits Hits, left int, problem *core.Problem) core.Msg {
	return core.Does(func(s core.State) (core.State, []core.Effect) {
		if e.Session != s.Session.Opened || !slices.Equal(e.Words, Of(s).Words) {
			return s, nil
		}
		model := edit(&s)
		model.Hits, model.Reading = hits, left
		model.HitsVersion++
		if problem != nil {
			s.Complain(core.TaskSession, problem)
		}
		return s, nil
	})
}
