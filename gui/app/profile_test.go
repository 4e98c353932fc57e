package app

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
)

const shopProfile = `---
filter:
  - dialog
redact:
  - selector: h1
wait:
  quiet: 400ms
facts:
  - 2026-11-02 main content is in the form
---
# 127.0.0.1
Updated: 2026-11-02

## Environment
- a demo shop, server rendered

## Quirks
- the cookie banner covers the button

## Recipes
accept the cookies:
` + "```json\n{\"steps\":[{\"click\":{\"text\":\"Accept all\"}}]}\n```\n"

// withStore opens a window with a folder of profiles.
func withStore(t *testing.T, text string) (*bench, *profiles.Store) {
	t.Helper()
	store := profiles.Open(filepath.Join(t.TempDir(), "profiles"), filepath.Join(t.TempDir(), "sites"))
	if text != "" {
		_, err := store.Save(context.Background(), "127.0.0.1", text, "")
		require.NoError(t, err)
	}
	f := newFake()
	f.profiles.store = store
	b := open(t, f, nil)
	b.await("a turn", func(s core.State) bool { return s.Shown != nil && len(s.Tasks) == 0 })
	b.settled()
	return b, store
}

// profileChecked waits until what is in the editor is known.
func (b *bench) profileChecked() core.State {
	b.t.Helper()
	return b.await("a check", func(s core.State) bool {
		d := s.OpenDraft()
		return d != nil && d.Check != nil && d.Check.Seq == d.Seq && d.Check.Turn == s.Shown
	})
}

func (b *bench) pane() *profilePane { return b.shell.panes.sides.profile() }

func TestProfileOpensByItself(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	b.command(core.CmdProfile)
	s := b.profileChecked()
	vm := s.ProfileSide()
	require.Equal(t, "127.0.0.1", vm.Domain)
	require.Equal(t, shopProfile, vm.Text)
	require.Contains(t, vm.Facts[1].Text, "whatever the port")
	require.Contains(t, vm.Effect.Doc.Text, "- ")
	require.NotZero(t, vm.Check.Redacted)
	b.shoot("60-profile-dark")
	b.command(core.CmdProfileChecks)
	b.profileChecked()
	b.shoot("61-checks-dark")
	b.command(core.CmdProfilePreview)
	b.profileChecked()
	b.shoot("62-preview-dark")
	b.command(core.CmdTheme)
	b.command(core.CmdProfileEdit)
	b.command(core.CmdProfileChecks)
	b.profileChecked()
	b.shoot("63-profile-light")
}

func TestProfileIsMadeAndSaved(t *testing.T) {
	b, store := withStore(t, "")
	b.command(core.CmdProfile)
	s := b.await("no profile", func(s core.State) bool { return s.ProfileSide().Missing != "" })
	require.Contains(t, s.ProfileSide().Missing, "No profile for 127.0.0.1_20417 yet")
	b.shoot("64-missing-dark")

	b.command(core.CmdProfileMake)
	s = b.await("a first text", func(s core.State) bool { return s.OpenDraft().Text != "" })
	require.Contains(t, s.OpenDraft().Text, "## Regions")
	require.Contains(t, s.SideText(core.SideProfile), "unsaved")
	b.profileChecked()
	require.Equal(t, fyne.Focusable(b.pane().Editor()), b.shell.win.Canvas().Focused())

	// A filter that is typed shows at once what it takes away.
	made := s.OpenDraft().Text
	b.pane().Editor().SetText("---\nfilter:\n  - dialog\n---\n" + made)
	s = b.profileChecked()
	require.Contains(t, s.ProfileSide().Effect.Doc.Text, "Accept all")
	require.Contains(t, s.ProfileSide().Bar[0].Text, "unsaved profile")
	b.shoot("65-unsaved-dark")

	// Undo is the state's, a step at a time.
	b.pane().Editor().TypedShortcut(&fyne.ShortcutUndo{})
	b.await("the text before", func(s core.State) bool { return s.OpenDraft().Text == made })
	require.Equal(t, made, b.pane().Editor().Text)
	b.pane().Editor().TypedShortcut(&fyne.ShortcutRedo{})
	b.await("the filter again", func(s core.State) bool { return s.OpenDraft().Text != made })
	b.profileChecked()

	b.command(core.CmdProfileSave)
	s = b.await("saved", func(s core.State) bool { return !s.OpenDraft().Unsaved() })
	require.Contains(t, s.Strip().Text, "Saved the profile of 127.0.0.1_20417")
	f, err := store.Load("127.0.0.1_20417")
	require.NoError(t, err)
	require.Equal(t, s.OpenDraft().Text, f.Text)

	// The versions before, compared and brought back.
	b.pane().Editor().SetText(made)
	b.profileChecked()
	b.command(core.CmdProfileSave)
	b.await("saved again", func(s core.State) bool { return !s.OpenDraft().Unsaved() })
	b.command(core.CmdProfileHistory)
	s = b.await("a comparison", func(s core.State) bool { d := s.OpenDraft(); return d.Diff != nil && len(d.History) == 1 })
	require.Contains(t, s.OpenDraft().Diff.Doc.Text, "-   - dialog")
	b.shoot("66-history-dark")
	b.command(core.CmdProfileRestore)
	s = b.await("the version", func(s core.State) bool { return s.OpenDraft().Unsaved() })
	require.Contains(t, s.OpenDraft().Text, "- dialog")
	require.Equal(t, s.OpenDraft().Text, b.pane().Editor().Text)
}

func TestTwoWritersLoseNoWord(t *testing.T) {
	b, store := withStore(t, shopProfile)
	b.command(core.CmdProfile)
	b.profileChecked()
	mine := strings.Replace(shopProfile, "- a demo shop", "- MINE", 1)
	b.pane().Editor().SetText(mine)
	b.profileChecked()
	theirs := strings.Replace(shopProfile, "- the cookie banner", "- THEIRS", 1)
	_, err := store.Save(context.Background(), "127.0.0.1", theirs, profiles.VersionOf(shopProfile))
	require.NoError(t, err)

	b.command(core.CmdProfileSave)
	s := b.await("the conflict", func(s core.State) bool { return s.ProfileSide().Conflict != nil })
	f, err := store.Load("127.0.0.1")
	require.NoError(t, err)
	require.Equal(t, theirs, f.Text, "nothing was overwritten")
	require.Equal(t, mine, s.OpenDraft().Text)
	b.settled()
	b.shoot("67-conflict-dark")
	b.command(core.CmdTheme)
	b.settled()
	b.shoot("68-conflict-light")

	b.shell.Dispatch(core.ProfileResolved{Choice: core.KeepBoth})
	s = b.await("both", func(s core.State) bool { return s.ProfileSide().Conflict == nil })
	require.Contains(t, s.OpenDraft().Text, "- MINE")
	require.Contains(t, s.OpenDraft().Text, "- THEIRS")
	require.Equal(t, s.OpenDraft().Text, b.pane().Editor().Text)
	b.command(core.CmdProfileSave)
	b.await("saved", func(s core.State) bool { return !s.OpenDraft().Unsaved() })
	history, err := store.History("127.0.0.1")
	require.NoError(t, err)
	require.Equal(t, theirs, history[len(history)-1].Text)
}

func TestClosingWithUnsavedWork(t *testing.T) {
	b, store := withStore(t, shopProfile)
	b.command(core.CmdProfile)
	b.profileChecked()
	b.pane().Editor().SetText(shopProfile + "- one more\n")
	b.profileChecked()
	b.command("quit")
	s := b.await("the question", func(s core.State) bool { return s.Dialog == core.DialogUnsaved })
	require.Contains(t, s.UnsavedQuestion().Text, "127.0.0.1 is not saved")
	b.settled()
	b.shoot("69-leaving-dark")
	b.shell.escape()
	s = b.await("staying", func(s core.State) bool { return s.Dialog == core.DialogNone })
	require.False(t, b.shell.closed)
	require.True(t, s.OpenDraft().Unsaved())

	// What cannot be saved keeps the window open.
	b.engine.profiles.mu.Lock()
	b.engine.profiles.err = errors.New("no space left on device")
	b.engine.profiles.mu.Unlock()
	b.command("quit")
	b.shell.Dispatch(core.LeavingChosen{Save: true})
	s = b.await("why", func(s core.State) bool { return s.Notice != nil && s.Notice.Tone == core.ToneBad })
	require.Contains(t, s.Notice.Text, "no space left")
	require.False(t, b.shell.closed)

	b.engine.profiles.mu.Lock()
	b.engine.profiles.err = nil
	b.engine.profiles.mu.Unlock()
	b.command("quit")
	b.shell.Dispatch(core.LeavingChosen{Save: true})
	b.await("the end", func(core.State) bool { return b.shell.closed })
	f, err := store.Load("127.0.0.1")
	require.NoError(t, err)
	require.Contains(t, f.Text, "- one more")
}

func TestKeysOfTheProfile(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	test.TypeOnCanvas(b.shell.win.Canvas(), "e")
	b.await("the side", func(s core.State) bool { return s.Side == core.SideProfile })
	b.profileChecked()
	// A section that is there is jumped to, one that is not is added in its place.
	b.shell.Dispatch(core.ProfilePartChosen{Name: "Quirks"})
	b.await("the cursor", func(core.State) bool { return b.pane().Line() == 17 })
	test.Type(b.pane().Editor(), "w")
	s := b.await("a letter", func(s core.State) bool { return s.OpenDraft().Unsaved() })
	require.Equal(t, core.SideProfile, s.Side, "a letter in the editor is a letter")
	b.profileChecked()
	b.shell.Dispatch(core.ProfilePartChosen{Name: "Regions"})
	s = b.await("a section", func(s core.State) bool { return strings.Contains(s.OpenDraft().Text, "## Regions\n- \n\n## Recipes") })
	require.Equal(t, 21, b.pane().Line())
	b.pane().Editor().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.settled()
	require.Nil(t, b.shell.win.Canvas().Focused())
	test.TypeOnCanvas(b.shell.win.Canvas(), "w")
	b.await("the other side", func(s core.State) bool { return s.Side == core.SideWhatIf })
}

func TestWhatIf(t *testing.T) {
	b, _ := withStore(t, "")
	b.command(core.CmdWhatIf)
	built := func(ok func(core.WhatIfVM) bool) core.WhatIfVM {
		return b.await("a comparison", func(s core.State) bool {
			v := s.WhatIfSide()
			return s.WhatIf.Built != nil && s.WhatIf.Built.Setup == v.Setup && ok(v)
		}).WhatIfSide()
	}
	v := built(func(core.WhatIfVM) bool { return true })
	require.Contains(t, v.Text.Empty, "the same")
	b.shell.Dispatch(core.WhatIfChanged{Given: true, Setup: core.WhatIfSetup{Drop: "dialog", MaxChars: 250}})
	v = built(func(v core.WhatIfVM) bool { return v.Text.Doc != nil })
	require.Contains(t, v.Text.Doc.Text, "- [9]<dialog>")
	b.settled()
	b.shoot("70-whatif-dark")
	b.command(core.CmdWhatIfWhole)
	b.shell.Dispatch(core.WhatIfChanged{Given: true, Setup: core.WhatIfSetup{Format: "semantic", MinVisible: 90}})
	built(func(v core.WhatIfVM) bool { return v.Text.Doc != nil })
	b.command(core.CmdTheme)
	b.settled()
	b.shoot("71-whatif-light")
	b.shell.Dispatch(core.WhatIfChanged{Given: true, Setup: core.WhatIfSetup{Format: "aria", Detail: "interactive", MarkCovered: true}})
	built(func(v core.WhatIfVM) bool { return v.Text.Doc != nil })
	b.settled()
	b.shoot("72-whatif-aria-light")
	b.command(core.CmdWhatIfCopy)
	b.settled()
	require.Equal(t, "refscopectl whatif --format aria --mark-covered --detail interactive '/home/window#1'", b.shell.opt.App.Clipboard().Content())
	b.command(core.CmdWhatIfReset)
	v = built(func(v core.WhatIfVM) bool { return !v.CanReset })
	require.Equal(t, core.WhatIfSetup{Format: "aria"}, v.Setup)
}

func TestARecipeRunsInTheTab(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	b.command(core.CmdProfile)
	b.profileChecked()
	b.command(core.CmdProfileRecipes)
	b.settled()
	b.shell.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s := b.await("a turn of the recipe", func(s core.State) bool { return s.Shown.N == 2 && len(s.Tasks) == 0 })
	require.Equal(t, []string{`{"steps":[{"click":{"text":"Accept all"}}]}`}, b.engine.in.ran)
	require.Equal(t, core.DrawerSteps, s.Drawer)
	b.profileChecked()
	b.shoot("73-recipe-dark")
}
