package engine

import (
	"context"
	"errors"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/profiles"
)

func (l *Live) profiles() *profiles.Store { return profiles.Home(l.opt.Home) }

// FindProfile implements [profile.Engine].
func (l *Live) FindProfile(_ context.Context, url string) (*profiles.File, error) {
	store := l.profiles()
	f, err := store.Lookup(url)
	if !errors.Is(err, profiles.ErrNotFound) {
		return f, err
	}
	domain, err := profiles.Domain(url)
	if err != nil {
		return nil, err
	}
	return &profiles.File{Domain: domain, Path: store.Path(domain)}, nil
}

// SaveProfile implements [profile.Engine].
func (l *Live) SaveProfile(ctx context.Context, domain, text string, base profiles.Version) (*profiles.File, error) {
	f, err := l.profiles().Save(ctx, domain, text, base)
	if err == nil { // the window may be gone before it asks for that
		if gone := l.profiles().KeepUnsaved(ctx, nil, []string{domain}); gone != nil {
			l.opt.Log.Warn("an unsaved profile cannot be forgotten", "error", gone)
		}
	}
	return f, err
}

// Unsaved implements [profile.Engine].
func (l *Live) Unsaved(context.Context) ([]profiles.Unsaved, error) { return l.profiles().Unsaved() }

// KeepUnsaved implements [profile.Engine].
func (l *Live) KeepUnsaved(ctx context.Context, texts []profiles.Unsaved, gone []string) error {
	return l.profiles().KeepUnsaved(ctx, texts, gone)
}

// Revisions implements [profile.Engine].
func (l *Live) Revisions(_ context.Context, domain string) ([]profiles.Revision, error) {
	return l.profiles().History(domain)
}

// ImportProfiles implements [profile.Engine].
func (l *Live) ImportProfiles(ctx context.Context) (string, []profiles.Imported, error) {
	store := l.profiles()
	folder := store.Fallback()
	if folder == "" {
		return "", nil, &core.Hinted{Err: errors.New("no home folder is known"),
			Hint: "Import with refscopectl profile import DIR."}
	}
	files, err := store.Import(ctx, folder)
	return folder, files, err
}
