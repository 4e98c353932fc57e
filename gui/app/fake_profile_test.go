package app

import (
	"context"
	"errors"
	"sync"

	"github.com/refscope/refscope/profiles"
)

// fakeProfiles are the profiles of a fake: a real store in a folder of the test, or none.
type fakeProfiles struct {
	mu    sync.Mutex
	store *profiles.Store
	err   error // of a save
}

func (f *fakeProfiles) kept() (*profiles.Store, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.store == nil {
		return nil, errors.New("no folder of profiles")
	}
	return f.store, f.err
}

func (f *fake) FindProfile(_ context.Context, url string) (*profiles.File, error) {
	s, _ := f.profiles.kept()
	if s == nil {
		return nil, profiles.ErrNoDomain
	}
	p, err := s.Lookup(url)
	if !errors.Is(err, profiles.ErrNotFound) {
		return p, err
	}
	domain, err := profiles.Domain(url)
	return &profiles.File{Domain: domain, Path: s.Path(domain)}, err
}

func (f *fake) SaveProfile(ctx context.Context, domain, text string, base profiles.Version) (*profiles.File, error) {
	s, err := f.profiles.kept()
	if err != nil {
		return nil, err
	}
	return s.Save(ctx, domain, text, base)
}

func (f *fake) Revisions(_ context.Context, domain string) ([]profiles.Revision, error) {
	s, _ := f.profiles.kept()
	return s.History(domain)
}

func (f *fake) ImportProfiles(ctx context.Context) (string, []profiles.Imported, error) {
	s, _ := f.profiles.kept()
	list, err := s.Import(ctx, s.Fallback())
	return s.Fallback(), list, err
}

func (f *fake) Unsaved(context.Context) ([]profiles.Unsaved, error) {
	s, _ := f.profiles.kept()
	if s == nil {
		return nil, nil
	}
	return s.Unsaved()
}

func (f *fake) KeepUnsaved(ctx context.Context, texts []profiles.Unsaved, gone []string) error {
	s, _ := f.profiles.kept()
	if s == nil {
		return nil
	}
	return s.KeepUnsaved(ctx, texts, gone)
}
