package turn

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRetract(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
	require.NoError(t, err)
	require.ErrorIs(t, s.Retract(ctx, 1, ""), ErrNoNote)
	for _, a := range []Annotation{{Turn: 1, Verdict: "pass"}, {Turn: 1, Ref: 3, Verdict: "bad", Text: "wrong colour"},
		{Turn: 1, Verdict: "fail"}} {
		_, err := s.Annotate(ctx, a)
		require.NoError(t, err)
	}
	list, _, err := s.Annotations(ctx)
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, 3, list[1].Ref)

	require.NoError(t, s.Retract(ctx, 3, "Ada"))
	require.ErrorIs(t, s.Retract(ctx, 3, "Ada"), ErrNoNote)
	list, damage, err := s.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 2)
	require.Equal(t, []string{"pass", "bad"}, []string{list[0].Verdict, list[1].Verdict})

	next, err := s.Annotate(ctx, Annotation{Turn: 1, Text: "later"})
	require.NoError(t, err)
	require.Equal(t, 5, next.N, "numbers are never used again")
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)

	b, err := os.ReadFile(filepath.Join(path, notesFile))
	require.NoError(t, err)
	require.Contains(t, string(b), `"fail"`, "who said what is not lost")
	_, err = s.Annotate(ctx, Annotation{Ref: 3, Text: "of no turn"})
	require.ErrorContains(t, err, "cannot be")
}

// TestTwoWritersOfNotes: what two stores of one folder say at once is all there.
func TestTwoWritersOfNotes(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
	require.NoError(t, err)
	other, err := Open(Dir(path))
	require.NoError(t, err)
	var both sync.WaitGroup
	for _, w := range []*Store{s, other} {
		both.Go(func() {
			for range 10 {
				_, err := w.Annotate(ctx, Annotation{Turn: 1, Text: "x"})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	list, damage, err := s.Annotations(ctx)
	require.NoError(t, err)
	require.Empty(t, damage)
	require.Len(t, list, 20)
	require.Equal(t, 20, list[19].N)
}

func TestFollowNotes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s, path := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
	require.NoError(t, err)
	other, err := Open(Dir(path))
	require.NoError(t, err)
	seen, ended := make(chan []Annotation, 8), make(chan error, 1)
	go func() { ended <- s.FollowNotes(ctx, func(l []Annotation) { seen <- l }) }()
	require.Empty(t, <-seen)
	_, err = other.Annotate(ctx, Annotation{Turn: 1, Verdict: "good"})
	require.NoError(t, err)
	for l := range seen { // the file may be seen before its line is
		if len(l) == 1 {
			break
		}
	}
	require.NoError(t, other.Retract(ctx, 1, ""))
	for l := range seen {
		if len(l) == 0 {
			break
		}
	}
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
}

func TestJudge(t *testing.T) {
	for word, want := range map[string]Judgement{"": Unjudged, "Pass": Good, "ok": Good, "FAIL": Bad, "wrong": Bad,
		"question": Questionable, "unclear": Questionable, "maybe": Unjudged} {
		require.Equal(t, want, Judge(word), word)
	}
}
