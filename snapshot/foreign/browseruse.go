package foreign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
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
		URL        string `json:"url"`
		Title      string `json:"title"`
		Tabs       []tab  `json:"tabs"`
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

type tab struct {
	URL   string          `json:"url"`
	Title string          `json:"title"`
	ID    json.RawMessage `json:"tab_id"`
	Page  json.RawMessage `json:"page_id"`
}

// modelOutput is what the reader wants of it; the rest is passed on as it is.
type modelOutput struct {
	Action []map[string]json.RawMessage `json:"action"`
}

func historyLacks() []string {
	return []string{
		"a browser-use history keeps no page structure: only the elements acted on",
		"it does not tell the viewport: the picture's own size stands for it, one image px for each CSS px",
		"the boxes of elements are those of the document in newer files: where the page was scrolled they lie elsewhere on the picture",
		"it keeps neither the system prompt nor the earlier messages that the model was given, nor console, dialogs and mutations",
		"its pictures are not redacted: where a field lies on them is not recorded",
	}
}

func readBrowserUse(ctx context.Context, r io.ReaderAt, size int64, rep *Report, s *sealer, pictures fs.FS, give func(*turn.Record) error) error {
	rep.Tool = "browser-use"
	for _, l := range historyLacks() {
		rep.lacks(l)
	}
	// Secrets first: what is typed late may stand in what was thought early.
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
	if err := eachItem(ctx, r, size, rep, func(n int, it *historyItem) error { return h.item(n, it, give) }); err != nil {
		return err
	}
	return h.end(give)
}

// eachItem decodes the items one by one. Where one is damaged it goes on with the next
// that can be found by the name of its first member; a text cannot be taken for one, as
// quotes in texts are escaped.
func eachItem(ctx context.Context, r io.ReaderAt, size int64, rep *Report, fn func(n int, it *historyItem) error) error {
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
		d := json.NewDecoder(newBounded(io.NewSectionReader(r, start, size-start), MaxItem))
		var it historyItem
		err = d.Decode(&it)
		var wrongType *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrongType):
			// The JSON is whole; a member has another type than it should.
			rep.damaged("members", "item %d: %s is a %s: it is left out", n, text.Line(cut(wrongType.Field, 100)), wrongType.Value)
		case errors.Is(err, errLimit):
			rep.damaged("items", "item %d has more than %d bytes", n, MaxItem)
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
		for _, name := range sortedKeys(members) {
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
				a.kind = s.kind(field{tag: e.tag, attrs: e.attrs, label: e.name, value: a.typed}, s.clean)
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

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
