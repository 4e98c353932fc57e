package profiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Revision is one version of a profile that was replaced.
type Revision struct {
	N    int // 1 is the oldest
	Text string
	Time time.Time // when it was replaced
}

// remember puts a text into the history of a domain, unless it is the latest there.
func remember(r *os.Root, name, text string) error {
	dir := filepath.Join(historyDir, name)
	if err := r.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	numbers, err := revisions(r, dir)
	if err != nil {
		return err
	}
	next := 1
	if n := len(numbers); n > 0 {
		next = numbers[n-1] + 1
		last, _, err := readText(r, revisionFile(dir, numbers[n-1]))
		if err == nil && last == text {
			return nil
		}
	}
	return place(r, revisionFile(dir, next), text)
}

func revisionFile(dir string, n int) string {
	return filepath.Join(dir, fmt.Sprintf("%03d%s", n, ending))
}

func revisions(r *os.Root, dir string) ([]int, error) {
	d, err := r.Open(dir)
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(-1)
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	var out []int
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), ending)
		if n, err := strconv.Atoi(digits); ok && err == nil && n > 0 && len(digits) >= 3 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, nil
}

// History lists the versions of a domain's profile that were replaced, oldest first.
func (s *Store) History(domain string) ([]Revision, error) {
	name, err := Domain(domain)
	if err != nil {
		return nil, err
	}
	r, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", name, err)
	}
	defer r.Close()
	dir := filepath.Join(historyDir, name)
	numbers, err := revisions(r, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of %s: %w", name, err)
	}
	var out []Revision
	for _, n := range numbers {
		text, at, err := readText(r, revisionFile(dir, n))
		if err != nil {
			return nil, fmt.Errorf("history of %s, version %d: %w", name, n, err)
		}
		out = append(out, Revision{n, text, at})
	}
	return out, nil
}

// Restore saves version n of the history as the newest; base is what [Store.Save]
// wants to know. The version that it replaces goes to the history itself.
func (s *Store) Restore(ctx context.Context, domain string, n int, base Version) (*File, error) {
	list, err := s.History(domain)
	if err != nil {
		return nil, err
	}
	for _, rev := range list {
		if rev.N == n {
			return s.Save(ctx, domain, rev.Text, base)
		}
	}
	return nil, fmt.Errorf("profile %s has no version %d", domain, n)
}
