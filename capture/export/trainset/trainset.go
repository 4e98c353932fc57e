// Package trainset writes a data set into a folder, picture by picture, so that what was interrupted goes on.
//
// Start with [Open], which makes the folder or finds in it what an earlier run of the same plan left; [Folder.Add] for
// each picture, in any order and from several goroutines; [Folder.Finish] then makes the set of what was added. What is
// in a set and in which form is the business of package dataset. While a set is made, its folder holds the pictures,
// and in a folder of its own the plan and a file for each picture that is done.
package trainset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/turn"
)

// building is the folder in that of a set that is being made.
const building = ".building"

// planFile is the plan's file in that folder.
const planFile = "plan"

// Plan is what two runs must share for the one to go on where the other ended.
type Plan struct {
	Tool    string // the program and its version
	Options dataset.Options
	// Model names the vision model and its detail, Format is png, webp or jpg.
	Model, Format string
	// Shots name the pictures, in their order.
	Shots []string
}

// Folder is the folder of a set that is being made. Its methods may be called from several goroutines.
type Folder struct {
	dir   string
	plan  Plan
	kind  codec.Format
	coder codec.Encoder
}

// Open makes the folder of a set, or opens that of an unfinished one of the same plan. Another folder that holds
// something is refused.
func Open(dir string, p Plan) (*Folder, error) {
	format, err := codec.FormatOf(p.Format)
	if err != nil {
		return nil, err
	}
	f := &Folder{dir: dir, plan: p, kind: format}
	plan, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plan)
	id := []byte(hex.EncodeToString(sum[:]) + "\n")
	file := filepath.Join(dir, building, planFile)
	switch was, err := os.ReadFile(file); {
	case err == nil && bytes.Equal(was, id):
		return f, nil
	case err == nil:
		return nil, fmt.Errorf(
			"%s holds an unfinished set of other pages or choices: choose another folder, or remove it", dir)
	}
	if there, err := os.ReadDir(dir); err == nil && len(there) > 0 {
		return nil, fmt.Errorf("%s is not empty: choose another folder for the set", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: choose another folder for the set", dir, export.Cause(err))
	}
	for _, sub := range []string{building, dataset.ImageDir} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("%s: %w", dir, export.Cause(err))
		}
	}
	return f, export.Write(file, id)
}

// page is the file of a picture that is done.
func (f *Folder) page(i int) string {
	return filepath.Join(f.dir, building, fmt.Sprintf("%05d.json", i+1))
}

// Has reports whether the picture of that index in the plan is done.
func (f *Folder) Has(i int) bool {
	_, err := os.Stat(f.page(i))
	return err == nil
}

// Add adds the picture of that index: labels the capture, and writes its picture at the size of the model, and marked
// where the set has that. png is the picture as it was taken, and clean the same decoded.
func (f *Folder) Add(i int, c *snapshot.Capture, png []byte, clean *image.RGBA, from dataset.Source) error {
	o := f.plan.Options
	scene := dataset.Scene(c, clean.Rect.Size(), o)
	if o.Model.Row != "" {
		if err := o.Model.Check(scene.Size(), o.Detail); err != nil {
			return err
		}
	}
	stem := fmt.Sprintf("%05d", i+1)
	p := &dataset.Page{
		Image: stem + "." + f.plan.Format, Width: scene.Size().X, Height: scene.Size().Y, Source: from,
	}
	if scene.Size() != clean.Rect.Size() || f.kind != codec.PNG {
		clean = vision.Resize(clean, scene.Size())
		var err error
		if png, err = f.coder.EncodeAs(clean, f.kind, true); err != nil {
			return err
		}
	}
	p.Print, p.Elements = likeness.PrintOf(clean), dataset.Label(c, scene, clean, o)
	if err := f.write(filepath.Join(dataset.ImageDir, p.Image), png); err != nil {
		return err
	}
	if o.Marked {
		p.Marked = stem + "-marked." + f.plan.Format
		if err := f.mark(p, clean, scene); err != nil {
			return err
		}
	}
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return export.Write(f.page(i), line)
}

// mark writes the marked picture and, until the set is finished, its manifest beside the page.
func (f *Folder) mark(p *dataset.Page, clean *image.RGBA, scene *overlay.Scene) error {
	data, err := f.coder.EncodeAs(export.Drawn(clean, scene), f.kind, true)
	if err != nil {
		return err
	}
	if err := f.write(filepath.Join(dataset.ImageDir, p.Marked), data); err != nil {
		return err
	}
	m := scene.Manifest(p.Marked)
	m.Model = f.plan.Options.Model.Name
	if data, err = json.MarshalIndent(m, "", "  "); err != nil {
		return err
	}
	return f.write(filepath.Join(building, p.Image+".marks"), append(data, '\n'))
}

// Take adds what another folder of the same choices has, under the same indexes: what [Folder.Add] has put there on
// another machine, or in another run. The other folder stays as it is.
func (f *Folder) Take(dir string) error {
	for _, sub := range []string{dataset.ImageDir, building} {
		files, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			return err
		}
		for _, file := range files {
			if !file.Type().IsRegular() || file.Name() == planFile {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, sub, file.Name()))
			if err == nil {
				err = f.write(sub+"/"+file.Name(), data)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Finish makes the set of what was added; failed is how many pictures of the plan could not be made. Where there are
// some, a later run can still add them; else the folder then holds the set alone. It may be interrupted and called
// again.
func (f *Folder) Finish(failed int) (*dataset.Set, error) {
	var pages []*dataset.Page
	for i := range f.plan.Shots {
		data, err := os.ReadFile(f.page(i))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it failed
		}
		p := &dataset.Page{}
		if err == nil {
			err = json.Unmarshal(data, p)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: remove it and run the command again", f.page(i), err)
		}
		pages = append(pages, p)
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s: no picture could be made", f.dir)
	}
	set := dataset.Assemble(pages, f.plan.Options)
	for _, p := range set.Dropped {
		for _, name := range p.Pictures() {
			err := os.Remove(filepath.Join(f.dir, dataset.ImageDir, name))
			if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has removed it
				return nil, err
			}
		}
	}
	for _, p := range set.Pages {
		if err := f.place(set, p); err != nil {
			return nil, err
		}
	}
	files, err := set.Files(dataset.Making{Tool: f.plan.Tool, Failed: failed})
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := f.write(file.Name, file.Data); err != nil {
			return nil, err
		}
	}
	if failed > 0 {
		return set, nil
	}
	if there, err := os.ReadDir(filepath.Join(f.dir, dataset.ImageDir)); err == nil && len(there) == 0 {
		_ = os.Remove(filepath.Join(f.dir, dataset.ImageDir)) // an imagefolder with splits has its pictures elsewhere
	}
	return set, os.RemoveAll(filepath.Join(f.dir, building))
}

// write writes a file of the set by its path in it.
func (f *Folder) write(name string, data []byte) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("%s: %w", path, export.Cause(err))
	}
	return export.Write(path, data)
}

// place moves the pictures of a page to where the set has them, and writes its manifest.
func (f *Folder) place(set *dataset.Set, p *dataset.Page) error {
	if p.Marked != "" {
		data, err := os.ReadFile(filepath.Join(f.dir, building, p.Image+".marks"))
		if err == nil {
			err = f.write(set.ManifestFile(p), data)
		}
		if err != nil {
			return err
		}
	}
	to := filepath.FromSlash(set.Folder(p))
	if to == dataset.ImageDir {
		return nil
	}
	if err := os.MkdirAll(filepath.Join(f.dir, to), 0o700); err != nil {
		return err
	}
	for _, name := range p.Pictures() {
		err := os.Rename(filepath.Join(f.dir, dataset.ImageDir, name), filepath.Join(f.dir, to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has moved it
			return err
		}
	}
	return nil
}

// OfSession makes the set of all turns of a session that have a picture; the plan's shots are filled in. progress is
// called with the turns that are done and all.
func OfSession(ctx context.Context, dir string, store *turn.Store, p Plan,
	progress func(n, of int)) (dataset.Counts, error) {
	list, _, err := store.List(ctx)
	if err != nil {
		return dataset.Counts{}, fmt.Errorf("reading the session: %w", err)
	}
	stem := strings.TrimSuffix(filepath.Base(filepath.Clean(store.Path())), turn.Extension)
	p.Shots = nil
	for _, t := range list {
		p.Shots = append(p.Shots, fmt.Sprintf("%s#%d", stem, t.N))
	}
	f, err := Open(dir, p)
	if err != nil {
		return dataset.Counts{}, err
	}
	for i, t := range list {
		if err := ctx.Err(); err != nil {
			return dataset.Counts{}, err
		}
		progress(i, len(list))
		if f.Has(i) {
			continue
		}
		rec, err := store.Load(ctx, t.N)
		if err != nil {
			return dataset.Counts{}, fmt.Errorf("turn %d: %w", t.N, err)
		}
		if len(rec.Picture) == 0 {
			continue
		}
		clean, err := codec.DecodePNG(rec.Picture)
		if err == nil {
			err = f.Add(i, rec.Capture, rec.Picture, clean, Recorded(rec.Capture, p.Shots[i], true))
		}
		if err != nil {
			return dataset.Counts{}, fmt.Errorf("turn %d: %w", t.N, err)
		}
	}
	set, err := f.Finish(0)
	if err != nil {
		return dataset.Counts{}, err
	}
	return set.Counts(), nil
}

// Recorded is the provenance of a capture that was recorded, as a turn of a session or in a file of its own.
func Recorded(c *snapshot.Capture, target string, isTurn bool) dataset.Source {
	s := dataset.NewSource(c, target, false)
	if isTurn {
		s.Turn = s.Target
	}
	s.Taken = c.TakenAt.UTC().Format(time.RFC3339)
	return s
}
