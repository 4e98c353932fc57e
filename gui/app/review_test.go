package app

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/changes"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/details"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/payload"
	"github.com/refscope/refscope/gui/picture"
	"github.com/refscope/refscope/gui/sessions"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/refscope/refscope/snapshot/turn"
)

// recorded makes turns 1 to n of one page with the numbers of one session. In each
// even turn the banner is gone and the button has another name.
func recorded(n int) []*core.Recorded {
	ledger := turn.NewLedger()
	var out []*core.Recorded
	for i := 1; i <= n; i++ {
		c := coretest.Checkout()
		if i%2 == 0 {
			for _, gone := range []int{9, 10, 11} {
				c.Nodes[gone].Verdict, c.Nodes[gone].Visible = snapshot.VerdictDisplayNone, false
			}
			c.Nodes[8].Name = "Pay now"
			c.Nodes[8].Occlusion = &snapshot.Occlusion{State: snapshot.Clear, VisibleShare: 1, HitShare: 1,
				Click: [2]float64{740, 634}}
			c.Console = []snapshot.ConsoleEntry{{Level: "error", Text: "boom"}}
		}
		ledger.Assign("A", i, c)
		out = append(out, &core.Recorded{Record: turn.Record{N: i, Action: "click", Capture: c, Picture: coretest.Picture(c)}})
	}
	return out
}

// reviewing opens a window on a session of n turns.
func reviewing(t *testing.T, n int, change func(*Options)) *bench {
	t.Helper()
	f := newFake()
	f.turns = recorded(n)
	f.others = map[string][]*core.Recorded{"shop": recorded(2)}
	b := open(t, f, change)
	b.await("the newest turn, compared", func(s core.State) bool {
		return s.Current != nil && s.Current.N == n && (s.Changes != nil || n == 1) && s.Address.Text != "" &&
			len(s.Tasks) == 0
	})
	b.settled()
	return b
}

func TestFollowASession(t *testing.T) {
	b := reviewing(t, 2, nil)
	all := recorded(5)
	s := b.shell.State()
	ref := refOf(t, s, "Full name")
	b.shell.Dispatch(core.Picked{Ref: ref, Source: core.PaneDump})

	b.engine.written <- all[2]
	s = b.await("the turn of another process", func(s core.State) bool { return s.Current.N == 3 })
	require.Equal(t, ref, s.Selected.Ref, "the selection is kept")
	require.Equal(t, "● Following", b.shell.panes.bar.follow.Text())
	require.True(t, b.shell.panes.bar.follow.On())

	test.TypeOnCanvas(b.shell.win.Canvas(), "k")
	b.await("the turn before", func(s core.State) bool { return s.Current.N == 2 })
	b.engine.written <- all[3]
	s = b.await("a turn that is only listed", func(s core.State) bool { return len(s.Session.Turns) == 4 })
	require.Equal(t, 2, s.Current.N)
	require.Equal(t, "Paused · 1 new", b.shell.panes.bar.follow.Text())
	require.Contains(t, Note(s).Text, "Following is paused")
	b.settled()
	b.shoot("20-paused-dark")

	test.TypeOnCanvas(b.shell.win.Canvas(), "f")
	b.await("the newest", func(s core.State) bool { return s.Current.N == 4 && s.Notice == nil })
	b.engine.written <- all[4]
	b.await("and on", func(s core.State) bool { return s.Current.N == 5 })
	b.settled()
}

func TestChangesBetweenTurns(t *testing.T) {
	b := reviewing(t, 2, nil)
	test.TypeOnCanvas(b.shell.win.Canvas(), "d")
	s := b.await("the tab", func(s core.State) bool { return s.Side == changes.Side })
	pane := b.shell.panes.sides.panes[changes.Side]
	require.True(t, pane.Object().Visible())
	require.False(t, b.shell.panes.sides.text().Object().Visible())
	require.Contains(t, s.Changes.Rows.Doc.Text, `renamed to "Pay now"`)
	require.Equal(t, "Changes", b.shell.panes.sides.tabs[changes.Side].Text())

	// A row selects its box, and the other way round: what was added or changed can be chosen
	// with the keyboard alone.
	button := refOf(t, s, "Pay now")
	b.shell.win.Canvas().Focus(pane.Focus())
	pane.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	pane.Focus().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s = b.await("the box", func(s core.State) bool { return s.Selected.Ref == button })
	require.Equal(t, button, picture.ViewOf(s).Selected)
	b.shell.Dispatch(core.Picked{})
	b.await("nothing", func(s core.State) bool { return !s.Selected.Some() })
	test.TapCanvas(b.shell.win.Canvas(), b.markAt(button))
	s = b.await("the row", func(s core.State) bool { return s.Selected.Ref == button })
	require.Equal(t, button, changes.ViewOf(s).List.Selected)
	b.settled()
	b.shoot("21-changes-dark")

	// What is gone is shown in the turn before.
	gone := refOf(t, core.State{Current: s.Previous}, "Accept all")
	b.shell.Dispatch(core.Picked{Ref: gone, Source: core.PaneDump})
	s = b.await("what is gone", func(s core.State) bool { return s.Selected.Ref == gone })
	require.Contains(t, picture.ViewOf(s).Missing, "B shows where it was")
	require.Contains(t, details.ViewOf(s).Note.Text, "Not in turn 2")
	test.TypeOnCanvas(b.shell.win.Canvas(), "b")
	s = b.await("the picture before", func(s core.State) bool { return s.ShowPrevious })
	require.Same(t, s.Previous.Scene, picture.ViewOf(s).Scene)
	require.True(t, labelled(b, "Before").(*parts.Chip).On())
	b.settled()
	b.shoot("22-before-dark")
}

func TestHeldKey(t *testing.T) {
	now := time.Unix(0, 0)
	var ran []string
	k := newKeymap(core.New(Rooms(), core.Prefs{}, "", image.Point{}, nil, nil, nil).Commands(), func(id string) {
		ran = append(ran, id)
	})
	k.now = func() time.Time { return now }
	press := func(d time.Duration) {
		k.held(fyne.KeyB, true)
		k.typedRune('b')
		k.typedRune('b') // the keyboard repeats it
		now = now.Add(d)
		k.held(fyne.KeyB, false)
	}
	press(100 * time.Millisecond)
	require.Equal(t, []string{picture.CmdBefore}, ran, "a short press switches")
	ran = nil
	press(2 * time.Second)
	require.Equal(t, []string{picture.CmdBefore, picture.CmdBefore}, ran, "a long one lasts while it is held")
	ran = nil
	k.held(fyne.KeyB, false)
	k.held(fyne.KeyL, true)
	require.Empty(t, ran)
	k.typedRune('l')
	k.typedRune('b')
	require.Equal(t, []string{picture.CmdLabels, picture.CmdBefore}, ran,
		"where nothing tells of keys that go down, characters do")
}

func TestOpenAnotherSession(t *testing.T) {
	b := reviewing(t, 1, nil)
	b.command(core.CmdSessions)
	b.await("the list", func(s core.State) bool { return s.Dialog == core.DialogSessions && sessions.Of(s).Listed })
	entry := b.shell.win.Canvas().Focused()
	b.shoot("23-sessions-dark")
	test.Type(entry, "SHO")
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s := b.await("the other session", func(s core.State) bool {
		return s.Session.Name == "shop" && s.Current != nil &&
			s.Current.N == 2
	})
	require.Equal(t, []string{"shop"}, b.engine.sessions())
	require.Nil(t, b.shell.dialog)
	require.Equal(t, 2, s.Current.N)
	b.settled()

	// By the address bar, with a turn; then something that is no session.
	b.shell.Dispatch(core.AddressEntered{Text: "shop#1"})
	s = b.await("its first turn", func(s core.State) bool {
		return s.Current != nil && s.Current.N == 1 &&
			len(s.Tasks) == 0
	})
	require.Equal(t, core.FollowPaused, s.Follow)
	b.shell.Dispatch(core.AddressEntered{Text: "nothere"})
	b.await("a question", func(s core.State) bool { return s.Notice != nil && s.Notice.Command == core.CmdAway })
	b.press("Go to the window's session")
	b.await("a page", func(core.State) bool { return slices.Contains(b.engine.opened(), "https://nothere") })
	b.settled()
	b.shell.Dispatch(core.SessionChosen("/no/such"))
	s = b.await("a sentence", func(s core.State) bool { return s.Notice != nil })
	require.Equal(t, "Session not found: /no/such.", Note(s).Text)

	// By a dialog, and Esc leaves the list.
	b.places = []string{"shop"}
	b.command("session.folder")
	b.await("asked", func(core.State) bool { return len(b.engine.sessions()) == 5 })
	b.command(core.CmdSessions)
	b.await("the list", func(s core.State) bool { return s.Dialog == core.DialogSessions })
	b.shell.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.await("no list", func(s core.State) bool { return s.Dialog == core.DialogNone && len(s.Tasks) == 0 })
	require.Nil(t, b.shell.dialog)
}

func TestPayloadPane(t *testing.T) {
	b := reviewing(t, 1, nil)
	test.TypeOnCanvas(b.shell.win.Canvas(), "y")
	s := b.await("a payload", func(s core.State) bool { return payload.Of(s).Built != nil })
	require.True(t, b.shell.panes.sides.panes[payload.Side].Object().Visible())
	require.NotContains(t, b.shell.panes.sides.place.Objects, b.shell.panes.sides.split)
	for _, d := range s.Dialects {
		b.shell.Dispatch(payload.Chosen(core.PayloadChoice{Dialect: d}))
		s = b.await(d, func(s core.State) bool {
			return payload.Of(s).Built != nil &&
				payload.Of(s).Built.Choice.Dialect == d
		})
		p, err := payload.Exact(s.Current, payload.Of(s).Choice, nil)
		require.NoError(t, err)
		require.Equal(t, p.Body, payload.Of(s).Built.Body, "the exact bytes")
		require.Equal(t, p.SHA256, payload.Of(s).Built.SHA256)
		require.Same(t, payload.Of(s).Built.Exact, payload.ViewOf(s).Body.Doc)
		require.NotEmpty(t, payload.ViewOf(s).Rows)
		b.shoot("24-payload-" + d + "-dark")
	}

	// A section of the table shows its lines, and the other way round.
	rows := the[*parts.List](b)
	rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	rows.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s = b.await("a section", func(s core.State) bool { return payload.Of(s).Section == 2 })
	require.True(t, payload.ViewOf(s).Rows[1].Selected)

	// Saved and copied bytes are the body, also while the pretty text is in view.
	b.command(payload.CmdPretty)
	s = b.await("pretty", func(s core.State) bool { return payload.Of(s).Pretty })
	b.settled()
	b.shoot("25-payload-pretty-dark")
	file := filepath.Join(t.TempDir(), "body.json")
	b.places = []string{file}
	b.command(payload.CmdPayloadSave)
	b.await("the file", func(s core.State) bool { return s.Notice != nil })
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, payload.Of(s).Built.Body, got)
	b.command(payload.CmdPayloadCopy)
	b.await("copied", func(s core.State) bool { return s.Notice != nil && strings.HasPrefix(s.Notice.Text, "Copied") })
	require.Equal(t, string(got), b.shell.opt.App.Clipboard().Content())
	for _, m := range []string{payload.CmdDialects, payload.CmdModels} {
		b.command(m)
		b.settled()
		require.NotNil(t, b.shell.win.Canvas().Overlays().Top(), "%s drops its menu down", m)
		b.shell.Dispatch(core.HelpToggled()) // by its key
		b.settled()
		require.Len(t, b.shell.win.Canvas().Overlays().List(), 1, "the menu gives way to the dialog")
		b.shell.escape()
		b.settled()
		require.Empty(t, b.shell.win.Canvas().Overlays().List(), "one Escape leaves the dialog")
	}
}

func TestStoredPayloadIsShownAsItIs(t *testing.T) {
	f := newFake()
	f.turns = recorded(1)
	sent := []byte("event: x\n\ndata: {\"k\":\"[redacted: key]\"}\n\xff")
	at := strings.Index(string(sent), "[redacted")
	f.turns[0].Payloads = []turn.Payload{{Dialect: "other", Way: "request", Bytes: sent, Wire: true,
		Redacted: []redact.Span{{Start: at, End: at + 15, Why: "key"}}}}
	b := open(t, f, nil)
	b.await("the turn", func(s core.State) bool { return s.Current != nil && len(s.Tasks) == 0 })
	b.command(payload.CmdPayload)
	s := b.await("the stored bytes", func(s core.State) bool { return payload.Of(s).Built != nil })
	require.Equal(t, sent, payload.Of(s).Built.Body)
	require.NotNil(t, labelled(b, "sent: other request ▾"))
	require.Contains(t, fmt.Sprint(payload.ViewOf(s).Facts), "1 redacted span")
	require.False(t, payload.ViewOf(s).CanPrint)
	b.shoot("26-payload-stored-dark")
}

func TestMarkedPictureWithChoices(t *testing.T) {
	b := reviewing(t, 1, nil)
	b.command(export.CmdMarked)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == core.DialogMarking })
	b.shoot("27-marked-dark")
	for _, choice := range []string{"For a model: boxes and numbers only, no covered elements", "gpt-4o"} {
		inView(b, func(o fyne.CanvasObject) bool {
			list, ok := o.(*parts.Select)
			return ok && slices.Contains(list.Options, choice)
		}).(*parts.Select).SetSelected(choice)
	}
	s := b.settled()
	require.NotContains(t, s.Models, "unknown", "refscopectl mark has no such model")
	key := inView(b, func(o fyne.CanvasObject) bool {
		c, ok := o.(*parts.Check)
		return ok && strings.HasPrefix(c.Text, "Add a strip")
	}).(*parts.Check)
	require.True(t, key.Disabled(), "the picture for a model has no signs to explain")
	the[*parts.Check](b).SetChecked(true)
	s = b.settled()
	require.Equal(t, export.MarkedOptions{View: overlay.ViewModel, Model: "gpt-4o", Renumber: true, Manifest: true,
		Legend: true}, export.Of(s).Marked)
	file := filepath.Join(t.TempDir(), "m.png")
	b.places = []string{file}
	b.shell.Dispatch(export.MarkingConfirmed())
	s = b.await("the files", func(s core.State) bool { return s.Notice != nil })
	require.Equal(t, core.ToneGood, s.Notice.Tone, s.Notice.Text)
	f, err := os.Open(file)
	require.NoError(t, err)
	img, err := png.Decode(f)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	raw, err := os.ReadFile(strings.TrimSuffix(file, ".png") + ".json")
	require.NoError(t, err)
	var manifest overlay.Manifest
	require.NoError(t, json.Unmarshal(raw, &manifest))
	require.Equal(t, "gpt-4o", manifest.Model)
	require.Equal(t, overlay.ViewModel, manifest.View)
	require.Equal(t, img.Bounds().Dx(), manifest.Images[0].Width)
	require.Equal(t, "m.png", manifest.Images[0].File)
	legend, err := os.ReadFile(strings.TrimSuffix(file, ".png") + ".txt")
	require.NoError(t, err)
	require.Contains(t, string(legend), "Home")
	require.NotContains(t, string(legend), "\n\n", "no line is empty, as in the legend of refscopectl mark")
	require.NotNil(t, manifest.Quality.Letters)

	b.command(export.CmdMarked)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == core.DialogMarking })
	the[*parts.Check](b).TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.await("no dialog", func(s core.State) bool { return s.Dialog == core.DialogNone })
	require.Nil(t, b.shell.dialog)
}

func TestLegendOfThePicture(t *testing.T) {
	b := reviewing(t, 1, nil)
	signs := b.shell.State().Current.Scene.Signs()
	require.NotEmpty(t, signs, "a button is partly covered")
	said := func(words string) fyne.CanvasObject {
		return inView(b, func(o fyne.CanvasObject) bool { x, ok := o.(*canvas.Text); return ok && x.Text == words })
	}
	for _, sign := range signs {
		require.NotNil(t, said(sign.Words))
	}
	b.command(picture.CmdOcclusion)
	b.await("no hatch, no key", func(s core.State) bool { return !s.Layers.Occlusion })
	require.Nil(t, said(signs[0].Words))
	b.command(picture.CmdOcclusion)
	b.settled()

	// What a layer draws is explained while that layer is drawn.
	of := map[string][]string{"covered": {picture.CmdOcclusion}, "glass": {picture.CmdOcclusion},
		"cut": {picture.CmdOcclusion}, "role": {cmdBoxes, picture.CmdLabels}, "dashed": {cmdBoxes},
		"named": {picture.CmdLabels}, "leader": {picture.CmdLabels}}
	for _, off := range [][]string{{picture.CmdOcclusion}, {cmdBoxes}, {picture.CmdLabels},
		{cmdBoxes, picture.CmdLabels}} {
		for range 2 { // and on again
			for _, layer := range off {
				b.command(layer)
			}
			b.settled()
			layers := b.shell.State().Layers
			on := map[string]bool{picture.CmdOcclusion: layers.Occlusion, cmdBoxes: layers.Boxes,
				picture.CmdLabels: layers.Labels}
			for _, sign := range signs {
				require.NotEmpty(t, of[sign.Name], sign.Name)
				drawn := slices.ContainsFunc(of[sign.Name], func(layer string) bool { return on[layer] })
				require.Equal(t, drawn, said(sign.Words) != nil, "%s without %s", sign.Words, off)
			}
		}
	}
}

// cmdBoxes draws the boxes, or not.
const cmdBoxes = "view.boxes"

func TestPicturesToLookAt(t *testing.T) {
	if *pictures == "" {
		testneed.Extra(t, "no --pictures asked for")
	}
	for _, size := range []fyne.Size{{Width: 1280, Height: 800}, {Width: 1600, Height: 900}} {
		for _, light := range []bool{false, true} {
			b := reviewing(t, 4, func(o *Options) {
				if light {
					o.Prefs.Look = core.LookLight
				}
			})
			b.shell.win.Resize(size)
			name := fmt.Sprintf("%v-%v-", size.Width, map[bool]string{true: "light", false: "dark"}[light])
			b.shell.Dispatch(core.Picked{Ref: refOf(t, b.shell.State(), "Pay now"), Source: core.PanePicture})
			b.settled()
			b.shoot(name + "1-text")
			b.command(changes.CmdChanges)
			b.settled()
			b.shoot(name + "2-changes")
			b.command(payload.CmdPayload)
			b.await("payload", func(s core.State) bool { return payload.Of(s).Built != nil })
			b.shoot(name + "3-payload")
			b.command(core.CmdSessions)
			b.await("list", func(s core.State) bool { return s.Dialog == core.DialogSessions && sessions.Of(s).Listed })
			b.shoot(name + "4-sessions")
			b.shell.Dispatch(core.Escaped{})
			b.command(export.CmdMarked)
			b.settled()
			b.shoot(name + "5-marked")
			b.shell.Dispatch(core.Escaped{})
			b.command(core.CmdHelp)
			b.settled()
			b.shoot(name + "6-help")
			b.shell.Close()
		}
	}
}
