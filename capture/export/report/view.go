package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/exchange"
	"github.com/refscope/refscope/snapshot/network"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// tone is the severity of a remark: its colour, and its part of a class name.
type tone string

const (
	good  tone = "good"
	warn  tone = "warn"
	bad   tone = "bad"
	plain tone = "plain"
)

// badge is one short remark about a turn.
type badge struct {
	Tone tone
	Text string
}

// turnView is what the section of a turn shows. All its texts are for people: page
// text has passed [text.Line].
type turnView struct {
	card
	Time          string
	Facts         []fact
	Words         []string
	Damage, Lacks []string
	Notes         []note
	Stage         *stage
	Elements      *elements
	Changes       *changes
	Payloads      []payloadView
	Request       *requestView
	Next          nextView
	Dumps         []dumpView
	Steps, Answer *longText
	Console       []logLine
	Network       []logLine // what failed, or was under way
	Dialogs       []logLine
	Said          []logLine
	Failed        []string
	Profile       *profileView

	covered int
	address string // of the page, as it was
	moved   bool
}

// fact is one line of a list of facts.
type fact struct{ Name, Value string }

// logLine is a message and when it came.
type logLine struct {
	Tone             tone
	Kind, When, Text string
	Where            string
}

// note is a comment on a turn.
type note struct {
	Tone              tone
	Verdict, By, When string
	Text              string
}

// profileView is the profile that applied.
type profileView struct {
	Name string
	Text *longText
}

// longText is text of which a report shows the first [dumpLimit] characters, and how
// many it leaves out.
type longText struct {
	Text string
	Left int
}

func newLongText(s string) *longText {
	s = text.Lines(s)
	if len(s) <= dumpLimit {
		return &longText{Text: s}
	}
	r := []rune(s)
	n := min(len(r), dumpLimit)
	return &longText{string(r[:n]), len(r) - n}
}

// view is what a report shows of one turn; rec is nil where it cannot be read.
func (b *builder) view(n int, rec *turn.Record) *turnView {
	s := b.summaries[n]
	v := &turnView{card: card{N: n, Action: text.Line(s.Action), Title: text.Line(s.Title), URL: text.Line(s.URL)},
		Damage: allPrintable(b.damage[n]), address: s.URL}
	if !s.Time.IsZero() {
		v.Time = moment(s.Time)
	}
	if s.Note != "" {
		v.Notes = append(v.Notes, note{Tone: plain, Text: text.Lines(s.Note)})
	}
	for _, a := range b.annotations[n] {
		v.Notes = append(v.Notes, noteOf(a))
	}
	if rec == nil {
		if v.Title == "" {
			v.Title = "A turn that cannot be read"
		}
		v.badges()
		return v
	}
	c := rec.Capture
	v.address = c.URL
	v.URL, v.Title = text.Line(c.URL), text.Line(c.Title)
	v.Lacks = allPrintable(rec.Lacks)
	v.facts(rec)
	v.messages(c, b.taken[document(c)])
	v.failed, v.unanswered = turn.FailedSteps(rec.Answer), exchange.Trouble(rec.Exchange)
	v.examine(&b.options, b.doctor, rec)
	if c.Pageless() && doctor.Asks(s.Parts) { // where the request went is no page
		v.URL, v.address = "", ""
	}
	v.picture(rec)
	v.restless, v.torn = !c.Settled && len(c.Nodes) > 0, c.Moment.Torn
	if b.before != nil && len(c.Nodes) > 0 && !c.SameMoment(b.before) { // nothing was seen between two of one moment
		v.Changes = compare(b.before, c, b.beforeN)
		v.moved = v.Changes.Navigated
	}
	formats := b.options.Formats
	if b.options.usual && v.Request != nil && v.Request.Sent != nil {
		formats = formats[:1] // the text as it was sent says the rest
	}
	v.dumps(c, formats, b.options.Counter)
	v.payloads(rec, &b.options)
	v.Steps, v.Answer = indented(rec.Steps), indented(rec.Answer)
	if p := rec.Profile; p != nil {
		v.Profile = &profileView{text.Line(p.Name), newLongText(string(p.Bytes))}
	}
	v.sentences(c, b.beforeN)
	v.badges()
	return v
}

func (v *turnView) facts(rec *turn.Record) {
	c, m := rec.Capture, rec.Meta
	add := func(name, value string) {
		if value != "" {
			v.Facts = append(v.Facts, fact{name, value})
		}
	}
	add("Taken", v.Time)
	if c.Viewport.Width > 0 {
		add("Viewport", fmt.Sprintf("%g × %g CSS px", c.Viewport.Width, c.Viewport.Height))
	}
	if c.Scroll.MaxX > 0 || c.Scroll.MaxY > 0 {
		add("Scrolled", fmt.Sprintf("%.0f of %.0f px down", c.Scroll.Y, c.Scroll.MaxY))
	}
	add("Browser", text.Line(m.Chrome))
	add("Taken by", text.Line(m.Tool))
	if c.Network != nil {
		add("Loaded", c.Network.Summary())
	}
	if m.Timings.Total > 0 {
		add("Time to take", fmt.Sprintf("%.0f ms", m.Timings.Total))
	}
}

// messages are what the page reported besides its elements, since the turn before of the same document.
func (v *turnView) messages(c *snapshot.Capture, since time.Time) {
	for _, e := range c.ConsoleSince(since) {
		l := logLine{Tone: plain, Kind: text.Line(e.Level), When: ago(e.Age), Text: message(e.Text)}
		switch e.Level {
		case "error", "assert":
			l.Tone = bad
			v.errors++
		case "warning", "warn":
			l.Tone = warn
		}
		if e.URL != "" {
			l.Where = text.Line(e.URL)
			if e.Line > 0 {
				l.Where += fmt.Sprintf(", line %d", e.Line)
			}
		}
		v.Console = append(v.Console, l)
	}
	for _, q := range c.Network.Sorted(network.ByProblem) {
		if q.Problem() == "" || q.Earlier || !since.IsZero() && q.Began.Before(since) && q.State != network.Pending {
			continue
		}
		l := logLine{Tone: warn, Kind: text.Line(q.Type),
			When: ago(max(0, float64(c.TakenAt.Sub(q.Began).Milliseconds()))),
			Text: message(q.Name(c.URL, 400) + " " + q.Problem())}
		if q.Bad() {
			l.Tone = bad
		}
		if i := q.Initiator; i != nil && i.URL != "" {
			l.Where = text.Line(i.URL)
			if i.Line > 0 {
				l.Where += fmt.Sprintf(", line %d", i.Line)
			}
		}
		v.Network = append(v.Network, l)
	}
	for _, d := range c.DialogsSince(since) {
		l := logLine{Tone: plain, Kind: text.Line(d.Type), When: ago(d.Age), Text: message(d.Message),
			Where: "dismissed"}
		if d.Accepted {
			l.Where = "accepted"
		}
		v.Dialogs = append(v.Dialogs, l)
	}
	for _, m := range c.Mutations {
		l := logLine{Kind: m.Category, When: ago(m.Age), Text: message(m.Text)}
		switch m.Category {
		case "error":
			l.Tone = bad
			v.errors++
		case "warning":
			l.Tone = warn
		case "success":
			l.Tone = good
		default:
			continue // the difference is more useful than a list of all that moved
		}
		v.Said = append(v.Said, l)
	}
	for _, f := range c.Failed {
		v.Failed = append(v.Failed, text.Line(f.Layer+": "+f.Why))
	}
	for i := range c.Nodes {
		v.redacted += len(c.Nodes[i].Redacted)
	}
}

// messageMax is how many characters of one message a report shows.
const messageMax = 4000

// message is a message of a page, truncated if long.
func message(s string) string {
	s = text.Line(s)
	if n := utf8.RuneCountInString(s); n > messageMax {
		return text.Cut(s, messageMax) + " (" + text.Count(n, "character", "characters") + ")"
	}
	return s
}

func noteOf(a turn.Annotation) note {
	n := note{Tone: plain, Verdict: text.Line(a.Verdict), By: text.Line(a.By), Text: text.Lines(a.Text)}
	if !a.At.IsZero() {
		n.When = moment(a.At)
	}
	switch turn.Judge(a.Verdict) {
	case turn.Good:
		n.Tone = good
	case turn.Bad:
		n.Tone = bad
	case turn.Questionable:
		n.Tone = warn
	}
	if a.Ref > 0 {
		n.By = strings.TrimSpace(n.By + " about " + strconv.Itoa(a.Ref))
	}
	return n
}

func allPrintable(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, text.Line(s))
	}
	return out
}

// indented is JSON for people, or the text as it is where it is none; nil for nothing.
func indented(b []byte) *longText {
	if len(b) == 0 {
		return nil
	}
	var out bytes.Buffer
	if json.Indent(&out, b, "", "  ") != nil {
		return newLongText(string(b))
	}
	return newLongText(out.String())
}

// moment is a time as a report shows it.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// ago is an age in ms, in words.
func ago(ms float64) string {
	switch {
	case ms < 1000:
		return fmt.Sprintf("%.0f ms before", ms)
	case ms < 100_000:
		return fmt.Sprintf("%.1f s before", ms/1000)
	}
	return fmt.Sprintf("%.0f min before", ms/60_000)
}

// sentences describe the turn in sentences that need no knowledge of formats.
func (v *turnView) sentences(c *snapshot.Capture, beforeN int) {
	say := func(format string, args ...any) { v.Words = append(v.Words, fmt.Sprintf(format, args...)) }
	switch d := v.Changes; {
	case d == nil:
	case d.Navigated:
		say("The page is another one than in turn %d.", beforeN)
	case d.Empty:
		say("Nothing changed since turn %d.", beforeN)
	default:
		say("Since turn %d: %s", beforeN, d.Words)
	}
	if len(c.Nodes) > 0 {
		say("The agent could address %s and read %s.", text.Count(count(c, snapshot.VerdictRef), "element", "elements"),
			text.Count(count(c, snapshot.VerdictContent), "line of text", "lines of text"))
	}
	if v.covered > 0 {
		say("A click on %s would not arrive, because something lies over %s.",
			text.Count(v.covered, "element", "elements"),
			itThem(v.covered))
	}
	for _, o := range c.Page.Overlays {
		kind := strings.ReplaceAll(text.Line(o.Kind), "_", " ")
		if o.Title != "" {
			kind += " “" + text.Line(o.Title) + "”"
		}
		say("Over the page: %s, %s of the view.", kind, text.Percent(o.Share))
	}
	if len(v.Dialogs) > 0 {
		say("The page opened %s.", text.Count(len(v.Dialogs), "dialog", "dialogs"))
	}
	if v.failed > 0 {
		say("%s failed.", text.Capital(text.Count(v.failed, "step", "steps")))
	}
	if v.errors > 0 {
		say("The page reported %s.", text.Count(v.errors, "error", "errors"))
	}
	v.frames(c)
	if len(c.Nodes) > 0 && !c.Settled {
		say("The page was still changing when it was read.")
	}
	if c.Moment.Torn {
		say("Picture and text may not show the same moment: the page changed in between.")
	}
	if v.Stage == nil || v.Stage.Picture == "" {
		say("There is no picture of this turn.")
	}
	if v.redacted > 0 {
		say("%s withheld for being secret, such as a password.",
			text.Capital(text.Count(v.redacted, "value was", "values were")))
	}
}

// frames say which frames could not be read, those for the same reason at once.
func (v *turnView) frames(c *snapshot.Capture) {
	var reasons []string
	unread := map[string]int{}
	for _, f := range c.Frames {
		if f.Readable {
			continue
		}
		if unread[f.Why]++; unread[f.Why] == 1 {
			reasons = append(reasons, f.Why)
		}
	}
	for _, why := range reasons {
		who := "A frame"
		if n := unread[why]; n > 1 {
			who = text.Count(n, "frame", "frames")
		}
		v.Words = append(v.Words, fmt.Sprintf("%s could not be read: %s", who, sentence(text.Line(why))))
	}
}

func count(c *snapshot.Capture, verdict snapshot.Verdict) int {
	n := 0
	for i := range c.Nodes {
		if c.Nodes[i].Verdict == verdict {
			n++
		}
	}
	return n
}

// badges are the remarks that a turn has in the timeline too, the worst first.
func (v *turnView) badges() {
	put := func(on bool, t tone, format string, args ...any) {
		if on {
			v.Badges = append(v.Badges, badge{t, fmt.Sprintf(format, args...)})
		}
	}
	put(len(v.Damage) > 0, bad, "damaged")
	put(v.failed > 0, bad, "%s", text.Count(v.failed, "failed step", "failed steps"))
	put(v.unanswered != "", bad, "%s", text.Cut(v.unanswered, 80))
	put(v.errors > 0, bad, "%s", text.Count(v.errors, "error", "errors"))
	put(v.torn, warn, "torn")
	put(v.restless, warn, "not settled")
	put(len(v.Failed) > 0, warn, "%s unread", text.Count(len(v.Failed), "layer", "layers"))
	put(v.covered > 0, warn, "%d covered", v.covered)
	put(len(v.Dialogs) > 0, plain, "%s", text.Count(len(v.Dialogs), "dialog", "dialogs"))
	put(len(v.Lacks) > 0, plain, "incomplete")
	put(v.redacted > 0, plain, "%d withheld", v.redacted)
	put(v.moved, plain, "new page")
	put(v.Changes != nil && v.Changes.Empty, plain, "no change")
	if n := len(v.Notes); n > 0 {
		if last := v.verdict(); last != nil {
			put(true, last.Tone, "%s", last.Verdict)
		} else {
			put(true, plain, "%s", text.Count(n, "note", "notes"))
		}
	}
}

// verdict is the last verdict of a note, nil for none.
func (v *turnView) verdict() *note {
	for i := len(v.Notes) - 1; i >= 0; i-- {
		if v.Notes[i].Verdict != "" {
			return &v.Notes[i]
		}
	}
	return nil
}

func itThem(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

// sentence is s with a full stop.
func sentence(s string) string {
	switch {
	case s == "":
		return "no reason is known."
	case strings.HasSuffix(s, "."):
		return s
	}
	return s + "."
}

// sizeWords is a size in bytes for people: KB are 1,000 bytes.
func sizeWords(n int) string {
	switch {
	case n < 1000:
		return text.Count(n, "byte", "bytes")
	case n < 1_000_000:
		return strconv.FormatFloat(math.Round(float64(n)/100)/10, 'f', -1, 64) + " KB"
	}
	return strconv.FormatFloat(math.Round(float64(n)/100_000)/10, 'f', -1, 64) + " MB"
}

// changes are the differences from an earlier turn.
type changes struct {
	Since     int
	Sentence  string
	Navigated bool
	Empty     bool
	Words     string // for those who do not know the kinds
	Lines     []changeLine
	Left      int // lines that are not shown
}

// changeMax is how many lines of a difference a report shows.
const changeMax = 500

// changeLine is one line of [diff.Diff.Report].
type changeLine struct{ Class, Text string }

func compare(before, after *snapshot.Capture, since int) *changes {
	d := diff.Captures(before, after, diff.Options{})
	out := &changes{Since: since, Sentence: d.Sentence(), Navigated: d.Navigated, Empty: d.Empty()}
	out.Words = changeWords(d)
	lines := strings.Split(d.Report(), "\n")
	lines = lines[1 : len(lines)-1] // the address and the sentence are shown elsewhere
	if out.Left = len(lines) - changeMax; out.Left > 0 {
		lines = lines[:changeMax]
	}
	for _, l := range lines {
		class := "fact"
		if sign, _, ok := strings.Cut(l, " "); ok {
			switch sign {
			case "-":
				class = "gone"
			case "+":
				class = "new"
			case "~":
				class = "changed"
			case ">":
				class = "group"
			}
		}
		out.Lines = append(out.Lines, changeLine{class, l})
	}
	return out
}

// changeWords are what came, went, changed and only lies elsewhere, as the end of a sentence.
func changeWords(d *diff.Diff) string {
	came, went, anew := d.Counts[diff.Added], d.Counts[diff.Removed], d.Counts[diff.Replaced]
	changed, moved := map[*diff.Element]bool{}, map[*diff.Element]bool{} // by the side before, which all changes share
	for i := range d.Changes {
		switch c := &d.Changes[i]; c.Kind {
		case diff.Added, diff.Removed, diff.Replaced:
		case diff.Moved, diff.Viewport:
			moved[c.Before] = true
		default:
			changed[c.Before] = true
		}
	}
	maps.DeleteFunc(moved, func(e *diff.Element, _ bool) bool { return changed[e] })
	if came+went+len(changed)+len(moved) == 0 && anew > 0 {
		return fmt.Sprintf("the page was rendered again: it reads the same, and %s new numbers.",
			text.Count(anew, "element has", "elements have"))
	}
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, text.Count(n, "element "+word, "elements "+word))
		}
	}
	add(came, "came")
	add(went, "went")
	add(len(changed), "changed")
	add(len(moved), "moved")
	if len(parts) == 0 {
		return "no element changed, but facts of the page did."
	}
	return strings.Join(parts, ", ") + "."
}
