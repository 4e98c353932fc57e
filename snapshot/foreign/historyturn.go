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
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/turn"
)

// history makes turns of items.
type history struct {
	rep      *Report
	s        *sealer
	pictures fs.FS
	before   *historyItem // the item before, without its picture
	url      string
	time     time.Time // when the item before ended
	target   string
}

// item is the turn of one item: the page as the model saw it.
func (h *history) item(n int, it *historyItem, give func(*turn.Record) error) error {
	rec, lack := h.record()
	c := rec.Capture
	c.URL, c.Title = h.s.text(cut(it.State.URL, 8<<10)), h.s.text(cut(it.State.Title, 8<<10))
	if m := it.Metadata; m != nil && m.Start > 0 {
		c.TakenAt = unixSeconds(m.Start)
		h.time = unixSeconds(max(m.Start, m.End))
	} else {
		c.TakenAt = h.time
		lack("the item does not tell when it was: its time is that of the item before")
	}
	rec.Meta.Target = it.target()
	h.url, h.target = c.URL, rec.Meta.Target
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

// payloads are what the item keeps of the exchange with the model. The bytes are not those
// that crossed the wire: the request's text is a part of it, and the answer was parsed and
// written again.
func (h *history) payloads(rec *turn.Record, it *historyItem) {
	actions := it.actions(h.s)
	var secrets []redact.Secret
	for _, l := range h.s.literals {
		secrets = append(secrets, redact.Secret{Value: l})
	}
	for _, a := range actions {
		if a.kind != "" && a.typed != "" {
			secrets = append(secrets, redact.Secret{Value: a.typed, Why: a.kind})
		}
	}
	add := func(way turn.Way, media string, body []byte) {
		p := turn.Payload{Dialect: string(BrowserUse), Way: way, Media: media}
		var spans []redact.Span
		p.Bytes, spans = redact.Body(body, h.s.clean, secrets...)
		for _, span := range spans {
			p.Redacted = append(p.Redacted, turn.Span(span))
		}
		rec.Payloads = append(rec.Payloads, p)
	}
	if it.Message != nil && *it.Message != "" {
		add(turn.Request, "text/plain; charset=utf-8", []byte(*it.Message))
	}
	if len(it.ModelOutput) > 0 && !bytes.Equal(it.ModelOutput, []byte("null")) {
		body := it.ModelOutput
		for _, a := range actions {
			if a.kind != "" {
				body = h.s.json(body, a.kind, a.typed)
			}
		}
		add(turn.Answer, "application/json", h.s.json(body, "", ""))
	}
}

// tell sets what led to the turn: the actions of the item before and what became of them.
func (h *history) tell(rec *turn.Record) error {
	it := h.before
	if it == nil {
		return nil
	}
	steps := []map[string]any{}
	var words []string
	actions := it.actions(h.s)
	for _, a := range actions {
		step := map[string]any{"action": h.s.text(a.name), "params": h.s.json(a.params, a.kind, typedOf(a.kind, a.typed))}
		word := a.name
		if e := a.element; e != nil {
			element := map[string]any{"tag": e.tag, "xpath": h.s.text(cut(e.xpath, 2<<10))}
			if e.index > 0 {
				element["index"] = e.index
			}
			step["element"] = element
			word += " <" + plainTag(e.tag) + ">"
		}
		steps = append(steps, step)
		words = append(words, word)
	}
	// Results are in the order of the actions; the agent stops at one that fails.
	var results []json.RawMessage
	_ = json.Unmarshal(it.Result, &results) // no list: no results
	answers := []map[string]any{}
	failed := false
	for i, raw := range results {
		answer := map[string]any{"action": ""}
		if i < len(actions) {
			answer["action"] = steps[i]["action"]
		}
		for _, a := range actions {
			if a.kind != "" {
				raw = h.s.json(raw, a.kind, a.typed)
			}
		}
		answer["result"] = h.s.json(raw, "", "")
		var r struct {
			Error *string `json:"error"`
		}
		if answer["status"] = "ok"; json.Unmarshal(raw, &r) == nil && r.Error != nil && *r.Error != "" {
			answer["status"], failed = "error", true
		}
		answers = append(answers, answer)
	}
	rec.Action = cut(strings.Join(words, ", "), 1<<10)
	if rec.Action == "" {
		rec.Action = "no action"
	}
	if len(steps) == 0 && len(answers) == 0 {
		return nil
	}
	return tellSteps(rec, steps, answers, failed)
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
	if rec.Steps == nil && rec.Answer == nil {
		return nil
	}
	rec.Capture.Frames = []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: h.url, Why: "no state was kept after the last step"}}
	rec.Capture.URL, rec.Capture.TakenAt, rec.Meta.Target = h.url, h.time, h.target
	lack("no state was kept after the last step: the address is that before it")
	return give(rec)
}

func unixSeconds(s float64) time.Time {
	if s = s * 1000; !(s > 0 && s < 1e14) {
		return time.Time{}
	}
	return time.UnixMilli(int64(math.Round(s))).UTC()
}
