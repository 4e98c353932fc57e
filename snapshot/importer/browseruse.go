package importer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"io"
	"io/fs"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/redact"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// A browser-use history, as AgentHistoryList.save_to_file writes it:
//
//	{"history": [{
//	   "model_output": null or {"thinking", "evaluation_previous_goal", "memory", "next_goal"
//	                   (until 0.2 these in "current_state"), "action": [{NAME: {params}} …]},
//	   "result":   [{"is_done", "success", "extracted_content", "error", …} …],
//	   "state":    {"url", "title", "tabs": [{"url", "title", "tab_id" or "page_id"} …],
//	                "interacted_element": [null or ELEMENT …], one for each action,
//	                "screenshot": base64 (until 0.5) or "screenshot_path": a file},
//	   "metadata": null or {"step_start_time", "step_end_time" (s since 1970), "step_number", …},
//	   "state_message": the text about the page that the model was given (newer ones)} …]}
//
// An ELEMENT is {"node_name", "attributes", "x_path", "backend_node_id", "frame_id",
// "bounds", "node_value", "ax_name"}; until 0.5 {"tag_name", "xpath", "attributes",
// "highlight_index", "viewport_coordinates", "viewport_info", …}. "state" is the page as
// the model saw it before it answered, so an item's actions lead to the next item's page.
// Sources: browser_use/agent/views.py, browser/views.py and dom/views.py of
// browser-use/browser-use (MIT).

// historyItem is one item of a history.
type historyItem struct {
	ModelOutput json.RawMessage `json:"model_output"`
	Result      json.RawMessage `json:"result"`
	State       struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		Tabs  []struct {
			URL   string          `json:"url"`
			Title string          `json:"title"`
			ID    json.RawMessage `json:"tab_id"`
			Page  json.RawMessage `json:"page_id"`
		} `json:"tabs"`
		Screenshot string `json:"screenshot"`
		Path       string `json:"screenshot_path"`
		// Interacted is read element by element: a damaged one is no reason to lose the item.
		Interacted []json.RawMessage `json:"interacted_element"`
	} `json:"state"`
	Metadata *struct {
		Start float64 `json:"step_start_time"`
		End   float64 `json:"step_end_time"`
	} `json:"metadata"`
	Message *string `json:"state_message"`
}

// modelOutput is the part of it that the reader needs; the rest is passed on as it is.
type modelOutput struct {
	Action []map[string]json.RawMessage `json:"action"`
}

func historyLacks() []string {
	return []string{
		"a browser-use history keeps no page structure: only the elements acted on",
		"it has no viewport: the picture's own size is used, one image px for each CSS px",
		"the boxes of elements are those of the document in newer files: where the page was scrolled they lie " +
			"elsewhere on the picture",
		"it keeps neither the system prompt nor the earlier messages that the model was given, nor console, dialogs " +
			"and mutations",
		"its pictures are not redacted: where a field lies on them is not recorded",
	}
}

func readBrowserUse(ctx context.Context, r io.ReaderAt, size int64, rep *Report, s *sealer, pictures fs.FS,
	give func(*turn.Record) error) error {
	rep.Tool = "browser-use"
	for _, l := range historyLacks() {
		rep.lacks(l)
	}
	// Secrets first: what is typed late may occur in earlier thoughts.
	err := eachItem(ctx, r, size, &Report{}, func(n int, it *historyItem) error {
		for _, a := range it.actions(s) {
			if a.kind != "" {
				s.learn(a.typed)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	h := history{rep: rep, s: s, pictures: pictures}
	if err := eachItem(ctx, r, size, rep,
		func(n int, it *historyItem) error { return h.item(n, it, give) }); err != nil {
		return err
	}
	return h.end(give)
}

// eachItem decodes the items one by one. Where one is damaged it continues with the next
// that can be found by the name of its first member; a text cannot be taken for one, as
// quotes in texts are escaped.
func eachItem(ctx context.Context, r io.ReaderAt, size int64, rep *Report,
	fn func(n int, it *historyItem) error) error {
	begins := regexp.MustCompile(`\{\s{0,40}"model_output"\s{0,40}:`)
	at, n := int64(0), 0
	for at < size {
		if err := ctx.Err(); err != nil {
			return err
		}
		start, err := find(r, at, size, begins)
		if err != nil {
			return fmt.Errorf("reading the history: %w", err)
		}
		if start < 0 {
			break
		}
		n++
		d := json.NewDecoder(newBounded(io.NewSectionReader(r, start, size-start), maxItem))
		var it historyItem
		err = d.Decode(&it)
		var wrongType *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrongType):
			// The JSON is whole; a member has another type than it should.
			rep.damaged("members", "item %d: %s is a %s: it is left out", n, text.Line(cut(wrongType.Field, 100)),
				wrongType.Value)
		case errors.Is(err, errLimit):
			rep.damaged("items", "item %d has more than %d bytes", n, maxItem)
			at = start + 1
			continue
		case err != nil:
			rep.damaged("items", "item %d, at byte %d, is damaged or cut off: %v", n, start, err)
			at = start + 1
			continue
		}
		if err := fn(n, &it); err != nil {
			return err
		}
		at = start + d.InputOffset()
	}
	return nil
}

// find is where the pattern, which matches at most 128 bytes, begins next, -1 for nowhere.
func find(r io.ReaderAt, from, size int64, pattern *regexp.Regexp) (int64, error) {
	const step, overlap = 1 << 20, 128
	buf := make([]byte, step+overlap)
	for at := from; at < size; at += step {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if m := pattern.FindIndex(buf[:n]); m != nil {
			return at + int64(m[0]), nil
		}
		if n == 0 {
			break
		}
	}
	return -1, nil
}

// historyAction is one action of an item with the element that it was about.
type historyAction struct {
	name    string
	params  json.RawMessage
	element *element
	typed   string
	kind    string // why what it typed is withheld, "" where it is not
}

// actions are the item's actions in order.
func (it *historyItem) actions(s *sealer) []historyAction {
	var m modelOutput
	if len(it.ModelOutput) == 0 || json.Unmarshal(it.ModelOutput, &m) != nil {
		return nil
	}
	var out []historyAction
	for i, members := range m.Action[:min(len(m.Action), 1_000)] {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			a := historyAction{name: cut(name, 100), params: members[name]}
			if i < len(it.State.Interacted) {
				a.element = parseElement(it.State.Interacted[i])
			}
			var p struct {
				Text  string `json:"text"`
				Value string `json:"value"`
				Keys  string `json:"keys"`
			}
			_ = json.Unmarshal(a.params, &p) // not an object: nothing was typed
			for _, v := range []string{p.Text, p.Value, p.Keys} {
				if v != "" && a.typed == "" {
					a.typed = v
				}
			}
			if e := a.element; e != nil && a.typed != "" {
				a.kind = redact.Control{Tag: e.tag, Attrs: e.attrs, Label: e.name, Value: a.typed}.Secret(s.clean)
			}
			// <secret>NAME</secret> is browser-use's own mark for what it did not keep.
			if strings.HasPrefix(a.typed, "<secret>") {
				a.kind = ""
			}
			out = append(out, a)
		}
	}
	return out
}

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
	h.addPage(n, rec, it, lack)
	h.elements(c, it)
	if err := h.setActivity(rec); err != nil {
		return err
	}
	if err := h.asked(rec, it); err != nil {
		return err
	}
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
		rec.Lacks = append(rec.Lacks, text.Line(fmt.Sprintf(format, args...)))
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

// addPage adds the picture.
func (h *history) addPage(n int, rec *turn.Record, it *historyItem, lack func(string, ...any)) {
	var data []byte
	var err error
	name := "in the file"
	switch {
	case it.State.Screenshot != "":
		text := it.State.Screenshot
		if at := strings.Index(text[:min(len(text), 100)], "base64,"); at >= 0 { // a data URL
			text = text[at+len("base64,"):]
		}
		if base64.StdEncoding.DecodedLen(len(text)) > maxPicture+4 {
			err = fmt.Errorf("it has about %d bytes, at most %d are read", base64.StdEncoding.DecodedLen(len(text)),
				maxPicture)
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
		data, err := io.ReadAll(newBounded(f, maxPicture))
		if errors.Is(err, errLimit) {
			err = fmt.Errorf("it has more than the %d bytes that are read", maxPicture)
		}
		return data, err
	}
	return nil, errors.New("the file is not beside the history, nor in its folder screenshots")
}

// asked sets what the item keeps of the exchange with the model. The bytes are not those that crossed the wire: the
// request's text is a part of it, and the answer was parsed and written again.
func (h *history) asked(rec *turn.Record, it *historyItem) error {
	actions := it.actions(h.s)
	secrets := slices.Clone(h.s.secrets)
	for i := range secrets {
		secrets[i].Reach = redact.Auto // in wire bytes also within words
	}
	for _, a := range actions {
		if a.kind != "" && a.typed != "" {
			secrets = append(secrets, redact.Secret{Value: a.typed, Why: a.kind})
		}
	}
	var c conversation
	if it.Message != nil && *it.Message != "" {
		c.messages = []wire.Message{{Role: "user", Parts: []wire.Part{{Kind: wire.Text, Text: *it.Message}}}}
	}
	if len(it.ModelOutput) > 0 && !bytes.Equal(it.ModelOutput, []byte("null")) {
		body := it.ModelOutput
		for _, a := range actions {
			if a.kind != "" {
				body = h.s.json(body, a.kind, a.typed)
			}
		}
		c.answer = &wire.Answer{Dialect: wire.OpenAIResponses, Text: string(h.s.json(body, "", "")),
			Finish: "completed"}
	}
	if c.messages == nil && c.answer == nil {
		return nil
	}
	return fillAgain(rec, &c, h.s.clean, secrets)
}

// indexes are the indexes that the item's actions name their elements by, "" for one without.
func (it *historyItem) indexes() []string {
	var out []string
	var m modelOutput
	_ = json.Unmarshal(it.ModelOutput, &m) // none then
	for _, members := range m.Action[:min(len(m.Action), 1_000)] {
		index := ""
		for _, raw := range members {
			var p struct {
				Index *int `json:"index"`
			}
			if len(members) == 1 && json.Unmarshal(raw, &p) == nil && p.Index != nil {
				index = strconv.Itoa(*p.Index)
			}
		}
		out = append(out, index)
	}
	return out
}

// setActivity sets what led to the turn: the actions of the item before and what became of them.
func (h *history) setActivity(rec *turn.Record) error {
	it := h.before
	if it == nil {
		return nil
	}
	steps := []map[string]any{}
	var words []string
	actions := it.actions(h.s)
	for _, a := range actions {
		step := map[string]any{"action": h.s.text(a.name), "params": h.s.json(a.params, a.kind,
			typedOf(a.kind, a.typed))}
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
	rec.Action = cmp.Or(rec.Action, "no action")
	if len(steps) == 0 && len(answers) == 0 {
		return nil
	}
	return setSteps(rec, steps, answers, failed)
}

// end is a last turn for what the last item's actions led to: no page was kept of it.
func (h *history) end(give func(*turn.Record) error) error {
	if h.before == nil {
		return nil
	}
	rec, lack := h.record()
	if err := h.setActivity(rec); err != nil {
		return err
	}
	if rec.Steps == nil && rec.Answer == nil {
		return nil
	}
	rec.Capture.Frames = []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: h.url,
		Why: "no state was kept after the last step"}}
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

// element is a history's record of an element that was acted on.
type element struct {
	tag, xpath, name string
	attrs            map[string]string
	node             int64
	index            int
	box              snapshot.Box
}

// parseElement reads either shape; nil where there is none.
func parseElement(raw json.RawMessage) *element {
	var e struct {
		NodeName string          `json:"node_name"`
		TagName  string          `json:"tag_name"`
		XPath    string          `json:"x_path"`
		OldPath  string          `json:"xpath"`
		Attrs    map[string]any  `json:"attributes"`
		Node     int64           `json:"backend_node_id"`
		Name     string          `json:"ax_name"`
		Index    int             `json:"highlight_index"`
		Bounds   *boxOf          `json:"bounds"`
		View     json.RawMessage `json:"viewport_coordinates"`
	}
	if len(raw) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil
	}
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &e); err != nil && !errors.As(err, &wrongType) {
		return nil
	}
	out := &element{tag: strings.ToLower(cut(e.NodeName+e.TagName, 100)), xpath: e.XPath + e.OldPath,
		name: e.Name, attrs: map[string]string{}, node: e.Node, index: e.Index}
	if out.tag == "" {
		return nil
	}
	for name, v := range e.Attrs {
		if s, ok := v.(string); ok && len(name) <= 200 && len(out.attrs) < 500 {
			out.attrs[name] = s
		}
	}
	var v struct {
		TopLeft pointOf `json:"top_left"`
		Width   float64 `json:"width"`
		Height  float64 `json:"height"`
	}
	switch {
	case e.Bounds != nil:
		out.box = snapshot.Box{finite(e.Bounds.X), finite(e.Bounds.Y), finite(e.Bounds.Width), finite(e.Bounds.Height)}
	case len(e.View) > 0 && json.Unmarshal(e.View, &v) == nil:
		out.box = snapshot.Box{finite(v.TopLeft.X), finite(v.TopLeft.Y), finite(v.Width), finite(v.Height)}
	}
	return out
}

// elements makes the elements that were acted on the capture's nodes, without the tree
// that they stood in.
func (h *history) elements(c *snapshot.Capture, it *historyItem) {
	c.Frames = []snapshot.Frame{{ID: "main", Parent: -1, Owner: -1, URL: c.URL, Loader: c.URL, Readable: true}}
	k := &composer{c: c, s: h.s, work: composeWork}
	place := layerPlace{parent: -1, scope: &scope{}}
	seen := map[string]bool{}
	indexes := it.indexes()
	for i, raw := range it.State.Interacted[:min(len(it.State.Interacted), 1_000)] {
		e := parseElement(raw)
		if e == nil || seen[e.xpath] && e.xpath != "" {
			continue
		}
		seen[e.xpath] = true
		d := &dom{tag: e.tag, attrs: e.attrs}
		at := len(c.Nodes)
		c.Nodes = append(c.Nodes, snapshot.Node{I: at, Parent: -1, Tag: e.tag, BackendNodeID: max(e.node, 0),
			Block: block(e.tag)})
		if i < len(indexes) && indexes[i] != "" {
			c.Nodes[at].NoteAgentRef(snapshot.BrowserUse, indexes[i])
		}
		k.doms, k.hides = append(k.doms, d), append(k.hides, hidden{})
		k.describe(at, d, place, hidden{})
		n := &c.Nodes[at]
		if n.Name == "" && e.name != "" {
			n.Name, n.NameFrom = h.s.text(cut(e.name, 500)), "ax"
		}
		if e.node == 0 && e.xpath != "" {
			f := fnv.New32a()
			_, _ = f.Write([]byte(e.xpath)) // it cannot fail
			n.UID = int(f.Sum32()>>1) | 1
		}
		if !e.box.Empty() {
			n.Box = e.box
			n.InViewport = c.Viewport.Width == 0 || !e.box.Intersect(c.Viewport.Box()).Empty()
		}
	}
	k.assignVerdicts()
	for i := range c.Nodes {
		n := &c.Nodes[i]
		if !n.Verdict.Kept() { // it was acted on, whatever its markup is
			n.Verdict = snapshot.VerdictContent
		}
		n.Evidence = "the agent acted on it; " + notDrawn
	}
	c.Verdicts = c.CountVerdicts()
	k.facts()
	c.Failed = append(c.Failed, snapshot.Failure{Layer: snapshot.LayerStructure,
		Why: "a browser-use history keeps no page structure: only the elements acted on"})
}
