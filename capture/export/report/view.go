package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/turn"
)

// tone is how a remark is meant: its colour, and its place in a class name.
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
// text has passed [dump.Printable].
type turnView struct {
	N                        int
	Action, Title, URL, Time string
	Facts                    []fact
	Badges                   []badge
	Words                    []string
	Damage, Lacks            []string
	Notes                    []note
	Stage                    *stage
	Elements                 *elements
	Changes                  *changes
	Payloads                 []payloadView
	Dumps                    []dumpView
	Steps, Answer            *longText
	Console                  []logLine
	Dialogs                  []logLine
	Said                     []logLine
	Failed                   []string
	Profile                  *profileView

	errors                int // messages of the page that say so
	redacted              int
	covered               int
	torn, restless, moved bool
}

// fact is one line of a list of facts.
type fact struct{ Name, Value string }

// logLine is a message and when it came.
type logLine struct {
	Tone             tone
	Kind, When, Text string
	Where            string
}

// note is what somebody said about a turn.
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
	s = dump.PrintableLines(s)
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
	v := &turnView{N: n, Action: dump.Printable(s.Action), Title: dump.Printable(s.Title), URL: dump.Printable(s.URL),
		Damage: allPrintable(b.damage[n])}
	if !s.Time.IsZero() {
		v.Time = moment(s.Time)
	}
	if s.Note != "" {
		v.Notes = append(v.Notes, note{Tone: plain, Text: dump.PrintableLines(s.Note)})
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
	v.URL, v.Title = dump.Printable(c.URL), dump.Printable(c.Title)
	v.Lacks = allPrintable(rec.Lacks)
	v.facts(rec)
	v.messages(c)
	v.look(rec)
	v.restless, v.torn = !c.Settled && len(c.Nodes) > 0, c.Moment.Torn
	if b.before != nil && len(c.Nodes) > 0 {
		v.Changes = compare(b.before, c, b.beforeN)
		v.moved = v.Changes.Navigated
	}
	v.dumps(c, b.options.Formats, b.options.Counter)
	v.payloads(rec, &b.options)
	v.Steps, v.Answer = indented(rec.Steps), indented(rec.Answer)
	if p := rec.Profile; p != nil {
		v.Profile = &profileView{dump.Printable(p.Name), newLongText(string(p.Bytes))}
	}
	v.words(c, b.beforeN)
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
	add("Browser", dump.Printable(m.Chrome))
	add("Taken by", dump.Printable(m.Tool))
	if m.Timings.Total > 0 {
		add("Time to take", fmt.Sprintf("%.0f ms", m.Timings.Total))
	}
}

// messages are what the page said besides its elements.
func (v *turnView) messages(c *snapshot.Capture) {
	for _, e := range c.Console {
		l := logLine{Tone: plain, Kind: dump.Printable(e.Level), When: ago(e.Age), Text: message(e.Text)}
		switch e.Level {
		case "error", "assert":
			l.Tone = bad
			v.errors++
		case "warning", "warn":
			l.Tone = warn
		}
		if e.URL != "" {
			l.Where = dump.Printable(e.URL)
			if e.Line > 0 {
				l.Where += fmt.Sprintf(", line %d", e.Line)
			}
		}
		v.Console = append(v.Console, l)
	}
	for _, d := range c.Dialogs {
		l := logLine{Tone: plain, Kind: dump.Printable(d.Type), When: ago(d.Age), Text: message(d.Message),
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
			continue // the difference says more than a list of all that moved
		}
		v.Said = append(v.Said, l)
	}
	for _, f := range c.Failed {
		v.Failed = append(v.Failed, dump.Printable(f.Layer+": "+f.Why))
	}
	for i := range c.Nodes {
		v.redacted += len(c.Nodes[i].Redacted)
	}
}

// messageMax is how many characters of one message a report shows.
const messageMax = 4000

// message is what a page said, cut where it does not end.
func message(s string) string {
	s = dump.Printable(s)
	if n := utf8.RuneCountInString(s); n > messageMax {
		return short(s, messageMax) + " (" + many(n, "character", "characters") + ")"
	}
	return s
}

func noteOf(a turn.Annotation) note {
	n := note{Tone: plain, Verdict: dump.Printable(a.Verdict), By: dump.Printable(a.By), Text: dump.PrintableLines(a.Text)}
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
		out = append(out, dump.Printable(s))
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
