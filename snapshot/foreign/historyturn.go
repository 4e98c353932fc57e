package foreign

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/turn"
)

// history makes turns of items.
type history struct {
	rep      *Report
	s        *sealer
	pictures fs.FS
	before   *historyItem // the item before, without its picture
	url      string
	time     time.Time
	target   string
}

// item is the turn of one item: the page as the model saw it.
func (h *history) item(n int, it *historyItem, give func(*turn.Record) error) error {
	rec, lack := h.record()
	c := rec.Capture
	c.URL, c.Title = h.s.text(cut(it.State.URL, 8<<10)), h.s.text(cut(it.State.Title, 8<<10))
	if m := it.Metadata; m != nil {
		c.TakenAt = unixSeconds(m.Start)
	} else {
		lack("the item does not tell when it was")
	}
	rec.Meta.Target = it.target()
	h.url, h.time, h.target = c.URL, c.TakenAt, rec.Meta.Target
	h.look(n, rec, it, lack)
	h.elements(c, it)
	if err := h.tell(rec); err != nil {
		return err
	}
	h.payloads(rec, it)
	it.State.Screenshot = ""
	h.before = it
	return give(rec)
}

// record is a turn to be filled.
func (h *history) record() (*turn.Record, func(string, ...any)) {
	rec := &turn.Record{
		Capture: &snapshot.Capture{Schema: snapshot.Schema, Settled: true, Verdicts: map[snapshot.Verdict]int{}},
		Action:  "start", Meta: turn.Meta{Tool: h.rep.Tool, Settled: true}, Lacks: slices.Clone(h.rep.Lacks),
	}
	return rec, func(format string, args ...any) {
		rec.Lacks = append(rec.Lacks, printable(fmt.Sprintf(format, args...)))
	}
}

// target is the id of the tab that shows the item's page, "" where that is not clear.
func (it *historyItem) target() string {
	id := ""
	for _, t := range it.State.Tabs {
		if t.URL != it.State.URL {
			continue
		}
		raw := t.ID
		if len(raw) == 0 {
			raw = t.Page
		}
		if id != "" {
			return ""
		}
		id = "tab " + strings.Trim(cut(string(raw), 40), `"`)
	}
	return id
}

// look adds the picture.
func (h *history) look(n int, rec *turn.Record, it *historyItem, lack func(string, ...any)) {
	var data []byte
	var err error
	name := "in the file"
	switch {
	case it.State.Screenshot != "":
		text := it.State.Screenshot
		if at := strings.Index(text[:min(len(text), 100)], "base64,"); at >= 0 { // a data URL
			text = text[at+len("base64,"):]
		}
		if base64.StdEncoding.DecodedLen(len(text)) > MaxPicture+4 {
			err = fmt.Errorf("it has about %d bytes, at most %d are read", base64.StdEncoding.DecodedLen(len(text)), MaxPicture)
			break
		}
		data, err = base64.StdEncoding.DecodeString(text)
	case it.State.Path != "":
		name = baseName(it.State.Path)
		data, err = h.file(name)
	default:
		lack("the item has no picture")
		return
	}
	if err == nil {
		var px image.Point
		if rec.Picture, px, err = picturePNG(data); err == nil {
			rec.Capture.Viewport = snapshot.Viewport{Width: float64(px.X), Height: float64(px.Y), Scale: 1}
			return
		}
	}
	h.rep.damaged("pictures", "item %d: the picture %s: %v", n, name, err)
	lack("its picture %s cannot be used: %v", name, err)
}

// file reads a screenshot file by its last name, beside the history or in "screenshots".
func (h *history) file(name string) ([]byte, error) {
	if h.pictures == nil || !fs.ValidPath(name) || name == "." {
		return nil, errors.New("it is in a file of its own, which was not given along")
	}
	for _, dir := range []string{"screenshots", "."} {
		f, err := h.pictures.Open(path.Join(dir, name))
		if err != nil {
			continue
		}
		defer f.Close()
		if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
			continue
		}
		data, err := io.ReadAll(newBounded(f, MaxPicture))
		if errors.Is(err, errLimit) {
			err = fmt.Errorf("it has more than the %d bytes that are read", MaxPicture)
		}
		return data, err
	}
	return nil, errors.New("the file is not beside the history, nor in its folder screenshots")
}

// payloads are what the item keeps of the exchange with the model.
func (h *history) payloads(rec *turn.Record, it *historyItem) {
	if it.Message != nil && *it.Message != "" {
		text := h.s.text(*it.Message)
		rec.Payloads = append(rec.Payloads, turn.Payload{Dialect: string(BrowserUse), Way: turn.Request, Media: "text/plain; charset=utf-8", Bytes: []byte(text), Redacted: marks(text)})
	}
	if len(it.ModelOutput) > 0 && !bytes.Equal(it.ModelOutput, []byte("null")) {
		body := it.ModelOutput
		for _, a := range it.actions(h.s) {
			if a.kind != "" {
				body = h.s.json(body, a.kind, a.typed)
			}
		}
		body = h.s.json(body, "", "")
		rec.Payloads = append(rec.Payloads, turn.Payload{Dialect: string(BrowserUse), Way: turn.Answer, Media: "application/json", Bytes: body, Redacted: marks(string(body))})
	}
}

// marks are the places where something was withheld.
func marks(text string) []turn.Span {
	var out []turn.Span
	for at := 0; ; {
		i := strings.Index(text[at:], "[redacted")
		if i < 0 {
			return out
		}
		start := at + i
		end := strings.IndexByte(text[start:], ']')
		if end < 0 || end > 60 {
			at = start + 1
			continue
		}
		end += start + 1
		why := strings.Trim(strings.TrimPrefix(text[start:end-1], "[redacted"), ": ")
		if why == "" {
			why = "secret"
		}
		out = append(out, turn.Span{Start: start, End: end, Why: why})
		at = end
	}
}

// tell sets what led to the turn: the actions of the item before and what became of them.
func (h *history) tell(rec *turn.Record) error {
	it := h.before
	if it == nil {
		return nil
	}
	var steps []map[string]any
	var words []string
	actions := it.actions(h.s)
	for _, a := range actions {
		step := map[string]any{"action": h.s.text(a.name), "params": h.s.json(a.params, a.kind, typedOf(a.kind, a.typed))}
		word := a.name
		if e := a.element; e != nil {
			step["element"] = map[string]any{"tag": e.tag, "xpath": h.s.text(cut(e.xpath, 2<<10)), "index": e.index}
			word += " <" + plainTag(e.tag) + ">"
		}
		steps = append(steps, step)
		words = append(words, word)
	}
	result := h.s.json(it.Result, "", "")
	for _, a := range actions {
		if a.kind != "" {
			result = h.s.json(result, a.kind, a.typed)
		}
	}
	rec.Action = cut(strings.Join(words, ", "), 1<<10)
	if rec.Action == "" {
		rec.Action = "no action"
	}
	var err error
	if rec.Steps, err = json.Marshal(steps); err != nil {
		return fmt.Errorf("writing the steps of an item: %w", err)
	}
	rec.Answer = result
	if len(rec.Steps) > maxTold || len(rec.Answer) > maxTold {
		rec.Steps, rec.Answer = nil, nil
		rec.Lacks = append(rec.Lacks, "its steps have more bytes than a turn can hold")
	}
	return nil
}

// end is a last turn for what the last item's actions led to: no page was kept of it.
func (h *history) end(give func(*turn.Record) error) error {
	if h.before == nil {
		return nil
	}
	rec, lack := h.record()
	if err := h.tell(rec); err != nil {
		return err
	}
	if rec.Action == "no action" && len(rec.Answer) <= len("[]") {
		return nil
	}
	rec.Capture.Frames = []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: h.url, Why: "no state was kept after the last step"}}
	rec.Capture.URL, rec.Capture.TakenAt, rec.Meta.Target = h.url, h.time, h.target
	if m := h.before.Metadata; m != nil && m.End > 0 {
		rec.Capture.TakenAt = unixSeconds(m.End)
	}
	lack("no state was kept after the last step: the address is that before it")
	return give(rec)
}

func unixSeconds(s float64) time.Time {
	if s = s * 1000; !(s > 0 && s < 1e14) {
		return time.Time{}
	}
	return time.UnixMilli(int64(math.Round(s))).UTC()
}
