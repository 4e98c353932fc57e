package app

import (
	"errors"
	"flag"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/text"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/payload"
	"github.com/refscope/refscope/snapshot/turn"
)

var pictures = flag.String("pictures", "", "folder for pictures of the window, to be looked at")

// bench drives a window by the test driver. Work of other goroutines is posted to
// a channel and run by await on the test's own goroutine, as on a real window's.
type bench struct {
	t      testing.TB
	shell  *Shell
	engine *fake
	posted chan func()
	places []string // what Ask answers, in order
	asked  []string // the names it was asked with
}

func (b *bench) File(name string, done func(string))         { b.answer(name, done) }
func (b *bench) Existing(title, _ string, done func(string)) { b.answer(title, done) }
func (b *bench) Folder(name string, done func(string))       { b.answer(name, done) }

func (b *bench) Session(_ bool, done func(string)) { b.answer("session", done) }

func (b *bench) answer(name string, done func(string)) {
	b.asked = append(b.asked, name)
	if len(b.places) > 0 {
		place := b.places[0]
		b.places = b.places[1:]
		done(place)
	}
}

func open(t testing.TB, f *fake, change func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, engine: f, posted: make(chan func(), 1024)}
	o := Options{App: test.NewTempApp(t), Engine: f, Post: func(fn func()) { b.posted <- fn }, Ask: b,
		Counter: coretest.Counter()}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	require.NoError(t, err)
	b.shell = s
	s.win.Resize(fyne.NewSize(1600, 960))
	t.Cleanup(s.Close)
	t.Cleanup(func() {
		if fyne.CurrentApp() == s.opt.App { // another one that the test opened has its own theme
			partstest.Still(t, s.win.Content())
		}
	})
	return b
}

// await runs posted work until the condition holds.
func (b *bench) await(what string, ok func(core.State) bool) core.State {
	b.t.Helper()
	limit := time.After(time.Minute)
	for len(b.posted) > 0 || !ok(b.shell.State()) {
		select {
		case fn := <-b.posted:
			fn()
		case <-limit:
			b.t.Fatalf("waited in vain for: %s; strip %q, tasks %v", what, Note(b.shell.State()).Text,
				b.shell.State().Tasks)
		}
	}
	return b.shell.State()
}

// settled waits until nothing runs and the text in view is there.
func (b *bench) settled() core.State {
	b.t.Helper()
	return b.await("nothing to do", func(s core.State) bool {
		return len(s.Tasks) == 0 && (s.Current == nil || s.Doc(s.Format) != nil)
	})
}

func (b *bench) command(id string) { b.shell.Dispatch(core.CommandChosen{ID: id}) }

// shoot writes a picture of the window where --pictures asks for it.
func (b *bench) shoot(name string) {
	if *pictures == "" {
		return
	}
	f, err := os.Create(filepath.Join(*pictures, name+".png"))
	require.NoError(b.t, err)
	require.NoError(b.t, png.Encode(f, b.shell.win.Canvas().Capture()))
	require.NoError(b.t, f.Close())
}

// markAt is a point on the canvas over the middle of a mark.
func (b *bench) markAt(ref int) fyne.Position {
	s := b.shell.State()
	m := s.Current.Scene.ByRef(ref)
	require.NotNil(b.t, m, "mark %d", ref)
	cam := b.shell.panes.picture.Shot().Camera()
	x, y := m.Box.Center()
	scale := float64(b.shell.win.Canvas().Scale())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(b.shell.panes.picture.Shot())
	return at.AddXY(float32((x-cam.X)*cam.Scale/scale), float32((y-cam.Y)*cam.Scale/scale))
}

func refOf(t *testing.T, s core.State, name string) int {
	t.Helper()
	for _, n := range s.Current.Capture.Nodes {
		if n.Name == name {
			require.NotZero(t, n.Ref)
			return n.Ref
		}
	}
	t.Fatalf("no element is called %q", name)
	return 0
}

func TestJourney(t *testing.T) {
	b := open(t, newFake(), nil)
	s := b.await("a first turn", func(s core.State) bool { return s.Current != nil })
	require.Equal(t, []string{fakeURL}, b.engine.opened(), "a first start opens the demo site")
	require.Equal(t, 1, s.Current.N)
	require.Equal(t, "goto", s.Current.Action)
	b.settled()
	b.shoot("1-first-start-dark")

	// A click on a box selects its line.
	button := refOf(t, s, "Place order")
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(button))
	s = b.await("a selection", func(s core.State) bool { return s.Selected.Some() })
	require.Equal(t, button, s.Selected.Ref)
	require.Equal(t, core.PanePicture, s.Selected.Source)
	s = b.settled()
	doc := s.Doc(format.DDDK).Doc
	line := doc.Lines[doc.LineOf(s.Selected.Node)]
	require.Contains(t, doc.Text[line.Start:line.End], "Place order")
	require.Equal(t, button, text.ViewOf(s).Selected)
	require.Contains(t, details.ViewOf(s).Note.Text, "We use cookies")
	b.shoot("2-selected-dark")

	// The selection survives a change of format.
	b.command("format.semantic")
	s = b.await("the other text", func(s core.State) bool { return s.Doc(format.Semantic) != nil })
	require.Equal(t, button, s.Selected.Ref)
	require.Equal(t, button, text.ViewOf(s).Selected)
	require.Same(t, s.Doc(format.Semantic).Doc, text.ViewOf(s).Doc)
	b.shoot("3-semantic-dark")

	// Everything to a folder: the files are what the pure functions give.
	folder := filepath.Join(t.TempDir(), "out")
	b.places = []string{folder}
	b.command(export.CmdExportAll)
	s = b.await("the export", func(s core.State) bool { return s.Notice != nil })
	require.Equal(t, core.ToneGood, s.Notice.Tone, s.Notice.Text)
	require.Contains(t, s.Notice.Text, folder)
	want := export.AllExports(format.Plain(), payload.Dialects())
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, len(want))
	for _, e := range want {
		got, err := os.ReadFile(filepath.Join(folder, export.FileName(1, e)))
		require.NoError(t, err)
		alone := filepath.Join(t.TempDir(), "alone")
		done := export.WriteExport{Export: e, Turn: s.Current, Path: alone}.Do(t.Context(), coretest.Worker(b.engine))
		require.Nil(t, done.(export.Exported).Problem)
		expected, err := os.ReadFile(alone)
		require.NoError(t, err)
		require.Equal(t, expected, got, export.FileName(1, e))
		require.NotEmpty(t, got)
	}
	clean, err := os.ReadFile(filepath.Join(folder, "turn-0001-clean.png"))
	require.NoError(t, err)
	marked, err := os.ReadFile(filepath.Join(folder, "turn-0001-marked.png"))
	require.NoError(t, err)
	require.Equal(t, s.Current.Picture, clean)
	require.NotEqual(t, clean, marked)

	// One file, by its own dialog.
	b.places = []string{filepath.Join(folder, "my.txt")}
	b.shell.Dispatch(core.NoticeClosed{})
	b.command("export.dump.dddk")
	b.await("the file", func(s core.State) bool { return s.Notice != nil })
	require.Equal(t, []string{"turn-0001-export", "turn-0001-dddk.txt"}, b.asked)
	text, err := os.ReadFile(filepath.Join(folder, "my.txt"))
	require.NoError(t, err)
	require.Equal(t, doc.Text, string(text))

	// Light, with a second turn.
	b.command(core.CmdTheme)
	b.command("format.dddk")
	b.command(core.CmdCapture)
	s = b.await("a second turn", func(s core.State) bool { return s.Current.N == 2 })
	require.Equal(t, button, s.Selected.Ref, "the selection follows its element")
	b.settled()
	b.shoot("4-light")
	b.command(core.CmdHelp)
	b.settled()
	b.shoot("5-help-light")
	require.NotNil(t, b.shell.dialog)
}

func TestSecondStartShowsTheNewestTurn(t *testing.T) {
	f := newFake()
	for n := 1; n <= 3; n++ {
		c := coretest.Checkout()
		f.turns = append(f.turns, &core.Recorded{Record: turn.Record{N: n, Action: "goto", Capture: c, Picture: coretest.Picture(c)}})
	}
	f.damaged = []core.Damage{{N: 4, Why: "turn.json: it was changed"}}
	b := open(t, f, nil)
	s := b.await("the newest turn", func(s core.State) bool {
		return s.Current != nil && s.Address.Text != "" &&
			len(s.Tasks) == 0
	})
	require.Equal(t, 3, s.Current.N)
	require.Equal(t, fakeURL, s.Address.Text)
	require.Len(t, f.turns, 3, "nothing was captured")
	require.Contains(t, Note(s).Text, "1 turn of this session is damaged")
	b.await("thumbnails", func(s core.State) bool { return s.Session.Turns[0].Thumb != nil })
	b.shoot("6-damaged-dark")
	b.shell.Dispatch(core.DamageChosen{Index: 0})
	s = b.await("the reason", func(s core.State) bool { return strings.Contains(Note(s).Text, "Turn 4 is damaged") })
	require.Contains(t, Note(s).Text, "it was changed")

	b.command("turn.previous")
	s = b.await("the turn before", func(s core.State) bool { return s.Current.N == 2 })
	require.Equal(t, 2, s.Current.N)
}

func TestCancelACapture(t *testing.T) {
	b := open(t, newFake(), nil)
	b.await("a first turn", func(s core.State) bool { return s.Current != nil })
	b.engine.mu.Lock()
	b.engine.gate = make(chan struct{})
	b.engine.mu.Unlock()
	b.command(core.CmdCapture)
	s := b.await("progress", func(s core.State) bool { return picture.Progress(s).Stage == "reading the page" })
	b.shoot("7-busy-dark")
	require.True(t, labelled(b, "Cancel") != nil)
	b.press("Cancel")
	s = b.await("the end", func(s core.State) bool { return len(s.Tasks) == 0 && s.Notice != nil })
	require.Equal(t, "The capture was stopped; nothing was recorded.", s.Notice.Text)
	require.Len(t, b.engine.turns, 1)
	require.False(t, labelled(b, "Cancel") != nil)
}

func TestChromeIsKilled(t *testing.T) {
	b := open(t, newFake(), nil)
	b.await("a first turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.engine.mu.Lock()
	close(b.engine.gone)
	b.engine.mu.Unlock()
	s := b.await("the news", func(s core.State) bool { return s.Browser.Phase == core.PhaseGone })
	require.Equal(t, "Chrome has ended.", Note(s).Text)
	require.Equal(t, 1, s.Current.N)
	b.shoot("8-gone-dark")
	b.press("Start Chrome again")
	s = b.await("Chrome again", func(s core.State) bool {
		return s.Browser.Phase == core.PhaseReady &&
			len(s.Tasks) == 0
	})
	require.Nil(t, s.Notice)
	b.command(core.CmdCapture)
	b.await("a capture", func(s core.State) bool { return s.Current.N == 2 })
}

func TestThingsThatFail(t *testing.T) {
	tests := []struct {
		name string
		set  func(*fake)
		text string
		hint string
	}{
		{"no chrome", func(f *fake) { f.noChrome = errors.New("no Chrome or Chromium found: install chromium") },
			"No Chrome or Chromium found: install chromium.", ""},
		{"unreachable", func(f *fake) { f.openErr = errors.New("opening http://x/: nothing answers") },
			"Opening http://x/: nothing answers.", ""},
		{"hint", func(f *fake) { f.openErr = &core.Hinted{Err: errors.New("the tab crashed"), Hint: "Open it again."} },
			"The tab crashed.", "Open it again."},
		{"hostile text", func(f *fake) { f.openErr = errors.New("opening a\u202e\nb") }, `Opening a\u{202e} b.`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			tt.set(f)
			b := open(t, f, nil)
			s := b.await("a sentence", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
			require.Equal(t, tt.text, Note(s).Text)
			require.Equal(t, tt.hint, Note(s).Hint)
			b.shoot("9-" + strings.ReplaceAll(tt.name, " ", "-"))
		})
	}
	t.Run("no folder", func(t *testing.T) {
		f := newFake()
		f.noFolder = &core.Hinted{Err: errors.New("session cannot be written"), Hint: "Choose another."}
		b := open(t, f, nil)
		s := b.await("a turn all the same", func(s core.State) bool { return s.Current != nil })
		require.Equal(t, "Session cannot be written.", Note(s).Text)
	})
	t.Run("export", func(t *testing.T) {
		b := open(t, newFake(), nil)
		b.await("a turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
		b.places = []string{filepath.Join(t.TempDir(), "no", "such", "file.png")}
		b.command(export.CmdMarked)
		b.shell.Dispatch(export.MarkingConfirmed())
		s := b.await("a sentence", func(s core.State) bool { return s.Notice != nil })
		require.Equal(t, core.ToneBad, s.Notice.Tone)
		require.Contains(t, s.Notice.Text, "cannot be written")
		require.NotEmpty(t, s.Notice.Hint)
	})
}

func TestKeys(t *testing.T) {
	b := open(t, newFake(), nil)
	b.await("a turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	test.TypeOnCanvas(b.shell.win.Canvas(), "x")
	require.False(t, b.await("boxes off", func(s core.State) bool { return !s.Layers.Boxes }).Layers.Boxes)
	b.shell.win.Canvas().Focus(b.shell.panes.bar.address)
	test.Type(b.shell.panes.bar.address, "l")
	b.settled()
	require.True(t, b.shell.State().Layers.Labels, "a letter in the address is a letter")
	for _, c := range b.shell.commands {
		if c.Key != "" {
			_, _, err := shortcut(c.Key)
			require.NoError(t, err, c.ID)
		}
	}
	inMenus := 0
	for _, c := range b.shell.commands {
		if c.Menu != "" {
			inMenus++
		}
	}
	require.Len(t, b.shell.menus.items, inMenus, "every command with a menu stands in it")
}

func TestCloseWaitsForEverything(t *testing.T) {
	f := newFake()
	f.gate = make(chan struct{}) // a capture that never ends by itself
	b := open(t, f, nil)
	b.await("a capture under way", func(s core.State) bool { return picture.Progress(s).Stage == "reading the page" })
	b.shell.Close()
	b.shell.Close()
	require.Equal(t, 1, f.closed)
	require.Empty(t, b.shell.runner.tasks)
}

func TestTrace(t *testing.T) {
	var out strings.Builder
	b := open(t, newFake(), func(o *Options) {
		o.Trace = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	s := b.await("a turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	ref := refOf(t, s, "Accept all")
	rec := traceOf(b.shell, b.settled())
	require.Equal(t, 1, rec.Turn)
	var found bool
	for _, m := range rec.Marks {
		if m.Ref == ref {
			found = true
			at := b.markAt(ref)
			require.InDelta(t, at.X, float32(m.Rect[0])+float32(m.Rect[2])/2, 1.5)
			require.InDelta(t, at.Y, float32(m.Rect[1])+float32(m.Rect[3])/2, 1.5)
		}
	}
	require.True(t, found)
	require.Contains(t, out.String(), `"msg":"state"`)
	require.Contains(t, out.String(), `"turn":1`)
}
