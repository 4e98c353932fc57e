package window

import (
	"image"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFollow(t *testing.T) {
	kept, err := os.Create(filepath.Join(t.TempDir(), "trace"))
	require.NoError(t, err)
	from, to := io.Pipe()
	f := follow(from, kept)
	go func() {
		for _, line := range []string{
			`{"msg":"state","window":{"browser":"starting"}}`,
			`not JSON`,
			`{"msg":"other","window":{"browser":"wrong"}}`,
			`{"msg":"state","window":{"browser":"ready","marks":[{"ref":7,"rect":[10,20,30,40]}]}}`,
		} {
			_, _ = io.WriteString(to, line+"\n")
		}
		_ = to.Close()
	}()
	s, err := f.await(t.Context(), "ready", time.Minute, func(s windowState) bool { return s.Browser == "ready" })
	require.NoError(t, err)
	require.Equal(t, image.Rect(15, 20, 45, 60), rectangle(s.Marks[0].Rect, image.Pt(5, 0)))
	_, err = f.await(t.Context(), "ready again", time.Minute, func(s windowState) bool { return s.Browser == "ready" })
	require.NoError(t, err, "the last state counts")
	_, err = f.await(t.Context(), "a turn", time.Minute, func(s windowState) bool { return s.Turn > 0 })
	require.ErrorIs(t, err, errWindowEnded)
	<-f.ended
	require.NoError(t, kept.Close())
}

func TestAwaitSaysWhatItSaw(t *testing.T) {
	f := &follower{states: make(chan windowState, 1), last: windowState{Browser: "failed", Notice: "no Chrome"}}
	_, err := f.await(t.Context(), "the demo page", time.Millisecond, func(windowState) bool { return false })
	require.ErrorContains(t, err, `waiting for the demo page`)
	require.ErrorContains(t, err, `notice "no Chrome"`)
}

func TestClickable(t *testing.T) {
	state := windowState{Picture: [4]int{0, 0, 800, 600}}
	add := func(ref int, rect [4]int) {
		state.Marks = append(state.Marks, windowMark{Ref: ref, Rect: rect})
	}
	_, _, err := clickable(state, image.Point{})
	require.Error(t, err)
	add(1, [4]int{100, 100, 10, 10})  // too small
	add(2, [4]int{100, 200, 100, 40}) // something at its middle
	add(3, [4]int{140, 210, 20, 20})  // too narrow
	add(4, [4]int{760, 100, 100, 40}) // over the edge
	add(5, [4]int{300, 300, 100, 40})
	ref, box, err := clickable(state, image.Pt(10, 20))
	require.NoError(t, err)
	require.Equal(t, 5, ref)
	require.Equal(t, image.Rect(310, 320, 410, 360), box)
}
