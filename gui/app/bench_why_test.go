package app

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/picture"
)

// BenchmarkPointer is one move of the pointer over the picture, with everything that the
// window then looks at, in a session of 1,000 turns.
func BenchmarkPointer(b *testing.B) {
	posted := make(chan func(), 1024)
	f := newFake()
	s, err := New(Options{App: test.NewTempApp(b), Engine: f, Post: func(fn func()) { posted <- fn }, Ask: &bench{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	s.win.Resize(fyne.NewSize(1600, 960))
	for s.State().Current == nil || len(s.State().Tasks) > 0 {
		(<-posted)()
	}
	st := s.State()
	for n := 2; n <= 1000; n++ {
		st.Session.Turns = append(st.Session.Turns, core.TurnRow{N: n, URL: "http://127.0.0.1/", Action: "capture"})
	}
	s.changed(s.State(), st, nil)
	for i := 0; b.Loop(); i++ {
		next, effects := core.Update(st, picture.Pointed{Pointer: picture.Pointer{Over: true, X: float64(i % 1280),
			Y: float64(i % 800)}})
		s.changed(st, next, effects)
		st = next
	}
}
