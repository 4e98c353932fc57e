package step_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/refscope/refscope/capture/browser"
	"github.com/refscope/refscope/capture/chrometest"
	"github.com/refscope/refscope/capture/step"
	"github.com/refscope/refscope/capture/step/param"
	"github.com/refscope/refscope/capture/step/steptest"
	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/require"
)

// A site whose documents hold equal controls, one in each kind of frame. Each document notes what happens to its
// controls, and differs from the others in its own name alone.
type frameSite struct {
	url string // of the server; the same under localhost is another site, in a process of its own
}

// frameKinds are the documents: what each is in, how it is loaded, and whether its controls are in a shadow tree.
var frameKinds = []struct{ name, in, how string }{
	{"main", "", "same"},
	{"early", "main", "srcdoc"}, // before the main document's own controls
	{"same", "main", "same"},
	{"nested", "same", "same"},
	{"cross", "main", "other"},
	{"crossinner", "cross", "other"},
	{"back", "cross", "same"},
	{"sandbox", "main", "sandbox"},
	{"inshadow", "main", "shadow"},   // the frame is in a shadow tree
	{"shadowed", "main", "controls"}, // the controls of the frame are
}

func newFrameSite(t *testing.T) *frameSite {
	s := &frameSite{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, s.document(r.URL.Query().Get("in")))
	}))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

// width is that of the table of a document, by which its box is known.
func (s *frameSite) width(name string) float64 {
	return float64(101 + 10*slices.IndexFunc(frameKinds, func(k struct{ name, in, how string }) bool { return k.name == name }))
}

func (s *frameSite) document(name string) string {
	var before, after strings.Builder
	shadow := false
	for _, k := range frameKinds {
		shadow = shadow || k.name == name && k.how == "controls"
		if k.in != name {
			continue
		}
		at, attr := &after, fmt.Sprintf(`src="%s/?in=%s"`, s.url, k.name)
		switch k.how {
		case "srcdoc":
			at, attr = &before, fmt.Sprintf(`srcdoc="%s"`, html.EscapeString(s.document(k.name)))
		case "sandbox":
			attr += ` sandbox="allow-scripts allow-forms"`
		case "other":
			attr = strings.Replace(attr, "127.0.0.1", "localhost", 1)
		}
		frame := fmt.Sprintf(`<iframe id=%s width=700 height=420 %s></iframe>`, k.name, attr)
		if k.how == "shadow" {
			frame = `<div><template shadowrootmode=open>` + frame + `</template></div>`
		}
		at.WriteString(frame)
	}
	controls := fmt.Sprintf(`<h2 id=only>only %[1]s</h2><p id=only-%[1]s>here</p><button id=pay>Pay</button><button id=drop>Drop</button>
		<label>Name <input id=name></label><input id=free placeholder="Full name">
		<label>Size <select id=size><option>S<option>M</select></label><input type=file id=file>
		<form id=form><input id=mail name=mail value="in %[1]s" aria-label=Mail><button id=send>Send</button></form>
		<input id=odd aria-label=Odd><table id=table style="width:%[2]gpx"><tr><th>h<tr><td>in %[1]s</table>
		<div id=list style="height:40px;width:200px;overflow:auto"><div style="height:300px">in %[1]s</div></div>`, name, s.width(name))
	if shadow {
		controls = `<div id=host><template shadowrootmode=open>` + controls + `</template></div>`
	}
	return `<!doctype html><meta charset=utf-8><title>` + name + `</title><script>window.log = [];
		const kinds = 'pointerdown mousedown pointerup mouseup click dblclick keydown keypress keyup beforeinput input change submit focus';
		const noted = new WeakSet(), listen = (to) => { for (const kind of kinds.split(' ')) to.addEventListener(kind, (e) => {
			const at = e.composedPath()[0];
			if (kind === 'submit') e.preventDefault();
			if (noted.has(e) || !at.id || /^(iframe|div)$/.test(at.localName)) return;
			noted.add(e);
			log.push(kind + ' ' + at.id);
		}, true); };
		listen(window);</script><body>` + before.String() + controls + after.String() + `<script>
		const root = document.getElementById('host')?.shadowRoot || document;
		root.getElementById('odd').setCustomValidity('in ` + name + `');
		if (root !== document) listen(root);
		// What had the focus fires its change event, and the next step finds all as it was.
		forget = () => {
			(root.activeElement || document.activeElement)?.blur();
			for (const el of root.querySelectorAll('select')) el.selectedIndex = 0;
			root.getElementById('file').value = '';
			root.getElementById('list').scrollTop = 0;
			log.length = 0;
		};
		// A frame that is out of view fires no scroll event before it is seen, and one in another process may not hear
		// that the mouse has left it: the next time there is no mouseover.
		happened = () => log.splice(0).concat(root.getElementById('list').scrollTop > 0 ? ['scroll list'] : [],
			root.querySelector('#pay:hover,#name:hover') ? ['hover ' + root.querySelector('#pay:hover,#name:hover').id] : []);</script>`
}

// frameOf is a document of the site in the tab.
type frameOf struct {
	name, id, in string
	index        int
}

// about is what a locator of a step is tried with.
type about struct {
	control string            // the id of the element that a selector or ref names
	other   map[string]string // the ids of those that words name, by the kind of locator, where they differ
	rest    string            // the other parameters, as members of JSON
	event   string            // what the element sees, "" for a step that reads
}

var byWords = map[string]string{"text": "pay", "label": "name", "role": "pay"}

// targets has a row for each step that names an element.
var targets = map[string]about{
	"click":           {"pay", byWords, ``, "click"},
	"hover":           {"pay", byWords, ``, "hover"},
	"fill":            {"name", map[string]string{"text": "free", "role": "free"}, `"value":"v"`, "input"},
	"type":            {"name", nil, `"text":"k"`, "keydown"},
	"press":           {"name", nil, `"key":"k"`, "keydown"},
	"drag source":     {"pay", byWords, `"target":{"selector":"#drop"},"method":"mouse"`, "mousedown"},
	"drag target":     {"drop", map[string]string{"label": "name"}, `"source":{"selector":"#pay"},"method":"mouse"`, "mouseup"},
	"scroll":          {"list", nil, `"deltaY":30`, "scroll"},
	"selectOption":    {"size", nil, `"option":"M"`, "change"},
	"upload":          {"file", nil, `"files":["f.txt"]`, "change"},
	"submit":          {"form", nil, ``, "submit"},
	"pipeline":        {"pay", nil, `"click":true`, "click"},
	"domtoolClick":    {"pay", nil, ``, "click"},
	"domtoolType":     {"name", nil, `"text":"k"`, "keydown"},
	"domtoolKeypress": {"name", nil, `"key":"k"`, "keydown"},
	"screenshot":      {"table", nil, ``, ""},
	"snapshot":        {"table", nil, ``, ""},
	"snapshotSearch":  {"table", nil, ``, ""},
	"query":           {"table", map[string]string{"role": "only"}, ``, ""},
	"queryAll":        {"table", map[string]string{"role": "only"}, ``, ""},
	"inspect":         {"table", nil, `"limit":1`, ""},
	"extract":         {"table", nil, ``, ""},
	"getDom":          {"table", nil, ``, ""},
	"getBox":          {"table", nil, ``, ""},
	"formState":       {"form", nil, ``, ""},
	"validate":        {"odd", nil, ``, ""},
	"assert":          {"table", nil, ``, ""},
	"frame":           {"leaf", nil, ``, ""},
	"wait":            {"only", nil, ``, ""},
}

// words are those that name a control, by the kind of locator.
var words = map[string]map[string]string{
	"pay":   {"text": `"Pay"`, "role": `"button","name":"Pay"`},
	"drop":  {"text": `"Drop"`, "role": `"button","name":"Drop"`},
	"name":  {"label": `"Name"`},
	"free":  {"text": `"Full name"`, "role": `"textbox","name":"Full name"`},
	"only":  {"role": `"heading"`},
	"table": {"role": `"table"`},
}

// Whatever names an element, in whatever step, means the frame that was switched to: the element there sees what is
// done, and no other element of the page does; what is read is of that frame alone. The steps and the ways to name an
// element are those that are declared.
func TestEveryLocatorMeansTheFrameThatWasSwitchedTo(t *testing.T) {
	site := newFrameSite(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f.txt"), []byte("f"), 0o600))
	var b *steptest.Bench
	var frames []frameOf
	tried, all := 0, 0
	for _, d := range step.Table() {
		if locators := d.Locators(); b == nil || os.Getenv("REFSCOPE_SLOW") != "" && len(locators) > 0 { // a bench has its time
			b = steptest.At(t, step.Chrome, site.url+"/?in=main")
			b.Opt.Dir = dir
			b.Allow(dir)
			frames = framesOf(t, b)
		}
		for _, l := range d.Locators() {
			row := strings.TrimSpace(d.Name + " " + strings.Join(l.Path[:len(l.Path)-1], " "))
			if d.Name != "drag" {
				row = d.Name
			}
			a, ok := targets[row]
			require.True(t, ok, "%s names an element by %s: say in this test what it is tried with", d.Name, l.Path)
			for _, f := range frames {
				// A part stands for all: 61 and 7 go through the ten frames in turn, with other locators each time.
				if all++; all%testneed.Cases(61, 7, 1) != 0 {
					continue
				}
				t.Run(fmt.Sprintf("%s by %s in %s", row, strings.Join(l.Path, "."), f.name), func(t *testing.T) {
					b.Ctx = chrometest.Context(t) // each has its own time
					tryLocator(t, b, site, frames, f, d.Name, l, a)
				})
				tried++
			}
		}
	}
	t.Logf("%d of %d tried", tried, all)
}

// framesOf are the documents of the site.
func framesOf(t *testing.T, b *steptest.Bench) []frameOf {
	var out []frameOf
	list, err := b.R.Page().Frames(b.Ctx)
	require.NoError(t, err)
	byID := map[string]string{}
	for _, f := range list {
		raw, err := b.R.Page().Evaluate(b.Ctx, f.ID, "document.title")
		require.NoError(t, err)
		var title string
		require.NoError(t, json.Unmarshal(raw, &title))
		byID[f.ID] = title
		out = append(out, frameOf{title, f.ID, byID[f.Parent], len(out)})
	}
	require.Len(t, out, len(frameKinds))
	return out
}

// inside reports whether a document is another one, or in it.
func inside(frames []frameOf, f, around frameOf) bool {
	for f.name != around.name {
		k := slices.IndexFunc(frames, func(o frameOf) bool { return o.name == f.in })
		if k < 0 {
			return false
		}
		f = frames[k]
	}
	return true
}

// happened is what the documents have noted since the last call, as "document: event element".
func happened(t *testing.T, b *steptest.Bench, frames []frameOf) []string {
	var out []string
	for _, f := range frames {
		raw, err := b.R.Page().Evaluate(b.Ctx, f.id, "happened()")
		require.NoError(t, err)
		var list []string
		require.NoError(t, json.Unmarshal(raw, &list))
		for _, e := range list {
			out = append(out, f.name+": "+e)
		}
	}
	return out
}

// forget has all documents be as they were, and takes the mouse away.
func forget(t *testing.T, b *steptest.Bench, frames []frameOf) {
	require.NoError(t, b.R.Page().MoveTo(b.Ctx, 1270, 2))
	for _, f := range frames {
		_, err := b.R.Page().Evaluate(b.Ctx, f.id, `forget()`)
		require.NoError(t, err)
	}
}

func tryLocator(t *testing.T, b *steptest.Bench, site *frameSite, frames []frameOf, f frameOf, name string,
	l param.Locator, a about) {
	if l.Finds == "words" || l.Finds == "css" && name == "wait" {
		tryWords(t, b, frames, f, name, l)
		return
	}
	control := a.control
	if name == "frame" {
		k := slices.IndexFunc(frames, func(o frameOf) bool { return o.in == f.name && o.name != "inshadow" })
		if k < 0 {
			return // a document without a frame
		}
		control = frames[k].name
	}
	if other, ok := a.other[l.Finds]; ok {
		control = other
	}
	var value string
	switch l.Finds {
	case "selector", "css":
		value = `"#` + control + `"`
	case "ref":
		value = `"` + refOf(t, b, f, control) + `"`
	case "keys":
		value = `{"#` + control + `":"v"}`
		a.rest = ""
	default:
		require.Contains(t, words[control], l.Finds, "words that name %s by %s", control, l.Finds)
		value = words[control][l.Finds]
	}
	if l.Type == "list" {
		value = "[" + value + "]"
		if l.Finds == "role" {
			value = `["` + strings.Split(value, `"`)[1] + `"]`
		}
	}
	rest := a.rest
	if name == "assert" {
		rest = `"text":"in ` + f.name + `"`
	}
	s := `{"` + name + `":` + nest(l.Path, value, rest) + `}`
	switched := ""
	if f.index > 0 {
		switched = `{"frame":{"frameId":"` + f.id + `"}},`
	} else {
		switched = `{"frame":"top"},`
	}
	forget(t, b, frames)
	res := runSteps(t, b, `[`+switched+s+`]`)
	if a.event == "" {
		judgeReading(t, site, frames, f, name, l, res)
		return
	}
	want := f.name + ": " + a.event + " " + control
	var seen []string
	for !slices.Contains(seen, want) { // until the time of the test is over
		seen = append(seen, happened(t, b, frames)...)
		require.NoError(t, browser.Pause(b.Ctx, 10*time.Millisecond), "%s: want %s, not %s", s, want, seen)
	}
	for _, e := range seen {
		where, what, _ := strings.Cut(e, ": ")
		kind, at, _ := strings.Cut(what, " ")
		if kind == "hover" {
			continue
		}
		require.True(t, where == f.name && (at == control || name == "drag" && slices.Contains([]string{"pay", "drop", "name"}, at)),
			"%s: %s", s, seen)
	}
}

// refOf is the ref of an element of a frame, wherever the steps look.
func refOf(t *testing.T, b *steptest.Bench, f frameOf, control string) string {
	res := runSteps(t, b, `[{"frame":{"frameId":"`+f.id+`"}},{"query":"#`+control+`"}]`)
	raw, err := json.Marshal(res.Output)
	require.NoError(t, err)
	out := steptest.OutputOf[struct{ Results []struct{ Ref string } }](t, raw)
	require.Len(t, out.Results, 1)
	require.NotEmpty(t, out.Results[0].Ref)
	return out.Results[0].Ref
}

// nest writes the parameters: the value at a path, and the others beside it.
func nest(path []string, value, rest string) string {
	for k, name := range slices.Backward(path) {
		with := ""
		if rest != "" && (k == len(path)-1) == (len(path) == 1 || path[0] == "steps" || path[0] == "") {
			with, rest = ","+rest, ""
		}
		switch {
		case name == "" && k > 0 && path[0] == "steps":
			value = "[" + value + "]"
		case name == "":
			value = `{"q":` + value + `}`
		case k == 0 && rest != "":
			value = `{"` + name + `":` + value + "," + rest + `}`
		default:
			value = `{"` + name + `":` + value + with + `}`
		}
	}
	return value
}

// runSteps runs steps and gives the result of the last one.
func runSteps(t *testing.T, b *steptest.Bench, steps string) step.Result {
	c, err := step.Parse([]byte(`{"tab":"t1","timeout":20000,"steps":` + steps + `}`))
	require.NoError(t, err, steps)
	results := b.R.Run(b.Ctx, c)
	last := results[len(results)-1]
	require.Equal(t, "ok", last.Status, "%s: %s", steps, last.Error)
	return last
}

// judgeReading holds an output against the frame: it is of that document, and of none that is outside it.
func judgeReading(t *testing.T, site *frameSite, frames []frameOf, f frameOf, name string, l param.Locator,
	res step.Result) {
	raw, err := json.Marshal(res.Output)
	require.NoError(t, err)
	switch name {
	case "screenshot":
		out := steptest.OutputOf[struct{ Clip []float64 }](t, raw)
		require.InDelta(t, site.width(f.name), out.Clip[2], 1)
		return
	case "getBox":
		require.Contains(t, string(raw), fmt.Sprintf(`"width":%g`, site.width(f.name)))
		return
	case "frame":
		require.Contains(t, string(raw), `"parentId":"`+f.id+`"`)
		return
	case "snapshotSearch":
		require.Contains(t, string(raw), fmt.Sprintf(`"width":%g`, site.width(f.name)))
	case "validate":
		require.Contains(t, string(raw), "in "+f.name+`"`)
	default:
		if !(strings.HasPrefix(name, "query") && l.Finds == "role") {
			require.Contains(t, string(raw), "in "+f.name)
		} else {
			require.Contains(t, string(raw), "only "+f.name)
		}
	}
	for _, o := range frames {
		if o.name == f.name || l.Finds == "role" && inside(frames, o, f) {
			continue
		}
		for _, mark := range []string{"in " + o.name + `"`, "in " + o.name + "<", "only " + o.name + `"`} {
			require.NotContains(t, string(raw), mark, "it is of %s too", o.name)
		}
		if name == "snapshotSearch" {
			require.NotContains(t, string(raw), fmt.Sprintf(`"width":%g`, site.width(o.name)))
		}
	}
}

// tryWords tries a step that looks for what can be read or seen: in the frame it is there, and what another document
// has is not.
func tryWords(t *testing.T, b *steptest.Bench, frames []frameOf, f frameOf, name string, l param.Locator) {
	member := l.Path[0]
	value := func(o frameOf) string {
		if l.Finds == "css" {
			return `"#only-` + o.name + `"`
		}
		return `"only ` + o.name + `"`
	}
	try := func(o frameOf) step.Result {
		wait := 20_000                                                          // ms, for what comes true
		whole := f.index == 0 && (name == "snapshotSearch" || name == "assert") // reads all documents there
		if there := o.name == f.name || whole; there == (member == "gone") {
			wait = 400
		}
		s := fmt.Sprintf(`{"%s":{"%s":%s},"timeout":%d}`, name, member, value(o), wait)
		c, err := step.Parse([]byte(`{"tab":"t1","steps":[{"frame":{"frameId":"` + f.id + `"}},` + s + `]}`))
		require.NoError(t, err)
		results := b.R.Run(b.Ctx, c)
		return results[len(results)-1]
	}
	other := frames[(f.index+3)%len(frames)]
	for inside(frames, other, f) && f.index > 0 {
		other = frames[(other.index+1)%len(frames)]
	}
	own, strange := try(f), try(other)
	switch {
	case member == "gone":
		require.Equal(t, "error", own.Status)
		require.Equal(t, "ok", strange.Status, strange.Error)
	case name == "snapshotSearch", name == "assert" && f.index == 0:
		if name == "assert" {
			require.Equal(t, "ok", own.Status, own.Error)
			return // what is in a frame is on the page
		}
		for k, r := range []step.Result{own, strange} {
			raw, err := json.Marshal(r.Output)
			require.NoError(t, err)
			found := steptest.OutputOf[struct{ MatchCount int }](t, raw).MatchCount > 0
			require.Equal(t, k == 0 || f.index == 0, found, string(raw)) // all is inside the main one
		}
	default:
		require.Equal(t, "ok", own.Status, own.Error)
		require.Equal(t, "error", strange.Status)
	}
}

// A selector finds what lies in a closed shadow root that the document's markup declares, also where nothing has read
// the document before: each step that takes one is tried on a fresh document.
func TestSelectorsReachClosedRootsOfAnUnreadDocument(t *testing.T) {
	site := newFrameSite(t)
	document := strings.ReplaceAll(site.document("shadowed"), "shadowrootmode=open", "shadowrootmode=closed")
	document = document[:strings.LastIndex(document, "<script>")] // which looks into the root
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, document)
	}))
	t.Cleanup(srv.Close)
	b := steptest.At(t, step.Chrome, srv.URL)
	b.Opt.Dir = t.TempDir()
	b.Allow(b.Opt.Dir)
	require.NoError(t, os.WriteFile(filepath.Join(b.Opt.Dir, "f.txt"), []byte("f"), 0o600))
	all := 0
	for _, d := range step.Table() {
		for _, l := range d.Locators() {
			a, ok := targets[d.Name]
			if !ok || d.Name == "frame" || l.Finds != "selector" && l.Finds != "css" || slices.Contains(l.Path, "gone") {
				continue
			}
			if all++; all%testneed.Cases(6, 1, 1) != 0 {
				continue
			}
			value, rest := `"#`+a.control+`"`, a.rest
			if d.Name == "assert" {
				rest = `"text":"in shadowed"`
			}
			if l.Type == "list" {
				value = "[" + value + "]"
			}
			t.Run(d.Name+" by "+strings.Join(l.Path, "."), func(t *testing.T) {
				res := runSteps(t, b, `[{"goto":"`+srv.URL+`"},{"`+d.Name+`":`+nest(l.Path, value, rest)+`}]`)
				raw, err := json.Marshal(res.Output)
				require.NoError(t, err)
				require.NotContains(t, string(raw), `"total":0`)
			})
		}
	}
}
