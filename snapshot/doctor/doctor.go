// Package doctor reads what a model saw at each turn of a session, and finds what is wrong with it
//
//
// A [Doctor] takes the turns of a session in order ([Doctor.Examine]). For each that holds a request
// to a model it answers with a [Report]: the request section by section, with tokens, with each
// picture at the size that the vendor makes of it and its place on the page, and with what is new;
// the texts in which elements of the page are listed, each line with its element; what the answer
// wants done, with the element that it means; and findings, which are those of package audit.
//
// What must hold: nothing is guessed. A line has an element, and a ref a fault, where the evidence
// rules out all else; what is not known is left out. Bytes of a request are those that are on the
// disk, so a secret that was sent is a mark there, and no finding repeats one.
//
// Which size a vendor makes of a picture is not known here: see [Options].
package doctor

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/likeness"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/observation/tie"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// Schema names the shape of a report's JSON. Changes are additive only.
const Schema = "refscope.doctor/1"

// Options are what the doctor is given of other rooms.
type Options struct {
	// Fit is what a model's vendor makes of a picture of that size in px, at the detail that the
	// request asks for: its size before the model and what it costs. nil: pictures stay as they are
	// and cost nothing.
	Fit func(model, detail string, width, height int) (w, h, tokens int)
	// Count counts the tokens of a text; nil counts a quarter of its bytes.
	Count func(s string) int
	// TargetsOnly reads texts and targets, and looks for nothing that would be a finding.
	TargetsOnly bool
}

// Section is one section of a request, in the order in which the model reads it.
type Section struct {
	Name   string    `json:"name"`   // what the section is
	Role   string    `json:"role"`   // the role of the message that it is in
	Bytes  [2]int    `json:"bytes"`  // of the body, from and to
	Tokens int       `json:"tokens"` // pictures by the vendor's arithmetic
	New    bool      `json:"new"`    // it was not in the request before
	Images []Picture `json:"pictures,omitempty"`
	Format string    `json:"format,omitempty"` // of a text that lists elements
}

// Picture is one picture of a request.
type Picture struct {
	Width  int `json:"width"`  // px as it was sent; 0 where it cannot be read
	Height int `json:"height"` // its height in px as it was sent
	// SeenWidth and SeenHeight are its px after the vendor's own resizing.
	SeenWidth  int    `json:"seenWidth"`
	SeenHeight int    `json:"seenHeight"`
	Tokens     int    `json:"tokens"`            // what it costs, by the vendor's own rule
	Problem    string `json:"problem,omitempty"` // what is wrong with it, "" for nothing
	URL        string `json:"url,omitempty"`     // where it lies elsewhere
	// Place is where on the page's picture it was taken; nil where that is not known.
	Place *likeness.Place `json:"place,omitempty"`

	sum [sha256.Size]byte
}

// Prefix is how far a request is the same as the one before.
type Prefix struct {
	Turn int `json:"turn"` // of the request before
	// Bytes and Tokens are those of the prompt's common beginning, in the order of the sections.
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
	// Broken is where a section of the request before was changed or left out: that section, and the
	// byte of this body. "" where the request only continues it.
	Broken string `json:"broken,omitempty"`
	At     int    `json:"at,omitempty"`   // where in this turn's request they part, in bytes
	Lost   int    `json:"lost,omitempty"` // tokens of the request before behind that place
}

// Target is what an answer wants done, and to which element.
type Target struct {
	wire.Action
	// CSS is where a point lies on the page, in CSS px of the viewport.
	CSS  *[2]float64 `json:"css,omitempty"`
	Node int         `json:"node"` // index of the element, -1 where it is not known
	// ElementRef is its number in this session.
	ElementRef int     `json:"elementRef,omitempty"`
	Score      float64 `json:"score,omitempty"`   // how sure that is, 0 to 1
	Why        string  `json:"why,omitempty"`     // by what it is known
	Line       int     `json:"line,omitempty"`    // of the text that lists it, from 1
	Section    string  `json:"section,omitempty"` // of that text
	// Was is where its element was that is gone, nil where that is not known.
	Was *observation.Was `json:"was,omitempty"`
	// Turn is the earlier turn whose text it is, where a server of tools gave it with another answer or
	// the vendor holds it; 0 for this one.
	Turn int `json:"turn,omitempty"`
	// Fault is the sentence of the finding that its ref is unknown, gone or of several elements, else "".
	Fault string `json:"-"`
}

// Report is what one request was like.
type Report struct {
	Schema  string `json:"schema"`
	Turn    int    `json:"turn"`            // the number of the turn
	URL     string `json:"url"`             // the address of the page, "" where none is paired
	Dialect string `json:"dialect"`         // the dialect of the request
	Model   string `json:"model,omitempty"` // the model that was asked
	Paired  bool   `json:"paired"`          // with a page
	// Unpaired is why no page is paired, "" where that is not known.
	Unpaired string `json:"unpaired,omitempty"`
	Tokens   int    `json:"tokens"` // of all sections, estimated
	// Counted are the request's tokens as the vendor counted them, 0 where its answer does not say. They go before
	// Tokens: see [Report.Cost].
	Counted int `json:"counted,omitempty"`

	Sections []Section           `json:"sections"`
	Texts    []*observation.Text `json:"texts,omitempty"`
	// Known is what the model knows of the page from all texts, where that is more than the newest text: see
	// [Report.Knows].
	Known *observation.Text `json:"known,omitempty"`
	// Dropped are texts that the request before held and that the agent has left out since, though no newer text took
	// their place.
	Dropped []Dropped `json:"dropped,omitempty"`
	Prefix  *Prefix   `json:"prefix,omitempty"` // nil for the first request of a conversation
	Targets []Target  `json:"targets,omitempty"`

	Findings []audit.Finding `json:"findings"`
	audit.Tally
}

// Dropped is a text of the page that an agent left out of its requests.
type Dropped struct {
	Turn    int                `json:"turn"`    // whose request held it first
	Section string             `json:"section"` // of the request before
	Format  observation.Format `json:"format"`
	Lines   int                `json:"lines"` // how many lines were left out
}

// Knows is what the model knows of the page from the texts of the request, nil where they list none.
func (r *Report) Knows() *observation.Text {
	if r.Known != nil || len(r.Texts) == 0 {
		return r.Known
	}
	return r.Texts[len(r.Texts)-1]
}

// Audit is the findings as a report of package audit, for its SARIF.
func (r *Report) Audit() *audit.Report {
	out := &audit.Report{Schema: Schema, URL: r.URL, Findings: r.Findings, Tally: r.Tally}
	for _, rule := range Rules() {
		n := 0
		for _, f := range r.Findings {
			if f.Rule == rule.ID {
				n++
			}
		}
		if n > 0 {
			out.Counts = append(out.Counts, audit.Count{Rule: rule.ID, Found: n, Listed: n})
		}
	}
	return out
}

// Doctor keeps what it needs of the turns that it has seen. It is not safe for concurrent use.
type Doctor struct {
	o      Options
	before []request // the newest of each conversation, the oldest first
	pages  []seenPage
	called []wire.Part         // calls in answers, to which requests may hold results without the calls themselves
	given  []*observation.Text // with which a server of tools listed pages
	listed map[string]int      // the session's numbers of the elements that a server listed last, by its refs
	rules  map[string]audit.Rule
}

// request is what is kept of an earlier request.
type request struct {
	turn     int
	dialect  string
	model    string
	body     []byte
	sections []wire.Section
	asked    *wire.Request
	tokens   []int             // of sections
	text     *observation.Text // what was known of the page
	texts    []*observation.Text
	given    []*observation.Text // texts, and those that the vendor holds from the requests before
	answer   string              // ID of the answer, from which another request may go on
	since    map[string]int      // turns whose requests held a text first, by what it says
	picture  *[sha256.Size]byte  // the newest picture, nil for none among the newest messages
	img      []byte              // that picture
}

// seenPage is the picture of an earlier turn.
type seenPage struct {
	turn    int
	picture []byte
	capture *snapshot.Capture
}

const (
	maxConversations = 16
	maxCalled        = 256
	maxPages         = 8
)

// New makes a doctor for a session.
func New(o Options) *Doctor {
	if o.Fit == nil {
		o.Fit = func(_, _ string, w, h int) (int, int, int) { return w, h, 0 }
	}
	if o.Count == nil {
		o.Count = func(s string) int { return len(s) / 4 }
	}
	d := &Doctor{o: o, rules: map[string]audit.Rule{}}
	for _, r := range Rules() {
		d.rules[r.ID] = r
	}
	return d
}

// Examine reads the next turn of the session. nil is the report of a turn without a request that
// can be read.
func (d *Doctor) Examine(rec *turn.Record) (*Report, error) { return d.examine(rec, false) }

// Pass reads the next turn of the session for what those after it have to do with it, without a report.
func (d *Doctor) Pass(rec *turn.Record) error {
	_, err := d.examine(rec, true)
	return err
}

func (d *Doctor) examine(rec *turn.Record, pass bool) (*Report, error) {
	defer d.keepPage(rec)
	asked := Request(rec.Payloads)
	if asked < 0 {
		return nil, nil
	}
	p := rec.Payloads[asked]
	e := &examination{d: d, rec: rec, payload: p, model: p.Model, keys: map[string]int{}}
	e.r = &Report{Schema: Schema, Turn: rec.N, URL: text.Line(rec.Capture.URL), Dialect: p.Dialect,
		Model:    text.Line(p.Model),
		Findings: []audit.Finding{}, Sections: []Section{}}
	e.dialect = p.Dialect
	if e.dialect == "qwen" {
		e.dialect = wire.OpenAIChat
	}
	var err error
	if e.asked, err = wire.ReadRequest(e.dialect, p.Bytes); err != nil {
		return nil, fmt.Errorf("turn %d: %w", rec.N, err)
	}
	if e.sections, err = wire.Sections(e.dialect, p.Bytes); err != nil {
		return nil, fmt.Errorf("turn %d: %w", rec.N, err)
	}
	e.readExchange(asked)
	e.read()
	e.findPictures()
	if pass {
		d.keep(e)
		return nil, nil
	}
	e.findAnswer()
	e.findTargets()
	if d.o.TargetsOnly {
		d.keep(e)
		return e.r, nil
	}
	e.findCut()
	e.findStale()
	e.findSecrets()
	e.findInstructions()
	e.findHistory()
	e.findBreak()
	e.finish()
	d.keep(e)
	return e.r, nil
}

// Readable reports whether requests of the dialect can be read.
func Readable(dialect string) bool {
	return dialect == wire.MCP || dialect == "qwen" || slices.Contains(wire.Models(), dialect)
}

// Request is the place of the first request among the payloads of a turn that can be read, -1 for none. A call of a
// tool of our own server is kept as the client's side has it: what the model was given is its result.
func Request(kept []turn.Payload) int {
	way := turn.Request
	if slices.ContainsFunc(kept, ownCall) {
		way = turn.Answer
	}
	return slices.IndexFunc(kept, func(p turn.Payload) bool { return p.Way == way && Readable(p.Dialect) })
}

// Asks reports whether a turn with these parts has a request that [Request] finds: with a server of tools, only what
// came back says anything.
func Asks(parts []turn.Part) bool {
	return slices.ContainsFunc(parts, func(p turn.Part) bool {
		return p.Way == turn.Request && Readable(p.Dialect) && (p.Dialect != wire.MCP ||
			slices.ContainsFunc(parts, func(other turn.Part) bool { return other.Way == turn.Answer }))
	})
}

// Answer is the place of the answer to the request that [Request] found at a place, -1 for none.
func Answer(kept []turn.Payload, asked int) int {
	return slices.IndexFunc(kept, func(p turn.Payload) bool {
		return p.Dialect == kept[asked].Dialect && p.Way != kept[asked].Way && (p.Way == turn.Answer || ownCall(p))
	})
}

func ownCall(p turn.Payload) bool {
	return p.Way == turn.Request && p.Dialect == wire.MCP && wire.BareCall(p.Bytes)
}

// examination is one request under way.
type examination struct {
	d        *Doctor
	rec      *turn.Record
	payload  turn.Payload
	dialect  string
	model    string
	asked    *wire.Request
	answer   *wire.Answer // nil without one
	crossed  crossed
	removed  []observation.Was
	sections []wire.Section
	newest   int       // index of the first message that shows the present
	page     *tie.Page // nil where no page is paired
	texts    []*observation.Text
	given    []*observation.Text // these, and those that the vendor holds from the requests before
	known    *observation.Text   // from all of them, nil for nothing
	since    map[string]int
	shown    []shown // pictures
	earlier  *request
	done     bool   // the page is that of after the answer: what it wants was done
	drawn    string // letters of what the page draws, see shows
	r        *Report
	keys     map[string]int
}

// readExchange reads the answer, and whether a page is paired: the capture of a turn that came
// through our own doors always is.
func (e *examination) readExchange(asked int) {
	var x struct {
		crossed
		Removed []observation.Was `json:"removed"`
		Model   string            `json:"model"`
		Answer  *wire.Answer      `json:"answer"`
		Pairing *exchange.Pairing `json:"pairing"`
		Socket  *exchange.Socket  `json:"socket"`
	}
	paired := len(e.rec.Capture.Nodes) > 0
	e.done = e.payload.Way == turn.Answer // the page is captured for the result
	if len(e.rec.Exchange) > 0 && json.Unmarshal(e.rec.Exchange, &x) == nil {
		e.answer, e.crossed, e.removed = x.Answer, x.crossed, x.Removed
		if x.Socket != nil {
			e.asked.Thread = cmp.Or(e.asked.Thread, x.Socket.Thread)
		}
		if x.Pairing != nil {
			paired, e.r.Unpaired = paired && x.Pairing.Paired, x.Pairing.Why
			e.done = x.Pairing.Moment == turn.AfterAnswer
		}
	}
	if e.model == "" {
		e.model = x.Model
	}
	if e.answer == nil {
		e.answer = e.readAnswer(asked)
	}
	if e.answer != nil {
		e.r.Counted = e.answer.Usage.Input
	}
	if e.r.Paired = paired; paired {
		e.page = tie.New(e.rec.Capture)
	} else {
		e.r.URL = "" // where the request went is no page
	}
}

// read describes the sections.
func (e *examination) read() {
	e.newest = e.asked.Newest()
	e.earlier = e.d.conversation(e)
	e.texts = observation.Find(slices.Concat([]wire.Section{{Role: "assistant", Parts: e.d.called}}, e.sections))
	if e.dialect == wire.MCP && e.answer != nil {
		for _, c := range e.answer.Calls {
			for _, t := range e.texts {
				t.AskedFor(c.Name, c.Arguments)
			}
		}
	}
	known := map[string]bool{}
	if e.earlier != nil {
		for _, s := range e.earlier.sections {
			known[string(e.earlier.body[s.Start:s.End])] = true
		}
	}
	for _, s := range e.sections {
		raw := e.payload.Bytes[s.Start:s.End]
		out := Section{Name: s.Name, Role: s.Role, Bytes: [2]int{s.Start, s.End}, New: !known[string(raw)]}
		if s.Role == "tools" {
			out.Tokens = e.d.o.Count(string(raw))
		}
		for _, p := range s.Parts {
			switch p.Kind {
			case wire.Image:
				sh := e.picture(s, p)
				e.shown = append(e.shown, sh)
				out.Images = append(out.Images, sh.Picture)
				out.Tokens += sh.Tokens
			default:
				out.Tokens += e.d.o.Count(p.Text) + e.d.o.Count(string(p.Arguments))
			}
		}
		for _, t := range e.texts {
			if t.Section == s.Name {
				out.Format = string(t.Format)
			}
		}
		e.r.Tokens += out.Tokens
		e.r.Sections = append(e.r.Sections, out)
	}
	e.readTexts()
}

// readTexts finds what the model knows from the texts of the request, and the elements of its lines.
func (e *examination) readTexts() {
	e.since = map[string]int{}
	for _, t := range e.texts {
		t.Turn = e.rec.N
		if e.earlier != nil && e.earlier.since[t.Body()] > 0 {
			t.Turn = e.earlier.since[t.Body()]
		}
		e.since[t.Body()] = t.Turn
	}
	var before []*observation.Text
	switch {
	case e.dialect == wire.MCP: // a server's answer is added to those before it
		before = e.d.given
	case e.asked.Continues() && e.earlier != nil:
		before = e.earlier.given
	}
	for _, t := range before {
		now := t.Again()
		if e.asked.Continues() {
			now.Section = ""
		}
		e.given = append(e.given, now)
	}
	e.given = append(e.given, e.texts...)
	e.r.Texts, e.known = e.texts, observation.Known(e.given)
	if e.known != nil && e.page != nil {
		e.page.Tie(e.known)
		e.recall(e.known)
		e.known.Share()
	}
	if e.known != e.text() {
		e.r.Known = e.known
	}
	if e.earlier == nil || e.asked.Continues() {
		return
	}
	for _, old := range e.earlier.texts {
		if old.Standing != observation.Superseded && e.since[old.Body()] == 0 && !e.replaced(old) {
			e.r.Dropped = append(e.r.Dropped, Dropped{old.Turn, old.Section, old.Format, len(old.Lines)})
		}
	}
}

// recall finds where the elements of lines were that are gone: as it was recorded, or on the page of an earlier turn.
func (e *examination) recall(known *observation.Text) {
	for i := range known.Lines {
		l := &known.Lines[i]
		at := slices.IndexFunc(e.removed, func(r observation.Was) bool { return r.Ref == l.Ref })
		if l.Gone && at >= 0 {
			l.Was = &e.removed[at]
		}
	}
	for _, old := range slices.Backward(e.d.pages) {
		if c := old.capture; len(c.Nodes) > 0 && c.URL == e.rec.Capture.URL {
			tie.New(c).Recall(known)
			return
		}
	}
}

// replaced reports whether a whole text has come into the request since, which takes the place of an old one.
func (e *examination) replaced(old *observation.Text) bool {
	return slices.ContainsFunc(e.texts, func(t *observation.Text) bool {
		return t.Format == old.Format && e.since[t.Body()] == e.rec.N && !t.Changes() && !t.Part
	})
}

// text is the newest text that lists elements, as it was sent; nil for none.
func (e *examination) text() *observation.Text {
	if len(e.texts) == 0 {
		return nil
	}
	return e.texts[len(e.texts)-1]
}

// add notes a finding and answers its sentence. node may be nil; section is where in the request, "" for the answer.
func (e *examination) add(rule string, severity audit.Severity, n *snapshot.Node, section string, sentence,
	evidence string) string {
	f := audit.Finding{Rule: rule, Severity: severity, Sentence: sentence, Evidence: short(evidence),
		Node: -1, Section: section,
		Action: e.d.rules[rule].Action}
	for _, s := range e.sections {
		if s.Name == section {
			f.Bytes = [2]int{s.Start, s.End}
		}
	}
	if n != nil {
		f.Node, f.Ref, f.Frame, f.Path, f.Box = n.I, n.Ref, n.Frame, n.Path, n.VisibleBox()
	}
	words := section + "\x00" + f.Evidence
	e.keys[rule+words]++
	f.Key = audit.KeyOf(rule, words, e.keys[rule+words])
	e.r.Add(severity)
	e.r.Findings = append(e.r.Findings, f)
	return sentence
}

func (e *examination) finish() { audit.Order(e.r.Findings, Rules()) }

// evidenceLimit is how much of a request a finding repeats, in characters.
const evidenceLimit = 160

func short(s string) string {
	return text.Cut(text.Line(text.StartBytes(s, 8*evidenceLimit)), evidenceLimit)
}

// name calls an element in a sentence.
func name(n *snapshot.Node) string {
	out := short(n.Kind())
	if n.Ref > 0 {
		out = fmt.Sprintf("[%d] %s", n.Ref, out)
	}
	if n.Name != "" {
		out += " " + text.QuoteLine(short(n.Name))
	}
	return out
}

// conversation is the request before, of the same conversation: of the same model, and with the
// same tools, the same instructions or the same first message; or the one from whose answer this one goes on.
func (d *Doctor) conversation(e *examination) *request {
	if e.dialect == wire.MCP { // its answers have no common beginning
		return nil
	}
	for i := len(d.before) - 1; i >= 0; i-- {
		b := &d.before[i]
		if e.asked.Continues() {
			if e.asked.GoesOnFrom(b.asked, b.answer) {
				return b
			}
			continue
		}
		if b.dialect != e.dialect || b.model != e.model {
			continue
		}
		same := len(b.asked.Tools) > 0 && slices.Equal(b.asked.Tools, e.asked.Tools)
		for k := range min(2, len(b.asked.Messages), len(e.asked.Messages)) {
			x, y := wordsOf(b.asked.Messages[k]), wordsOf(e.asked.Messages[k])
			same = same || x == y && len(x) > 0
		}
		if same {
			return b
		}
	}
	return nil
}

func wordsOf(m wire.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// keep notes a request for those that come after it, in the place of the one before it.
func (d *Doctor) keep(e *examination) {
	if e.dialect == wire.MCP {
		if t := e.text(); t != nil {
			d.given = observation.Remember(d.given, t)
			if !t.Changes() && !t.Part || d.listed == nil {
				d.listed = map[string]int{}
			}
			for _, l := range t.Lines {
				if n := e.node(l.Node); n != nil && l.Ref != "" {
					d.listed[l.Ref] = n.Ref
				}
			}
		}
		return
	}
	now := request{turn: e.rec.N, dialect: e.dialect, model: e.model, body: e.payload.Bytes, sections: e.sections,
		asked: e.asked,
		text:  e.known, texts: e.texts, since: e.since}
	for _, t := range e.given {
		now.given = observation.Remember(now.given, t)
	}
	if e.answer != nil {
		now.answer = e.answer.ID
		for _, c := range e.answer.Calls {
			if c.ID != "" {
				d.called = append(d.called, wire.Part{Kind: wire.Call, ID: c.ID, Name: c.Name, Arguments: c.Arguments})
			}
		}
		d.called = d.called[max(0, len(d.called)-maxCalled):]
	}
	for _, s := range e.r.Sections {
		now.tokens = append(now.tokens, s.Tokens)
	}
	if s := e.newestPicture(); s != nil {
		now.picture, now.img = &s.sum, s.data
	}
	if e.earlier != nil {
		d.before = slices.DeleteFunc(d.before, func(b request) bool { return b.turn == e.earlier.turn })
	}
	d.before = append(d.before, now)
	d.before = d.before[max(0, len(d.before)-maxConversations):]
}

func (d *Doctor) keepPage(rec *turn.Record) {
	if len(rec.Picture) > 0 {
		d.pages = append(d.pages, seenPage{rec.N, rec.Picture, rec.Capture})
		d.pages = d.pages[max(0, len(d.pages)-maxPages):]
	}
}
