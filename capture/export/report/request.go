package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/audit"
	"github.com/refscope/refscope/snapshot/conversation"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
	"github.com/refscope/refscope/snapshot/wire"
)

// requestView is what a model was asked at a turn, what it answered, and what the doctor finds in it.
type requestView struct {
	Summary  string
	Findings []findingView
	Aims     []aimView
	Sent     *sentView
	Told     *toldView
	Talk     *talkView

	refs map[int]string // the agent's own numbers, by the element's place in the capture
	tool string         // what the newest tool reported, "" for a page or nothing
	did  string         // what the answer wants done, in a few words; "" where that is not known
	// failed: it is an error; own: it is of the call of this turn, as a server of tools is recorded.
	failed, own bool
}

// findingView is one finding.
type findingView struct {
	Class, Sentence, Evidence, Where, Action string
	Ref                                      int
}

// aimView is one action of the answer: what it wants, and the sentence why it could not work.
type aimView struct {
	N                 int // from 1; 0 where it is the only one
	Sentence, Trouble string
	Tone              tone
	Ref               int // our number of the element, 0 for none

	at   [2]float64 // CSS px of the viewport
	seen bool
	node int
}

// sentView is the newest text of the page as it stood in the request.
type sentView struct {
	Format  string
	Tokens  int
	Matched int // lines with an element
	Lines   []dumpLine
	Left    int // characters that are not shown
}

// toldView is what a model was told of what a person sees.
type toldView struct {
	Tone     tone
	Sentence string
	Missed   []findingView
	All      int // that were missed
	More     int // of them that are not in the list

	boxes []snapshot.Box // of all that are listed, CSS px of the viewport
}

// maxMissed is how many misses of a turn a report lists.
const maxMissed = 40

// examine adds what a model was asked and answered; nothing for a turn that holds no request that can be read.
func (v *turnView) examine(o *Options, d *doctor.Doctor, rec *turn.Record) {
	r, err := d.Examine(rec)
	if err != nil {
		v.Failed = append(v.Failed, text.Line(err.Error()))
		return
	}
	asked, answer := conversation.Stored(rec.Payloads)
	if r == nil || asked == nil {
		return
	}
	out := &requestView{Summary: fmt.Sprintf("%s: %s, %s, %s.", text.Count(len(r.Sections), "section", "sections"),
		text.Count(r.Errors, "error", "errors"), text.Count(r.Warnings, "warning", "warnings"),
		text.Count(r.Notes, "note", "notes")), refs: map[int]string{}}
	for _, f := range r.Findings {
		one := findingView{Class: "plain", Sentence: text.EscapeOnce(f.Sentence), Evidence: text.EscapeOnce(f.Evidence),
			Action: f.Action, Ref: f.Ref}
		if f.Severity != audit.Note {
			one.Class = "warn"
		}
		if f.Section != "" {
			one.Where = fmt.Sprintf("%s, bytes %d to %d", text.Line(f.Section), f.Bytes[0], f.Bytes[1])
		}
		out.Findings = append(out.Findings, one)
	}
	out.aims(r, rec.Capture)
	out.sent(r, rec.Capture)
	out.told(r, rec.Capture)
	if story := conversation.StoryOf(rec, r); story != nil {
		out.did = story.Did
	}
	count := func(s string) int { return (len(s) + 3) / 4 }
	if o.Counter != nil {
		count = o.Counter.Count
	}
	if talk, err := conversation.Read(*asked, answer, r, count); err != nil {
		v.Failed = append(v.Failed, text.Line(err.Error()))
	} else {
		out.Talk = talkOf(talk, r)
		out.tool, out.failed = talk.Reported()
		if out.own = talk.Own; out.own {
			v.Next.Tool, v.Next.failed = out.tool, out.failed
		}
	}
	v.Request = out
}

// aims are what the answer wants done.
func (q *requestView) aims(r *doctor.Report, c *snapshot.Capture) {
	list := conversation.Aims(r, c)
	for i := range list {
		a := &list[i]
		one := aimView{Sentence: a.Sentence(), Trouble: text.EscapeOnce(a.Trouble), Tone: good, Ref: a.ElementRef,
			node: a.Node}
		if len(list) > 1 {
			one.N = i + 1
		}
		switch {
		case a.Trouble != "" && a.Doubt:
			one.Tone = warn
		case a.Trouble != "":
			one.Tone = bad
		}
		one.at, one.seen = conversation.Place(c, &a.Target)
		q.Aims = append(q.Aims, one)
	}
}

// sent is the newest text that lists elements of the page, line by line with our number of each.
func (q *requestView) sent(r *doctor.Report, c *snapshot.Capture) {
	if len(r.Texts) == 0 {
		return
	}
	t := r.Texts[len(r.Texts)-1]
	body := newLongText(t.Body())
	out := &sentView{Format: text.Line(string(t.Format)), Matched: t.Matched, Left: body.Left}
	for _, line := range strings.Split(strings.TrimRight(body.Text, "\n"), "\n") {
		out.Lines = append(out.Lines, dumpLine{Text: line})
	}
	for _, s := range r.Sections {
		if s.Name == t.Section {
			out.Tokens = s.Tokens
		}
	}
	for _, l := range t.Lines {
		n := c.Node(l.Node)
		if n == nil {
			continue
		}
		if l.Ref != "" && q.refs[n.I] == "" {
			q.refs[n.I] = text.Cut(text.Line(l.Ref), 12)
		}
		for i := max(l.First-1, 0); i < min(l.Last, len(out.Lines)); i++ {
			out.Lines[i].Ref = n.Ref
		}
	}
	for _, a := range q.Aims {
		for i := range out.Lines {
			if a.Ref > 0 && out.Lines[i].Ref == a.Ref {
				out.Lines[i].Class = "aim"
			}
		}
	}
	q.Sent = out
}

// told compares what a person sees with the newest text of the page; nothing where no page is paired with the request.
func (q *requestView) told(r *doctor.Report, c *snapshot.Capture) {
	if !r.Paired || len(r.Texts) == 0 {
		return
	}
	s := audit.Told(c, r.Texts[len(r.Texts)-1])
	if s.Seen == 0 {
		return
	}
	out := &toldView{Tone: good,
		Sentence: fmt.Sprintf("The model was told %s of what a person sees in the window: %d of %s.",
			s.Percent(), s.Told, text.Count(s.Seen, "element", "elements"))}
	if s.Missed > 0 {
		out.Tone = warn
	}
	for _, m := range s.Missing {
		out.boxes = append(out.boxes, m.Box)
		if len(out.Missed) < maxMissed {
			out.Missed = append(out.Missed, findingView{Ref: m.Ref, Sentence: m.Kind + " " + text.EscapeOnce(m.Text),
				Evidence: text.EscapeOnce(m.Explanation)})
		}
	}
	out.All, out.More = s.Missed, s.Missed-len(out.Missed)
	q.Told = out
}

// worst is the severest tone of what the answer wants, plain where it wants nothing.
func (q *requestView) worst() tone {
	worst := plain
	for _, a := range q.Aims {
		if slices.Index(severity, a.Tone) > slices.Index(severity, worst) {
			worst = a.Tone
		}
	}
	return worst
}

// severity are the tones from the least to the most severe.
var severity = []tone{plain, good, warn, bad}

// talkView is the conversation of a request.
type talkView struct {
	Facts      []string
	Messages   []messageView
	Tools      []toolView
	Parameters []fact
}

// messageView is one message, or the line in the place of those that repeat.
type messageView struct {
	Role  string // a class name: system, user, assistant, tool or other
	Who   string
	Cost  string
	New   bool
	Same  string // in the place of a message: 18 messages as in turn 3
	Parts []partView
}

// partView is a part of a message. Body is nil for what is one line.
type partView struct {
	Kind string // what it is, in a word or a line
	Line string
	Code bool
	Sent bool // it is the text that the report shows as sent
	Fold bool // it is long
	Body *longText
}

// toolView is a tool that the model may call.
type toolView struct {
	Name, Description string
	Tokens            int
}

// Lengths in characters: of a part of a message before it is folded, and before it is cut.
const (
	foldLimit = 700
	partLimit = 20_000
	toolLimit = 400
)

func talkOf(c *conversation.Conversation, r *doctor.Report) *talkView {
	out := &talkView{Facts: talkFacts(c)}
	same := -1
	folded, tokens := 0, 0
	for i := range c.Messages {
		m := &c.Messages[i]
		if c.Repeats(i) {
			if same < 0 {
				same = len(out.Messages)
				out.Messages = append(out.Messages, messageView{})
			}
			folded, tokens = folded+1, tokens+m.Tokens
			continue
		}
		out.Messages = append(out.Messages, messageOf(m, r))
	}
	if same >= 0 {
		out.Messages[same].Same = fmt.Sprintf("%s as in turn %d, %s", text.Count(folded, "message", "messages"),
			c.Before,
			text.Count(tokens, "token", "tokens"))
	}
	for _, t := range c.Tools {
		out.Tools = append(out.Tools, toolView{text.Cut(text.Line(t.Name), 80),
			text.Cut(text.Line(t.Description), toolLimit), t.Tokens})
	}
	for _, p := range c.Parameters {
		out.Parameters = append(out.Parameters, fact{text.Cut(text.Line(p.Name), 80),
			text.Cut(text.Line(string(p.Value)), toolLimit)})
	}
	return out
}

// talkFacts are how much there is of a conversation.
func talkFacts(c *conversation.Conversation) []string {
	asked := len(c.Messages)
	if asked > 0 && c.Messages[asked-1].Answer {
		asked--
	}
	out := []string{text.Count(asked, "message", "messages")}
	if n := len(c.Tools); n > 0 {
		out = append(out, text.Count(n, "tool", "tools"))
	}
	switch u := c.Usage; {
	case u.Input > 0:
		out = append(out, text.Thousands(u.Input)+" tokens in", text.Thousands(u.Output)+" out")
		if u.CacheRead > 0 {
			out = append(out, text.Thousands(u.CacheRead)+" from the cache")
		}
	case c.Tokens > 0:
		out = append(out, "about "+text.Thousands(c.Tokens)+" tokens in")
	}
	return out
}

func messageOf(m *conversation.Message, r *doctor.Report) messageView {
	out := messageView{Role: "other", Who: m.Speaker(), New: m.New && !m.Answer}
	switch m.Role {
	case "system", "developer":
		out.Role = "system"
	case "user", "assistant", "tool":
		out.Role = m.Role
	case "model":
		out.Role = "assistant"
	case "function":
		out.Role = "tool"
	}
	if m.Tokens > 0 {
		out.Cost = text.Count(m.Tokens, "token", "tokens")
	}
	if m.Cached {
		out.Cost += ", cached"
	}
	for k := range m.Parts {
		out.Parts = append(out.Parts, partOf(&m.Parts[k], r.Texts))
	}
	return out
}

func partOf(p *conversation.Part, texts []*observation.Text) partView {
	body := func(s string) *longText {
		short := text.Start(s, partLimit)
		out := newLongText(short)
		out.Left += len([]rune(s)) - len([]rune(short))
		return out
	}
	out := partView{}
	switch {
	case p.Kind == wire.Image:
		out.Kind, out.Line = "Picture", strings.ReplaceAll(p.PictureWords(), "\n", ", ")
		return out
	case p.Kind == wire.Call:
		out.Kind, out.Code = "Calls "+text.Cut(text.Line(p.Name), 80), true
		out.Body = indented(p.Arguments)
	case p.Page != nil:
		out.Line = p.PageWords()
		if out.Sent = p.Page == texts[len(texts)-1]; out.Sent {
			return out
		}
		out.Kind, out.Code, out.Fold, out.Body = "Page", true, true, body(p.Text)
		return out
	case p.Kind == wire.Reasoning:
		out.Kind, out.Body = "Thinks", body(p.Text)
	default:
		out.Code, out.Body = p.Kind == wire.Result, body(p.Text)
	}
	if b := out.Body; b != nil {
		out.Fold = len(b.Text) > foldLimit
		if out.Fold {
			out.Line = text.Cut(text.Line(b.Text), 120)
		}
	}
	return out
}
