package profiles

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxImport is how many entries of a folder an import looks at.
const maxImport = 10_000

// Outcome is what an import did with one file.
type Outcome string

// Outcomes of an import.
const (
	// Taken: there was none of that domain, or it was only read from that folder.
	Taken Outcome = "imported"
	// Same: the store has the same text.
	Same Outcome = "same"
	// Kept: the store has another text, which stays as it is.
	Kept Outcome = "kept"
	// Refused: it cannot be a profile, or it could not be read or written.
	Refused Outcome = "refused"
)

// Imported is one file of the folder that was imported.
type Imported struct {
	File    string  `json:"file"` // its name in the folder
	Domain  string  `json:"domain,omitempty"`
	Bytes   int     `json:"bytes"` // of its text; 0 where it was not read
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why,omitempty"` // where it was kept or refused
}

// Fallback is the second folder, which is only read; "" for none.
func (s *Store) Fallback() string { return s.fallback }

// Import copies the profiles of a folder, such as that of cdp-skill (C-17), into the
// store, and says of each .md file in it what became of it, in the order of their
// names. It never overwrites: where the store has another text, that one stays. Links
// are not followed, and nothing larger than [MaxText] is read. The error is about the
// folder as a whole, or about ctx; what was done until then is in the answer.
func (s *Store) Import(ctx context.Context, dir string) ([]Imported, error) {
	if abs, err := filepath.Abs(dir); err == nil && abs == s.dir {
		return nil, fmt.Errorf("importing %s: it is the folder of the profiles itself", dir)
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("importing %s: %w: name a folder of .md files", dir, err)
	}
	defer r.Close()
	entries, err := entriesOf(r)
	if err != nil {
		return nil, fmt.Errorf("importing %s: %w", dir, err)
	}
	var out []Imported
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ending) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("importing %s: %w", dir, err)
		}
		out = append(out, s.importFile(ctx, r, e))
	}
	return out, nil
}

// entriesOf lists a folder by name.
func entriesOf(r *os.Root) ([]fs.DirEntry, error) {
	d, err := r.Open(".")
	if err != nil {
		return nil, err
	}
	entries, err := d.ReadDir(maxImport + 1)
	if errors.Is(err, io.EOF) {
		err = nil // it is empty
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	if len(entries) > maxImport {
		return nil, fmt.Errorf("it has more than the %d entries allowed", maxImport)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (s *Store) importFile(ctx context.Context, r *os.Root, e fs.DirEntry) Imported {
	out := Imported{File: e.Name(), Outcome: Refused}
	if e.Type()&fs.ModeSymlink != 0 {
		out.Why = "it is a link, and links are not followed"
		return out
	}
	domain, err := Domain(strings.TrimSuffix(e.Name(), ending))
	if err != nil {
		out.Why = "its name is no domain"
		return out
	}
	out.Domain = domain
	text, _, err := readText(r, e.Name())
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.Bytes = len(text)
	now, err := s.read(domain)
	switch {
	case err != nil && !errors.Is(err, ErrNotFound):
		out.Why = err.Error()
		return out
	case err == nil && !now.Fallback && now.Text == text:
		out.Outcome = Same
		return out
	}
	// Save is the judge: another text that is there, or has come by now, is a conflict.
	var conflict *Conflict
	_, err = s.Save(ctx, domain, text, "")
	switch {
	case errors.As(err, &conflict):
		out.Outcome, out.Why = Kept, "there is another text already"
	case err != nil:
		out.Why = err.Error()
	default:
		out.Outcome = Taken
	}
	return out
}
