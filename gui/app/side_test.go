package app

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/export"
	"github.com/refscope/refscope/gui/findings"
	"github.com/refscope/refscope/gui/palette"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/settings"
)

// TestTabsAreOneRow narrows the window: tabs that have no room are in the menu at the end of
// the row, the one in view is not, and what is below them gives way at once.
func TestTabsAreOneRow(t *testing.T) {
	b := reviewing(t, 2, nil)
	at := func(o fyne.CanvasObject) (top, bottom float32) {
		y := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y
		return y, y + o.Size().Height
	}
	d := b.shell.panes.sides
	for _, side := range []core.Side{core.SideText, findings.Side} {
		b.shell.Dispatch(core.SideChosen(side))
		b.settled()
		for _, width := range []float32{1900, 1366, 1024, 900, 1280} {
			b.shell.win.Resize(fyne.NewSize(width, 768))
			row, _ := at(d.row.Box)
			for i, r := range b.shell.State().Sides() {
				c := d.tabs[r.Side]
				require.Equal(t, c.Visible(), !slices.Contains(d.row.Hidden(), i))
				if r.Side == side {
					require.True(t, c.Visible(), "%s at %v", side, width)
				}
				if c.Visible() {
					top, _ := at(c)
					require.Equal(t, row, top, "%s at %v", r.Title, width)
					require.LessOrEqual(t, c.Position().X+c.Size().Width, d.row.Box.Size().Width+0.5)
				}
			}
			if side == core.SideText {
				formats := partstest.Find(d.stack, func(o fyne.CanvasObject) bool {
					_, ok := o.(*parts.DropDown)
					return ok
				})
				require.NotNil(t, formats)
				top, bottom := at(formats)
				require.LessOrEqual(t, top+formats.MinSize().Height, bottom+0.5, "at %v", width)
				_, tabs := at(d.row.Box)
				require.LessOrEqual(t, tabs, top, "at %v", width)
			}
		}
	}
	b.shell.win.Resize(fyne.NewSize(1024, 768))
	require.NotEmpty(t, d.row.Hidden())
}

// TestZoomInANarrowRow: what a narrow row has no room for drops down from the zoom.
func TestZoomInANarrowRow(t *testing.T) {
	b := reviewing(t, 2, nil)
	narrow := 0
	for _, width := range []float32{1900, 1366, 1280, 1200, 1150, 1100} {
		b.shell.win.Resize(fyne.NewSize(width, 768))
		b.settled()
		titled := func(name string) fyne.CanvasObject {
			return partstest.Find(b.shell.panes.picture.Object(), func(o fyne.CanvasObject) bool {
				c, ok := o.(*parts.Chip)
				return ok && c.Text() == name
			})
		}
		if titled("Go to mark") == nil {
			narrow++
		}
		zoom, _ := partstest.Find(b.shell.panes.picture.Object(), func(o fyne.CanvasObject) bool {
			d, ok := o.(*parts.DropDown)
			return ok && strings.HasSuffix(d.Title(), "%")
		}).(*parts.DropDown)
		require.NotNil(t, zoom, "at %v", width)
		var titles []string
		for _, c := range zoom.Choices() {
			titles = append(titles, c.Title)
		}
		require.Equal(t, []string{"Fit width", "Fit the whole picture", "Actual size", "Go to a mark by its number"}, titles)
		b.shell.Dispatch(zoom.Choices()[2].Msg)
		b.settled()
		require.Equal(t, "100 %", zoom.Title(), "at %v", width)
		b.shell.Dispatch(zoom.Choices()[0].Msg)
	}
	require.NotZero(t, narrow, "no row was narrow")
}

// TestSidesAreFoundByTheirTabs: who types the title of a tab into the list of commands gets its
// side first.
func TestSidesAreFoundByTheirTabs(t *testing.T) {
	s := reviewing(t, 2, nil).shell.State()
	for _, side := range s.Sides() {
		rows := palette.Rows(s, side.Title)
		require.NotEmpty(t, rows, side.Title)
		require.Equal(t, side.Title+": "+side.Does, rows[0].Title)
		require.Equal(t, side.Command, rows[0].ID)
	}
}

// TestNoCaretBlinksOutOfSight: a field that cannot be seen any more has lost the keyboard. Else its caret blinks on,
// and the window is painted for it.
func TestNoCaretBlinksOutOfSight(t *testing.T) {
	b := reviewing(t, 2, nil)
	var fields func(o fyne.CanvasObject) []fyne.Focusable
	fields = func(o fyne.CanvasObject) (out []fyne.Focusable) {
		f, ok := o.(fyne.Focusable)
		if ok && o.Visible() && reflect.ValueOf(o).Elem().FieldByName("cursorAnim").IsValid() {
			return []fyne.Focusable{f}
		}
		if o.Visible() {
			for _, below := range partstest.Below(o) {
				out = append(out, fields(below)...)
			}
		}
		return out
	}
	focused := func(f fyne.Focusable) bool { return reflect.ValueOf(f).Elem().FieldByName("focused").Bool() }
	seen := 0
	// check goes to each field of a place, and away.
	check := func(what string, open, leave func(), place func() fyne.CanvasObject) {
		for i, n := 0, 1; i < n; i++ {
			open()
			b.settled()
			all := fields(place())
			if n = len(all); i >= n {
				leave()
				break
			}
			b.shell.win.Canvas().Focus(all[i])
			require.True(t, focused(all[i]), "%s: field %d", what, i)
			leave()
			b.settled()
			require.False(t, focused(all[i]), "%s: field %d of %d, a %T", what, i, n, all[i])
			seen++
		}
	}
	for _, id := range []string{core.CmdPalette, core.CmdExport, core.CmdHelp, core.CmdSessions, settings.CmdSettings} {
		check(id, func() { b.command(id) }, func() { b.shell.Dispatch(core.Escaped{}) }, func() fyne.CanvasObject {
			require.NotNil(t, b.shell.dialog, id)
			return b.shell.dialog.Object()
		})
	}
	require.NotZero(t, seen)
	seen = 0
	for _, side := range b.shell.State().Sides() {
		other := core.SideText
		if side.Side == other {
			other = findings.Side
		}
		check(side.Title, func() { b.shell.Dispatch(core.SideChosen(side.Side)) },
			func() { b.shell.Dispatch(core.SideChosen(other)) },
			func() fyne.CanvasObject { return b.shell.panes.sides.stack })
	}
	require.NotZero(t, seen)
}

// TestPartsCanBePutAway hides each part of the window and brings it back.
func TestPartsCanBePutAway(t *testing.T) {
	b := reviewing(t, 2, nil)
	p := b.shell.panes
	visible := func(o fyne.CanvasObject) bool {
		return fyne.CurrentApp().Driver().CanvasForObject(o) != nil && o.Visible()
	}
	for _, id := range []string{"view.turns", "view.side", "view.details"} {
		b.command(id)
		b.settled()
	}
	require.False(t, p.timeline.Visible())
	require.NotContains(t, p.middle.Objects, fyne.CanvasObject(p.split))
	require.NotContains(t, p.sides.place.Objects, fyne.CanvasObject(p.sides.split))
	for _, id := range []string{"view.turns", "view.side", "view.details"} {
		b.command(id)
		b.settled()
	}
	require.True(t, visible(p.timeline))
	require.Contains(t, p.middle.Objects, fyne.CanvasObject(p.split))
	require.Contains(t, p.sides.place.Objects, fyne.CanvasObject(p.sides.split))
}

// TestPaletteRunsWhatIsTyped finds a command by its words and runs it with Enter.
func TestPaletteRunsWhatIsTyped(t *testing.T) {
	b := reviewing(t, 2, nil)
	b.command(core.CmdPalette)
	b.await("the palette", func(s core.State) bool { return s.Dialog == palette.Dialog })
	entry := b.shell.win.Canvas().Focused()
	test.Type(entry, "text semantic")
	require.Equal(t, "Text as semantic", palette.Rows(b.shell.State(), "text semantic")[0].Title)
	entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s := b.settled()
	require.Equal(t, "semantic", string(s.Format))
	require.Empty(t, s.Dialog)
	require.Nil(t, b.shell.dialog)
}

// TestExportsWriteWhatIsTicked ticks boxes of the dialog and looks at the folder.
func TestExportsWriteWhatIsTicked(t *testing.T) {
	b := reviewing(t, 2, nil)
	folder := t.TempDir()
	b.places = []string{folder}
	b.command(core.CmdExport)
	b.await("the dialog", func(s core.State) bool { return s.Dialog == export.DialogExport })
	labelled(b, "Report to read in a browser").(*parts.Check).SetChecked(true)
	labelled(b, "Clean picture").(*parts.Check).SetChecked(false)
	b.settled()
	require.Equal(t, "Export 3 files…", b.shell.win.Canvas().Focused().(*parts.PushButton).Text)
	b.shell.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s := b.await("the files", func(s core.State) bool { return s.Notice != nil && len(s.Tasks) == 0 })
	require.Contains(t, s.Notice.Text, "Wrote 3 files")
	require.Equal(t, "Open folder", Note(s).CommandTitle)
	_, effects := core.Update(s, core.CommandChosen{ID: s.Notice.Command})
	require.Equal(t, []core.Effect{export.OpenFolder{Path: folder}}, effects)
	for _, name := range []string{"turn-0002-marked.png", "turn-0002-manifest.json", "window-report.html"} {
		require.FileExists(t, folder+"/"+name)
	}
	require.NoFileExists(t, folder+"/turn-0002-clean.png")
}

// TestSettingsComeBack closes a window and opens another one in the same home.
func TestSettingsComeBack(t *testing.T) {
	home := t.TempDir()
	in := func(o *Options) {
		var err error
		o.Prefs, err = loadPrefs(home)
		require.NoError(t, err)
		o.Home = home
	}
	b := reviewing(t, 2, in)
	b.command("view.look.light")
	b.command("view.turns")
	b.command("view.bigger")
	b.settled()
	b.shell.win.Resize(fyne.NewSize(1111, 777))
	b.shell.panes.split.SetOffset(0.5)
	b.shell.Close()

	again := reviewing(t, 2, in)
	s := again.shell.State()
	require.Equal(t, core.LookLight, s.Look)
	require.InDelta(t, 1.1, s.Scale, 1e-6)
	require.True(t, s.Hidden.Turns)
	require.False(t, again.shell.panes.timeline.Visible())
	require.InDelta(t, 0.5, again.shell.panes.split.Offset, 1e-6)
	require.InDelta(t, 1111, float64(again.shell.opt.Prefs.Width), 1)
	again.shell.Close()

	contrast := func(o *Options) { in(o); o.Look = core.LookContrast }
	flagged := reviewing(t, 2, contrast)
	require.Equal(t, core.LookContrast, flagged.shell.State().Look)
	flagged.command("view.turns")
	flagged.settled()
	flagged.shell.Close()
	next := reviewing(t, 2, in)
	require.Equal(t, core.LookLight, next.shell.State().Look, "a flag holds for its own start")
	require.False(t, next.shell.State().Hidden.Turns)
}

// TestNarrowBar makes the window narrower than its bar wants, at every size of text: the
// address stays, chips that have no room go, and nothing has a negative size.
func TestNarrowBar(t *testing.T) {
	b := reviewing(t, 2, nil)
	bar := b.shell.panes.bar
	for range 6 {
		b.command("view.bigger")
	}
	b.settled()
	for _, width := range []float32{1600, 1000, 640} {
		b.shell.win.Resize(fyne.NewSize(width, 700))
		require.GreaterOrEqual(t, bar.address.Size().Width, float32(leastAddress), "%v", width)
		b.shell.win.Canvas().Capture()
	}
	require.False(t, barShows(bar, bar.tab), "no room")
	b.shell.win.Resize(fyne.NewSize(1900, 700))
	require.True(t, barShows(bar, bar.tab))
	require.True(t, barShows(bar, bar.export))
}

// barShows reports whether the layout of the bar has room for a chip.
func barShows(b *topBar, c fyne.CanvasObject) bool {
	for _, o := range b.box.(*fyne.Container).Objects[0].(*fyne.Container).Objects {
		if box, ok := o.(*fyne.Container); ok && len(box.Objects) == 1 && box.Objects[0] == c {
			return box.Visible()
		}
	}
	return false
}

func TestSettingsThatCannotBeRead(t *testing.T) {
	home := t.TempDir()
	p, err := loadPrefs(home)
	require.NoError(t, err, "nothing is remembered yet")
	require.Zero(t, p)
	for name, text := range map[string]string{"empty": "", "cut off": `{"look":"li`, "another shape": `[1]`} {
		require.NoError(t, os.WriteFile(filepath.Join(home, prefsName), []byte(text), 0o600))
		p, err = loadPrefs(home)
		require.ErrorContains(t, err, "the defaults are used", name)
		require.Zero(t, p, name)
	}
}
