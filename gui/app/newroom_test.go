package app_test

import (
	"context"
	"image"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app"
	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/dump"
)

// This file is the worked example of CONTRIBUTING, "A new room of the window": a side that
// counts the words of the page. What comes before the test is what the model of the folder
// gui/words would hold; a room in the program differs in nothing.

// wordsModel is the state of the room; nothing outside changes it.
type wordsModel struct {
	Turn  *core.Turn // what was counted, or is being counted
	Count int
}

const wordsSide core.Side = "words"

// wordsRoom is what the room adds to the window.
func wordsRoom() core.Room {
	return core.Room{
		Name: "words",
		Side: &core.SideRow{
			Side: wordsSide, Title: "Words", Command: "side.words", Does: "how many words the page has",
			Place: 99, AfterUpdate: fillWords,
		},
		Commands: func(core.State) []core.Command {
			return []core.Command{{
				ID: "words.again", Title: "Count words again", Menu: "Tools",
				Enabled: core.Shown, Msg: core.Send(countWordsAgain{}),
			}}
		},
	}
}

// countWordsAgain is a message: a person asked.
type countWordsAgain struct{}

// Apply says what the message does to the state, and what has to be done outside.
func (countWordsAgain) Apply(s core.State) (core.State, []core.Effect) {
	*core.Edit[wordsModel](&s) = wordsModel{}
	return fillWords(s)
}

// countWords is an effect: plain data that says what has to be done. wordsCounted answers it.
type countWords struct{ Turn *core.Turn }

// Do is what the window calls for the effect, away from its goroutine.
func (e countWords) Do(context.Context, *core.Worker) core.Msg {
	n := 0
	for i := range e.Turn.Capture.Nodes {
		n += len(strings.Fields(e.Turn.Capture.Nodes[i].Text))
	}
	return wordsCounted{e.Turn, n}
}

type wordsCounted struct {
	Turn  *core.Turn
	Words int
}

// Apply takes the answer, unless it is of a turn that nobody looks at any more.
func (m wordsCounted) Apply(s core.State) (core.State, []core.Effect) {
	if core.Of[wordsModel](s).Turn == m.Turn {
		core.Edit[wordsModel](&s).Count = m.Words
	}
	return s, nil
}

// fillWords asks for what the side shows of the turn in view, where that is not there yet.
func fillWords(s core.State) (core.State, []core.Effect) {
	if s.Current == nil || core.Of[wordsModel](s).Turn == s.Current {
		return s, nil
	}
	*core.Edit[wordsModel](&s) = wordsModel{Turn: s.Current}
	return s, []core.Effect{countWords{s.Current}}
}

// TestANewRoomIsOneLine holds the recipe: with the room in the table, its command and its
// side are there, its message leads to its effect, and the answer to what the side shows.
func TestANewRoomIsOneLine(t *testing.T) {
	formats := []dump.Format{"dddk"}
	s := core.New(append(app.Rooms(), wordsRoom()), core.Prefs{}, "", image.Pt(1280, 720), formats, nil, nil)

	var titles []string
	for _, c := range s.Commands() {
		titles = append(titles, c.Title)
	}
	require.Contains(t, titles, "Count words again")
	sides := s.Sides()
	require.Equal(t, wordsSide, sides[len(sides)-1].Side)

	s.Current = apptest.TurnOf(1)
	s, effects := countWordsAgain{}.Apply(s)
	require.Len(t, effects, 1)
	answer := effects[0].(core.Work).Do(t.Context(), &core.Worker{})
	require.Equal(t, 2, answer.(wordsCounted).Words)
	s, effects = answer.(wordsCounted).Apply(s)
	require.Empty(t, effects)
	require.Equal(t, 2, core.Of[wordsModel](s).Count)

	_, effects = fillWords(s)
	require.Empty(t, effects, "what is there is not asked for again")
}
