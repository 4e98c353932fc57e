package browser

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/emulation"
)

// Media is what pages are told of their reader's wishes: prefers-color-scheme and
// prefers-reduced-motion (Media Queries 5, 11). The zero value is what the browser says.
type Media struct {
	Scheme string // "light", "dark", or "" for the browser's own
	Still  bool   // reduced motion
}

// Media is what the tab was told last.
func (t *Tab) Media() Media {
	t.emu.mu.Lock()
	defer t.emu.mu.Unlock()
	return t.emu.media
}

// EmulateMedia tells the pages of the tab of a reader's wishes, as long as this connection
// lasts. The page hears of it at once, as of a change of the system's.
func (t *Tab) EmulateMedia(ctx context.Context, m Media) error {
	if m.Scheme != "" && m.Scheme != "light" && m.Scheme != "dark" {
		return fmt.Errorf("there is no colour scheme %q: choose light or dark", m.Scheme)
	}
	t.emu.mu.Lock()
	t.emu.media = m
	t.emu.mu.Unlock()
	return t.everywhere(ctx, func(s *Session) error { return t.tell(ctx, s) })
}

// tell tells one session.
func (t *Tab) tell(ctx context.Context, s *Session) error {
	m := t.Media()
	motion := ""
	if m.Still {
		motion = "reduce"
	}
	p := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: m.Scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}}
	if err := call(ctx, s, emulation.SetEmulatedMedia, p); err != nil {
		return fmt.Errorf("telling the page of its reader's wishes: %w", err)
	}
	return nil
}
