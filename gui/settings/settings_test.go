package settings_test

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/gui/core/coretest"
	"github.com/refscope/refscope/gui/parts"
	"github.com/refscope/refscope/gui/parts/partstest"
	"github.com/refscope/refscope/gui/settings"
	"github.com/refscope/refscope/gui/theme"
)

type engine struct {
	core.Engine
	keys map[string]string
}

func (e engine) Facts(context.Context) (settings.Facts, error) {
	f := settings.Facts{Chrome: "/usr/bin/chrome\u202e", Home: "/home/sessions"}
	for _, v := range []string{"openai", "anthropic"} {
		k := settings.Key{Vendor: v}
		if e.keys[v] != "" {
			k.From = "in the keyring"
		}
		f.Keys = append(f.Keys, k)
	}
	return f, nil
}

func (e engine) StoreKey(_ context.Context, vendor, key string) error {
	e.keys[vendor] = key
	return nil
}

func TestSettings(t *testing.T) {
	w := coretest.Worker(engine{keys: map[string]string{}})
	s, effects := apptest.Step(apptest.Captured(t), core.CommandChosen{ID: settings.CmdSettings})
	require.Equal(t, settings.Dialog, s.Dialog)
	run := func(m core.Msg) {
		t.Helper()
		for s, effects = apptest.Step(s, m); len(effects) > 0; {
			s, effects = apptest.Step(s, effects[0].(core.Work).Do(t.Context(), w))
		}
	}
	run(effects[0].(core.Work).Do(t.Context(), w))
	v := settings.ViewOf(s)
	require.Equal(t, "/home/sessions", v.Home)
	require.NotContains(t, v.Chrome, "\u202e")
	require.Equal(t, "openai: none", v.Keys[0].Text)

	for typed, want := range map[settings.StartupTyped]core.Startup{
		{}:                   {},
		{Page: "1280 × 720"}: {Width: 1280, Height: 720},
		{Wait: "60"}:         {Wait: 60},
		{Chrome: " /opt/c "}: {Chrome: "/opt/c"},
	} {
		run(typed)
		require.Equal(t, want, s.Prefs().Startup)
		require.False(t, settings.ViewOf(s).Bad)
	}
	before := s.Startup
	for _, typed := range []settings.StartupTyped{{Page: "wide"}, {Page: "0x5"}, {Wait: "-1"}, {Wait: "9999"}} {
		run(typed)
		require.Equal(t, before, s.Startup, "%+v is refused", typed)
		require.True(t, settings.ViewOf(s).Bad)
	}

	m := settings.KeyTyped{Vendor: "openai", Key: settings.NewSecret("sk-secret")}
	require.NotContains(t, fmt.Sprintf("%v %+v %#v", m, m, m), "sk-secret")
	run(m)
	require.Equal(t, "openai: in the keyring", settings.ViewOf(s).Keys[0].Text)
	require.NotContains(t, fmt.Sprintf("%+v", settings.Of(s)), "sk-secret")
	run(settings.KeyTyped{Vendor: "openai", Key: settings.NewSecret(" ")})
	require.Equal(t, "openai: in the keyring", settings.ViewOf(s).Keys[0].Text, "nothing typed removes nothing")
	run(settings.KeyTyped{Vendor: "openai", Remove: true})
	require.Equal(t, "openai: none", settings.ViewOf(s).Keys[0].Text)
}

// TestChoicesOfTheDialog: colours and size change at once, and showing them changes nothing.
func TestChoicesOfTheDialog(t *testing.T) {
	s, _ := apptest.Step(apptest.Captured(t), core.LookChosen{Look: core.LookContrast}, core.ScaleChosen(1.3),
		core.CommandChosen{ID: settings.CmdSettings})
	require.InDelta(t, 1.3, s.Prefs().Scale, 1e-9)
	var sent []core.Msg
	var v *settings.View
	_, win := partstest.Window(t, theme.Dark, fyne.NewSize(660, 420), func() fyne.CanvasObject {
		v = settings.New(&parts.Window{State: func() core.State { return s },
			Send: func(m core.Msg) { sent = append(sent, m) }})
		return v.Object()
	})
	found := settings.Facts{Chrome: "/usr/bin/chromium", Home: "/home/me/.refscope/sessions",
		Keys: []settings.Key{{Vendor: "openai", From: "OPENAI_API_KEY"}, {Vendor: "anthropic"}, {Vendor: "gemini"}}}
	core.Edit[settings.Model](&s).Facts = &found
	v.Show(s)
	require.Empty(t, sent)
	partstest.Picture(t, win, "settings")
	choice := v.Focus().(*parts.Select)
	require.Equal(t, "High contrast", choice.Selected)
	choice.SetSelected("Light")
	require.Equal(t, []core.Msg{core.LookChosen{Look: core.LookLight}}, sent)
}
