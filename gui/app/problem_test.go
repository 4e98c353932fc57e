package app

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
)

func TestProblem(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want *core.Problem
	}{
		{"none", nil, nil},
		{"a sentence of it", errors.New("no Chrome found: install one"),
			&core.Problem{Sentence: "No Chrome found: install one."}},
		{"a URL keeps its case", errors.New("https://x.example/ could not be loaded"),
			&core.Problem{Sentence: "https://x.example/ could not be loaded."}},
		{"a path keeps its case", errors.New("pages/x.html is a folder"),
			&core.Problem{Sentence: "pages/x.html is a folder."}},
		{"ends already", errors.New("stop."), &core.Problem{Sentence: "Stop."}},
		{"hint, wrapped", fmt.Errorf("opening: %w", &core.Hinted{Err: errors.New("it crashed"), Hint: "Again."}),
			&core.Problem{Sentence: "Opening: it crashed.", Hint: "Again."}},
		{"canceled", fmt.Errorf("opening: %w", context.Canceled), &core.Problem{Sentence: "Opening: context canceled.",
			Canceled: true}},
		{"gone", fmt.Errorf("%w: EOF", core.ErrBrowserGone), &core.Problem{BrowserGone: true}},
		{"hostile", errors.New("title \x1b[2J\u202e"), &core.Problem{Sentence: `Title \u{1b}[2J\u{202e}.`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, core.ProblemOf(tt.err)) })
	}
}
