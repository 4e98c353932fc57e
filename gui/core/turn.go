package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"slices"
	"sync"
	"time"

	"github.com/disintegration/imaging"

	"github.com/refscope/refscope/overlay"
	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/why"
)

// Turn is one recorded page made ready for the window. It is immutable: making it
// (decoding the picture, placing the marks) costs tens of milliseconds, so it is
// done away from the main goroutine and the result is shared by pointer.
type Turn struct {
	Recorded
	Tree *snapshot.Tree
	// Explainer knows what lies at a place, and why an element is or is not in what the
	// agent read; it renders each format when it is first asked to explain.
	Explainer *why.Explainer
	Pyramid   *overlay.Pyramid
	Scene     *overlay.Scene
	Counts    Counts
	// Kinds counts the marks of Scene by kind.
	Kinds [NumKinds]int
	// StepsText is what was done for it, to be read and edited, "" for nothing; Answered is what
	// came back, nil for nothing, and AnswerOK whether all went well.
	StepsText string
	Answered  *Built
	AnswerOK  bool
	// Numbers count its refs from 1, when they are first requested.
	Numbers func() *Numbers
	// Audit is the audit of its page with all findings, made once when it is first asked for,
	// which takes some 300 ms for 20,000 elements.
	Audit func() (*audit.Report, error)
	// Activity is its content besides the page, nil where it was not read.
	Activity *TurnActivity
}

// Counts are numbers of elements of one capture.
type Counts struct {
	Refs    int // kept, as refscopectl counts refs: without lines of text
	Kept    int // refs and content lines
	Hidden  int // not rendered, or nothing of them to be seen
	Covered int // kept, but the click point is intercepted
}

// NewTurn makes a turn ready. The capture must not change afterwards. img may be
// nil where there is no picture; the turn then has text only.
func NewTurn(n int, action string, c *snapshot.Capture, png []byte, img *image.RGBA) *Turn {
	t := &Turn{Recorded: Recorded{Record: turn.Record{N: n, Action: action, Capture: c, Picture: png}, Image: img},
		Tree:   snapshot.NewTree(c),
		Counts: countNodes(c), Explainer: why.New(c)}
	t.Numbers = sync.OnceValue(func() *Numbers { return newNumbers(c) })
	t.Audit = sync.OnceValues(func() (*audit.Report, error) { return auditOf(c) })
	t.Explainer.At(0, 0) // puts the elements in their order now, and not when a person first clicks
	if img != nil {
		t.Pyramid = overlay.NewPyramid(img)
		t.Scene = overlay.NewScene(c, img.Bounds().Size(), overlay.Options{View: overlay.ViewQA,
			Palette: overlay.PaletteCalm})
		t.Kinds = countKinds(c, t.Scene)
	}
	return t
}

// countNodes counts the elements of a capture for the status bar.
func countNodes(c *snapshot.Capture) Counts {
	var k Counts
	for v, n := range c.Verdicts {
		switch v {
		case snapshot.VerdictDisplayNone, snapshot.VerdictVisibilityHidden, snapshot.VerdictContentHidden,
			snapshot.VerdictZeroBox, snapshot.VerdictTransparent, snapshot.VerdictClipped,
			snapshot.VerdictTurned:
			k.Hidden += n
		}
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if n.Verdict == snapshot.VerdictRef {
			k.Refs++
		}
		if !n.Verdict.Kept() {
			continue
		}
		k.Kept++
		if n.Occlusion == nil {
			continue
		}
		if n.Occlusion.State == snapshot.Covered {
			k.Covered++
		}
	}
	return k
}

// CountErrors counts the errors that the console of a capture shows, of its page alone.
func CountErrors(c *snapshot.Capture) int { return newErrors(c, nil) }

// newErrors counts those that the turn before did not show yet: an error belongs to the turn
// in which it happened, and not to each later one of the same page. before may be nil. A request that failed, or was
// answered with 400 or more, is one, once: its line in the console is about the same.
func newErrors(c, before *snapshot.Capture) int {
	var since time.Time
	if before != nil {
		since = before.TakenAt
	}
	failed := map[string]bool{}
	n := 0
	if c.Network != nil {
		for i := range c.Network.Requests {
			q := &c.Network.Requests[i]
			if q.Bad() && q.Matters() && !q.Earlier && q.Began.After(since) {
				failed[q.URL] = true
				n++
			}
		}
	}
	for _, e := range c.ConsoleSince(since) {
		if e.Level == "error" && !failed[e.URL] {
			n++
		}
	}
	return n
}

// Failed reports whether something went wrong in the turn: an error, a failed step or request, a finding on its page
// or on what an agent sent that is an error, or an action of an agent that could not work or did not.
func (r TurnRow) Failed() bool { return r.Faults() > 0 || r.Missed() != "" }

// Faults is how many errors are known of the turn, those of its findings among them.
func (r TurnRow) Faults() int {
	n := r.Errors + r.Wrong
	if r.Story != nil {
		n += r.Story.Errors
	}
	return n
}

// Missed is why what an agent wanted at the turn did not come about, in a sentence, "" where it did or that is not
// known: what the tool reports, else what the page says.
func (r TurnRow) Missed() string {
	switch {
	case r.Then != nil && r.Then.Failed:
		return r.Then.Said
	case r.Story != nil && r.Story.Trouble != "" && !r.Story.Doubt:
		return r.Story.Trouble
	}
	return ""
}

// Tone is how the turn went: red where something failed, amber where something is doubtful, green where an agent's
// action had nothing against it.
func (r TurnRow) Tone() Tone {
	doubt := r.Torn || r.Unsettled
	if q := r.Story; q != nil { // a request without a page was read while nothing was busy
		doubt = r.Torn || r.Unsettled && q.Paired || q.Trouble != ""
	}
	switch {
	case r.Failed():
		return ToneBad
	case doubt:
		return ToneWarn
	case r.Story != nil && r.Story.Actions > 0:
		return ToneGood
	}
	return ToneMuted
}

// Errors counts the failed steps, the failed requests, that to the model among them, and the errors of the console.
func (t *Turn) Errors() int {
	n := CountErrors(t.Capture)
	if t.Trouble != "" {
		n++
	}
	if t.Activity != nil {
		n += t.Activity.Failed
	}
	return n
}

// errorsSince counts those of [Turn.Errors] that the turn before did not show yet.
func (t *Turn) errorsSince(before *Turn) int {
	return t.Errors() - CountErrors(t.Capture) + newErrors(t.Capture, before.Capture)
}

// errorsOf counts the errors of a turn as its row does, which is no failure for what an earlier turn showed. Where
// there is one before and it is not at hand, those of its page are left out: [Survey] counts them.
func (s State) errorsOf(t *Turn) int {
	n := s.TurnBefore(t.N)
	before := s.ready(n)
	if s.Current != nil && s.Current.N == n {
		before = s.Current
	}
	switch {
	case n == 0:
		return t.Errors()
	case before != nil:
		return t.errorsSince(before)
	}
	return t.Errors() - CountErrors(t.Capture)
}

// Row is the turn's line in the list. The thumbnail is nil.
func (t *Turn) Row() TurnRow {
	return TurnRow{
		N: t.N, Action: t.Action, Refs: t.Counts.Refs,
		URL: t.Capture.URL, Title: t.Capture.Title, Taken: t.Capture.TakenAt,
		Note: t.Note, Unsettled: !t.Capture.Settled, Torn: t.Capture.Moment.Torn, Unsaved: t.Unsaved,
		Errors: t.Errors(), Pageless: t.Pageless(), Stored: len(t.Payloads), Wire: t.onWire(),
	}
}

// Fact is the one fact of a row: how the turn differs from the one before, or how many
// numbered elements it has.
func (r TurnRow) Fact() StatusItem {
	if r.Change != nil {
		return StatusItem{r.Change.Short(), ToneMuted}
	}
	return StatusItem{text.Count(r.Refs, "ref", "refs"), ToneMuted}
}

// Flags are the warnings of a row, and the remarks about it, in one short text, the worst
// first, and its tone.
func (r TurnRow) Flags(said Remarks) StatusItem {
	var out StatusItem
	add := func(on bool, text string, tone Tone) {
		if !on {
			return
		}
		if out.Text != "" {
			out.Text += " · "
		}
		out.Text += text
		out.Tone = max(out.Tone, tone)
	}
	add(r.Missed() != "", "missed", ToneBad)
	add(r.Faults() > 0, text.Count(r.Faults(), "error", "errors"), ToneBad)
	add(r.Findings.Appeared > 0, "+"+text.Count(r.Findings.Appeared, "finding", "findings"), ToneWarn)
	add(r.Findings.Gone > 0, "–"+text.Count(r.Findings.Gone, "finding", "findings"), ToneNormal)
	add(r.Torn, "torn", ToneWarn)
	add(r.Unsettled && (r.Story == nil || r.Story.Paired), "busy", ToneWarn)
	notes := said.Count
	if r.Note != "" {
		notes++
	}
	add(notes > 0, ""+text.Count(notes, "note", "notes"), ToneNormal)
	add(r.Wire > 0, "sent", ToneNormal)
	return out
}

// onWire is how many of the stored payloads crossed the wire.
func (t *Turn) onWire() int {
	n := 0
	for _, p := range t.Payloads {
		if p.Wire {
			n++
		}
	}
	return n
}

// Outline is an element without a mark on the picture. The zero value is none.
type Outline struct {
	Box   snapshot.Box // image px
	Label string       // its tag, safe to show
}

// Under lists the elements at a point of the turn's picture in image px, by their index
// in the capture: the topmost first, but for a numbered control or line that the topmost one
// is a part of, which comes before it. It takes microseconds for each thousand elements.
func (t *Turn) Under(x, y float64) []int {
	if t.Scene == nil {
		return nil
	}
	sx, sy := t.Scale()
	at := t.Explainer.At(x/sx, y/sy)
	list := make([]int, len(at))
	for i, e := range at {
		list[i] = e.Node
	}
	if i := slices.IndexFunc(list, func(i int) bool { return t.holdsTop(i, list[0]) }); i > 0 {
		control := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, control)
	}
	return list
}

// holdsTop reports whether a node is a numbered control, or line of text, that top, which is
// not kept, is a part of.
func (t *Turn) holdsTop(i, top int) bool {
	n, is := t.Capture.Node(i), t.Capture.Node(top).Verdict
	return n.Ref > 0 && (len(n.Interactive) > 0 || is == snapshot.VerdictInsideAtomic) && i != top && !is.Kept() &&
		t.Tree.Contains(i, top)
}

// Scale is image px for one CSS px each way, 1 where there is no picture.
func (t *Turn) Scale() (x, y float64) {
	if t.Scene == nil {
		return 1, 1
	}
	x, y = t.Scene.Scale()
	if x <= 0 || y <= 0 {
		return 1, 1
	}
	return x, y
}

// Outline is the box of a node in image px of the turn's picture.
func (t *Turn) Outline(n *snapshot.Node) Outline {
	b := n.VisibleBox()
	if b.Empty() {
		b = n.Box
	}
	if b.Empty() {
		return Outline{}
	}
	sx, sy := t.Scale()
	return Outline{Box: b.Scale(sx, sy), Label: "<" + text.Cut(text.Line(n.Tag), 24) + ">"}
}

// Kind is a kind of box on the picture. Every mark is of exactly one.
type Kind int

func (k Kind) String() string {
	return [NumKinds]string{"links", "fields", "buttons", "hidden or covered", "off screen", "others"}[k]
}

// Id is the id of the command that shows or hides the kind.
func (k Kind) Id() string {
	return "boxes." + [NumKinds]string{"links", "fields", "buttons", "covered", "offscreen", "others"}[k]
}

const (
	KindLinks     Kind = iota
	KindFields         // what takes text or a choice
	KindButtons        // and what is pressed like one
	KindCovered        // of any of the above, where something lies over it or hides it
	KindOffscreen      // outside the picture, where it has no box to show
	KindOthers
	NumKinds
)

// Kinds are all kinds, in the order of the list.
func Kinds() []Kind {
	list := make([]Kind, NumKinds)
	for i := range list {
		list[i] = Kind(i)
	}
	return list
}

// KindOf is the kind of a mark and its node.
func KindOf(m *overlay.Mark, n *snapshot.Node) Kind {
	switch {
	case m.Status == overlay.Offscreen:
		return KindOffscreen
	case m.Status == overlay.Covered, m.Glass, n.Occlusion != nil && n.Occlusion.State != snapshot.Clear,
		len(m.Rects) == 0:
		return KindCovered
	}
	switch n.Role {
	case "link":
		return KindLinks
	case "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton", "option":
		return KindFields
	case "button", "menuitem", "menuitemcheckbox", "menuitemradio", "tab":
		return KindButtons
	}
	switch n.Tag {
	case "input", "select", "textarea":
		return KindFields
	case "button", "summary":
		return KindButtons
	case "a":
		return KindLinks
	}
	return KindOthers
}

// countKinds counts the marks of a scene by kind. Containers are not counted: they have
// no box of their own.
func countKinds(c *snapshot.Capture, scene *overlay.Scene) [NumKinds]int {
	var count [NumKinds]int
	for i := range scene.Marks() {
		m := &scene.Marks()[i]
		if n := c.Node(m.Node); n != nil && m.Status != overlay.Container {
			count[KindOf(m, n)]++
		}
	}
	return count
}

// StoredTitle is a payload that is stored with a turn in a few words.
func StoredTitle(p turn.Payload) string {
	how := "stored"
	if p.Wire {
		how = "sent"
		if p.Way == turn.Answer {
			how = "received"
		}
	}
	return how + ": " + text.Cut(text.Line(p.Dialect), 24) + " " + text.Cut(text.Line(string(p.Way)), 10)
}

// PayloadChoice identifies a payload.
type PayloadChoice struct {
	// Stored is the place in the turn's stored payloads, from 1; 0 derives one with
	// the other fields.
	Stored  int
	Dialect string
	// Mode is agent-interact's domMode, "" for its default; Model the name of the
	// model, "" for none.
	Mode, Model string
}

// Recorded is a turn as the engine gives it.
type Recorded struct {
	turn.Record
	Image   *image.RGBA       // the picture decoded, where that was done already
	Pairing *exchange.Pairing // which page its request belongs to, nil where that is not known
	Trouble string            // why the request to the model was not answered as it should be, "" for nothing
	Unsaved bool              // it could not be written, and is in memory only
}

// Texts are what is stored with the turn and searched for secrets.
func (r *Recorded) Texts() []audit.Text { return audit.TextsOf(r.Payloads, r.Steps, r.Answer) }

// ProfileName is the name of the site profile that applied, "" for none.
func (r *Recorded) ProfileName() string {
	if r.Profile == nil {
		return ""
	}
	return r.Profile.Name
}

// Pageless reports whether no page belongs to the turn.
func (r *Recorded) Pageless() bool { return len(r.Capture.Nodes) == 0 }

// Address is what the address bar says of the turn's page, "" where none belongs to it: its own is where a request
// went.
func (r *Recorded) Address() string {
	if r.Pageless() {
		return ""
	}
	return ShowURL(r.Capture.URL)
}

// WhyPageless is which of Lacks says why no page belongs to the turn: of a request the one about that, else the first;
// -1 for none.
func (r *Recorded) WhyPageless() int {
	if !r.Pageless() || len(r.Lacks) == 0 {
		return -1
	}
	if r.Pairing != nil {
		return max(0, slices.Index(r.Lacks, r.Pairing.Lack()))
	}
	return 0
}

// Ready makes the turn ready for the window: decodes, scales, places marks.
func (r *Recorded) Ready() (*Turn, error) {
	img, err := r.decoded()
	if err != nil {
		return nil, err
	}
	t := NewTurn(r.N, r.Action, r.Capture, r.Picture, img)
	t.Recorded = *r
	t.Image = img
	t.Activity = NewTurnActivity(r.Capture, r.Steps, r.Answer)
	t.StepsText, t.Answered = StepsText(r.Steps), NewAnswer(r.Answer)
	var answer struct{ Status string }
	t.AnswerOK = json.Unmarshal(r.Answer, &answer) == nil && answer.Status == "ok"
	return t, nil
}

func (r *Recorded) decoded() (*image.RGBA, error) {
	if r.Image != nil || len(r.Picture) == 0 {
		return r.Image, nil
	}
	img, err := codec.DecodePNG(r.Picture)
	if err != nil {
		return nil, fmt.Errorf("the picture of turn %d cannot be read: %w", r.N, err)
	}
	return img, nil
}

func (r *Recorded) audit() (*audit.Report, error) { return auditOf(r.Capture) }

// Wrong is how many findings of the audit of the turn are errors. It makes the audit, which takes milliseconds for each
// thousand elements.
func (r *Recorded) Wrong() (int, error) {
	report, err := r.audit()
	if err != nil {
		return 0, err
	}
	return report.Errors, nil
}

func auditOf(c *snapshot.Capture) (*audit.Report, error) {
	return audit.Run(c, audit.Options{PerRule: -1})
}

// ErrorsSince counts what went wrong in the turn: the errors of the page that the turn before
// did not show yet, and the steps that failed. before may be nil.
func (r *Recorded) ErrorsSince(before *Recorded) int {
	var earlier *snapshot.Capture
	if before != nil {
		earlier = before.Capture
	}
	n := newErrors(r.Capture, earlier) + turn.FailedSteps(r.Answer)
	if r.Trouble != "" {
		n++
	}
	return n
}

// Unseen is why nothing is known of what changed since an earlier turn, in a sentence, "" where it is.
func (r *Recorded) Unseen(before *Recorded) string {
	for _, one := range []*Recorded{before, r} {
		if one.Pageless() {
			return fmt.Sprintf("No page belongs to turn %d, so what changed from turn %d to turn %d is not known.",
				one.N, before.N, r.N)
		}
	}
	if r.Capture.SameMoment(before.Capture) {
		return fmt.Sprintf("Turns %d and %d have the same capture, so what changed between them is not known.",
			before.N, r.N)
	}
	return ""
}

// ChangeSince is how the turn differs from an earlier one, nil where that is not known.
func (r *Recorded) ChangeSince(before *Recorded) *TurnChange {
	if r.Unseen(before) != "" {
		return nil
	}
	c := countChanges(before.N, diff.Captures(before.Capture, r.Capture, diff.Options{}))
	return &c
}

// Thumbnails are made at twice the size of their cell, in px, for sharp screens and for
// the magnifier.
const (
	thumbWidth  = 320
	thumbHeight = 180
)

// Thumb is a small picture of img, nil for nil.
func Thumb(img *image.RGBA) image.Image {
	if img == nil {
		return nil
	}
	small := imaging.Fill(img, thumbWidth, thumbHeight, imaging.Top, imaging.Box)
	out := image.NewRGBA(small.Bounds()) // Fyne uploads RGBA as it is
	copy(out.Pix, small.Pix)             // a screenshot is opaque, so NRGBA is RGBA
	return out
}

// StepsText writes the steps of a turn, as they are stored, to be read and edited: a list
// without the tab, one step a line.
func StepsText(stored []byte) string {
	var c struct{ Before, Steps []json.RawMessage }
	if json.Unmarshal(stored, &c) != nil || len(c.Steps) == 0 {
		return ""
	}
	c.Steps = append(c.Before, c.Steps...)
	if len(c.Steps) == 1 {
		return string(c.Steps[0])
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, s := range c.Steps {
		b.WriteString("  ")
		b.Write(s)
		if i+1 < len(c.Steps) {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]")
	return b.String()
}

// NewAnswer makes an answer ready to be shown; nil where there is none.
func NewAnswer(body []byte) *Built {
	if len(body) == 0 {
		return nil
	}
	return NewBuilt(Built{Body: body, columns: answerColumns})
}
