package target

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/refscope/refscope/capture/export"
	"github.com/refscope/refscope/capture/session"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Opened is what a target shows: read from a turn or a file, or captured now.
type Opened struct {
	session.Shot
	Name   string       // of the target, as it was typed
	Where  string       // folder of its session, or the file of a capture; "" for neither
	Tab    string       // alias of the tab, "" for one that was closed again
	Record *turn.Record // of a turn that was read, else nil
}

// NoPageError says that no page belongs to what was opened, and what it has. URL and text of such a capture are those
// of no page, so that nothing is to be made of them.
type NoPageError struct {
	Name, Why string
	Has       []string // request, answer, picture, steps
}

func (e *NoPageError) Error() string {
	has := "nothing else is stored with it"
	if len(e.Has) > 0 {
		has = "what it has: " + strings.Join(e.Has, ", ")
	}
	if slices.Contains(e.Has, string(turn.Request)) {
		has += "; doctor reads the request"
	}
	return fmt.Sprintf("%s has no page: %s; %s", Clean(e.Name), e.Why, has)
}

// NeedPage is a [NoPageError] where no page belongs to what was opened.
func (r *Opened) NeedPage() error { return NeedPage(r.Name, r.Capture, r.Record) }

// NeedPage is [Opened.NeedPage] of a turn, or of a capture alone where rec is nil; name is its for people.
func NeedPage(name string, c *snapshot.Capture, rec *turn.Record) error {
	if !c.Pageless() {
		return nil
	}
	e := &NoPageError{Name: name}
	if rec != nil {
		for _, p := range rec.Payloads {
			if way := string(p.Way); !slices.Contains(e.Has, way) {
				e.Has = append(e.Has, way)
			}
		}
		if len(rec.Picture) > 0 {
			e.Has = append(e.Has, "picture")
		}
		if len(rec.Steps) > 0 {
			e.Has = append(e.Has, "steps")
		}
		if p := exchange.PairingOf(rec.Exchange); p != nil {
			e.Why = p.Why
		}
	}
	switch {
	case e.Why != "":
	case len(c.Frames) > 0 && c.Frames[0].Why != "":
		e.Why = c.Frames[0].Why
	case len(c.Failed) > 0:
		e.Why = c.Failed[0].Why
	case rec != nil && len(rec.Lacks) > 0:
		e.Why = rec.Lacks[0]
	}
	e.Why = text.Line(cmp.Or(e.Why, "none was recorded"))
	return e
}

// ReadTurn reads a recorded turn.
func ReadTurn(ctx context.Context, at turn.Address) (*Opened, error) {
	store, err := turn.OpenPath(at.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("turn %s: %w: refscopectl session list lists them", at, err)
		}
		return nil, fmt.Errorf("opening the session of %s: %w", at, err)
	}
	defer store.Close()
	rec, err := store.Load(ctx, at.N)
	if errors.Is(err, turn.ErrNoTurn) {
		return nil, fmt.Errorf("%w: refscopectl session show lists those of a session", err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading turn %s: %w", at, err)
	}
	shot := session.Shot{N: rec.N, Capture: rec.Capture, Picture: rec.Picture}
	return &Opened{Shot: shot, Where: at.Dir, Record: rec}, nil
}

// ReadCapture reads a capture as snap --format capture prints it. It has no picture.
func ReadCapture(name string) (*Opened, error) {
	data, err := ReadRegular(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: name a capture that is there", name, export.Cause(err))
	}
	c := &snapshot.Capture{}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("%s is not a capture: %w", name, err)
	}
	if c.Schema != snapshot.Schema {
		return nil, fmt.Errorf("%s is not a capture: its schema is %q, not %q", name, c.Schema, snapshot.Schema)
	}
	return &Opened{Shot: session.Shot{Capture: c}, Where: name}, nil
}

// ReadRegular reads a file whole. Of a pipe or a device, which may never end, it reads nothing.
func ReadRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	return os.ReadFile(name)
}

// FindPicture looks for the picture that lies beside a capture file under its name.
func (r *Opened) FindPicture(needed bool) error {
	if len(r.Picture) > 0 || r.Where != r.Name {
		return nil
	}
	beside := strings.TrimSuffix(r.Name, filepath.Ext(r.Name)) + ".png"
	data, err := ReadRegular(beside)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s, the picture of %s: %w", beside, r.Name, export.Cause(err))
	case err != nil && needed:
		return fmt.Errorf("%s has no picture, and there is none beside it as %s: name the page, or a recorded turn",
			r.Name, beside)
	}
	r.Picture = data
	return nil
}

// NoPicture is [export.ErrNoPicture] with why the turn has none, where that is known.
func (r *Opened) NoPicture() error {
	why := ""
	for _, failed := range r.Capture.Failed {
		if failed.Layer == "picture" {
			why = ": " + failed.Why
		}
	}
	return fmt.Errorf("%s: %w%s", r.Name, export.ErrNoPicture, why)
}

// Canvas is the picture that marks are drawn on: that of the turn, or one that lies beside
// a capture under its name. Where there is none and none is needed, its size is all that is
// in it.
func (r *Opened) Canvas(needed bool) (*image.RGBA, error) {
	if err := r.FindPicture(needed); err != nil {
		return nil, err
	}
	v := r.Capture.Viewport
	want := image.Pt(int(v.Width*v.Scale+0.5), int(v.Height*v.Scale+0.5))
	if len(r.Picture) == 0 {
		if needed || want.X <= 0 || want.Y <= 0 || !(v.Width*v.Scale*v.Height*v.Scale <= session.MaxFullPixels) {
			return nil, r.NoPicture()
		}
		return &image.RGBA{Stride: 4 * want.X, Rect: image.Rectangle{Max: want}}, nil
	}
	img, err := r.Image()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	if d := img.Rect.Max.Sub(want); r.Where == r.Name && (d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1) {
		return nil, fmt.Errorf("%s: the picture beside it is %d x %d px, and not %d x %d: it is of another moment",
			r.Name, img.Rect.Dx(), img.Rect.Dy(), want.X, want.Y)
	}
	return img, nil
}
