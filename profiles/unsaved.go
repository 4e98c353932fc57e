package profiles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/snapshot/redact"
)

// unsavedDir is the folder, beside the profiles, of texts that nobody has saved yet.
const unsavedDir = ".unsaved"

// Unsaved is a text that somebody writes and has not saved.
type Unsaved struct {
	Domain string `json:"domain"`
	Text   string `json:"text"`
	// BaseText is the profile that it was made from, and Base its version, "" where there was none.
	BaseText string  `json:"baseText"`
	Base     Version `json:"base"`
}

// KeepUnsaved keeps texts so that they survive a crash, and forgets those of the domains in gone. What looks like a
// secret is not kept, as [Store.Save] would not either.
func (s *Store) KeepUnsaved(ctx context.Context, texts []Unsaved, gone []string) error {
	if len(texts) == 0 {
		if _, err := os.Stat(filepath.Join(s.dir, unsavedDir)); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("unsaved profiles: %w", err)
	}
	r, err := os.OpenRoot(s.dir)
	if err != nil {
		return fmt.Errorf("unsaved profiles: %w", err)
	}
	defer r.Close()
	unlock, err := s.lock(ctx, r)
	if err != nil {
		return fmt.Errorf("unsaved profiles: %w", err)
	}
	defer unlock()
	if err := r.MkdirAll(unsavedDir, 0o700); err != nil {
		return fmt.Errorf("unsaved profiles: %w", err)
	}
	red := redact.Standard()
	for _, u := range texts {
		lines := strings.SplitAfter(u.Text, "\n")
		for i, line := range lines {
			lines[i] = red.Clean(line)
		}
		u.Text = strings.Join(lines, "")
		data, err := json.Marshal(u)
		if err != nil {
			return fmt.Errorf("unsaved profile %s: %w", u.Domain, err)
		}
		if err := place(r, unsavedFile(u.Domain), string(data)); err != nil {
			return fmt.Errorf("unsaved profile %s: %w: check the folder's space and permissions", u.Domain, err)
		}
	}
	for _, domain := range gone {
		if err := r.Remove(unsavedFile(domain)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("unsaved profile %s: %w", domain, err)
		}
	}
	return nil
}

func unsavedFile(domain string) string { return filepath.Join(unsavedDir, fileName(domain)+".json") }

// Unsaved lists the texts of [Store.KeepUnsaved], by domain. A file that cannot be read is left out: it is nobody's
// profile.
func (s *Store) Unsaved() ([]Unsaved, error) {
	r, err := os.OpenRoot(filepath.Join(s.dir, unsavedDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("unsaved profiles: %w", err)
	}
	defer r.Close()
	entries, err := entriesOf(r)
	if err != nil {
		return nil, fmt.Errorf("unsaved profiles: %w", err)
	}
	var out []Unsaved
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := e.Info()
		if err != nil || info.Size() > 16*MaxText {
			continue
		}
		data, err := r.ReadFile(e.Name())
		var u Unsaved
		if err != nil || json.Unmarshal(data, &u) != nil {
			continue
		}
		if name, err := Domain(u.Domain); err != nil || name != u.Domain || u.Text == u.BaseText {
			continue
		}
		out = append(out, u)
	}
	return out, nil
}
