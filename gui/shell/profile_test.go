package shell

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/state"
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
	b.await("a turn", func(s state.State) bool { return s.Shown != nil && len(s.Tasks) == 0 })
	b.settled()
	return b, store
}

// checked waits until what is in the editor is known.
func (b *bench) checked() state.State {
	b.t.Helper()
	return b.await("a check", func(s state.State) bool {
		d := s.OpenDraft()
		return d != nil && d.Check != nil && d.Check.Seq == d.Seq && d.Check.Turn == s.Shown
	})
}

func (b *bench) pane() *profilePane { return b.shell.panes.sides.profile() }

func TestProfileOpensByItself(t *testing.T) {
	b, _ := withStore(t, shopProfile)
	b.command(state.CmdProfile)
	s := b.checked()
	vm := s.ProfileSide()
	require.Equal(t, "127.0.0.1", vm.Domain)
	require.Equal(t, shopProfile, vm.Text)
	require.Contains(t, vm.Facts[1].Text, "whatever the port")
	require.Contains(t, vm.Effect.Doc.Text, "- ")
	require.NotZero(t, vm.Check.Redacted)
	b.shoot("60-profile-dark")
	b.command(state.CmdProfileChecks)
	b.checked()
	b.shoot("61-checks-dark")
	b.command(state.CmdProfilePreview)
	b.checked()
	b.shoot("62-preview-dark")
	b.command(state.CmdTheme)
	b.command(state.CmdProfileEdit)
	b.command(state.CmdProfileChecks)
	b.checked()
	b.shoot("63-profile-light")
	_ = os.Getpid
}
