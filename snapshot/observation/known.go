package observation

import (
	"regexp"
	"slices"
	"strings"
)

// Standing is what a text means to a model that reads the whole request.
type Standing string

const (
	// Stands: the newest whole text, or a part of it.
	Stands Standing = "stands"
	// Merged: changes to the text that stands, which hold beside what it says of the rest.
	Merged Standing = "merged"
	// Superseded: a newer text has taken its place.
	Superseded Standing = "superseded"
)

// Words among the states of a line of changes: the line begins what has changed, or stands for what has not.
const (
	changed   = "changed"
	unchanged = "unchanged"
)

// Changes reports whether a text has only what changed since an earlier one.
func (t *Text) Changes() bool {
	if t.Format == AgentBrowser && deltaSign.MatchString(t.body) ||
		t.Format == Playwriter && playwriterDiff.MatchString(t.body) {
		return true
	}
	for i := range t.Lines {
		if t.Lines[i].is(changed) || t.Lines[i].is(unchanged) {
			return true
		}
	}
	return false
}

func (l *Line) is(state string) bool { return slices.Contains(l.States, state) }

// Unexplained reports whether a line only says that its element has not changed: what it is stands in no text of the
// request.
func (l *Line) Unexplained() bool { return l.is(unchanged) && l.Role == "" }

// origin is the line of a text from which one of what is known was taken.
type origin struct {
	text *Text
	line int
}

// Known is what a model knows of the page from the texts of one request, which are in their order: the newest whole
// text with the changes after it, and every line with the turn since which it stands there ([Text.Turn] of the texts
// must be set for that). It sets the standing of each text. nil for no texts. Where one text is all, it is that text.
func Known(texts []*Text) *Text {
	if len(texts) == 0 {
		return nil
	}
	k := knowledge{}
	for _, t := range texts {
		t.Standing = Stands
		for i := range t.Lines {
			t.Lines[i].Since = t.Turn
		}
		k.add(t)
	}
	newest := texts[len(texts)-1]
	if len(k.texts) == 1 {
		for i := range k.known { // what stands since before the newest text
			newest.Lines[i].Since = k.known[i].Since
		}
		return newest
	}
	out := &Text{Section: newest.Section, Format: newest.Format, Guessed: newest.Guessed, Message: newest.Message,
		Turn: newest.Turn, Standing: Stands, body: newest.body}
	for i, l := range k.known {
		if from := k.from[i].text; from.Section != out.Section {
			l.Section = from.Section
		}
		k.from[i].text.Lines[k.from[i].line].Since = l.Since
		out.Lines = append(out.Lines, l)
	}
	out.from = k.from
	return out
}

// MaxGiven is how many texts are remembered.
const MaxGiven = 32

// Remember adds a text to those that a model was given one by one, for [Known]. Of too many the oldest goes; the whole
// text on which all after it rest stays.
func Remember(given []*Text, t *Text) []*Text {
	given = append(given, t)
	if len(given) <= MaxGiven {
		return given
	}
	oldest := 0
	if !slices.ContainsFunc(given[1:], func(t *Text) bool { return !t.Changes() && !t.Part }) {
		oldest = 1
	}
	return slices.Delete(given, oldest, oldest+1)
}

// Share gives the lines of the texts from which this one was merged the elements that its own were tied to.
func (t *Text) Share() {
	var of []*Text
	for i, o := range t.from {
		o.text.Lines[o.line].isOf(&t.Lines[i])
		if !slices.Contains(of, o.text) {
			of = append(of, o.text)
		}
	}
	for _, text := range of {
		text.Matched = 0
		for i := range text.Lines {
			l := &text.Lines[i]
			if l.Unexplained() {
				at := slices.IndexFunc(t.Lines, func(own Line) bool { return own.Ref == l.Ref })
				if at >= 0 {
					l.isOf(&t.Lines[at])
				}
			}
			if l.Node >= 0 {
				text.Matched++
			}
		}
	}
}

// isOf gives a line the element of another one.
func (l *Line) isOf(other *Line) {
	l.Node, l.Score, l.Why, l.Candidates = other.Node, other.Score, other.Why, other.Candidates
	l.Gone, l.Was = other.Gone, other.Was
}

// knowledge is what is known so far, in the order of the page.
type knowledge struct {
	texts []*Text // that it is made of
	known []Line
	from  []origin
	rows  []row // the lines of the list that deltas were put into; nil for none
}

// add takes the next text.
func (k *knowledge) add(t *Text) {
	var last *Text
	if len(k.texts) > 0 {
		last = k.texts[len(k.texts)-1]
	}
	lines, from := linesFrom(t)
	switch {
	case last != nil && t.Format == last.Format && (t.Changes() || t.Part):
		t.Standing = Merged
		if k.splice(lines, from, t.delta()) {
			k.texts = append(k.texts, t)
			return
		}
		k.rows, k.texts = nil, append(k.texts, t)
		if t.excerpt() {
			k.say(lines, from)
			return
		}
		for _, root := range rootsOf(lines) {
			k.merge(lines[root[0]:root[1]], from[root[0]:root[1]])
		}
	case last != nil && t.continues(last):
		k.known, k.from = append(k.known, lines...), append(k.from, from...)
		k.texts = append(k.texts, t)
	default:
		k.replace(t, lines, from)
	}
}

// replace takes a whole text in the place of all before it.
func (k *knowledge) replace(t *Text, lines []Line, from []origin) {
	for _, old := range k.texts {
		old.Standing = Superseded
	}
	if len(k.texts) > 0 && k.texts[0].Format == t.Format {
		k.keepSince(lines)
	}
	k.texts, k.known, k.from, k.rows = []*Text{t}, lines, from, nil
}

// keepSince gives lines that say what was known already the turn since which it was.
func (k *knowledge) keepSince(lines []Line) {
	was := make(map[string]*Line, len(k.known))
	for i := range k.known {
		was[k.known[i].Ref] = &k.known[i]
	}
	for i := range lines {
		if old := was[lines[i].Ref]; old != nil && lines[i].Ref != "" && old.says(&lines[i]) {
			lines[i].Since = old.Since
		}
	}
}

// says reports whether two lines say the same of an element.
func (l *Line) says(other *Line) bool {
	news := func(state string) bool { return state == changed || state == unchanged || state == "new" }
	return l.Role == other.Role && l.Name == other.Name && l.Value == other.Value &&
		slices.Equal(slices.DeleteFunc(slices.Clone(l.States), news),
			slices.DeleteFunc(slices.Clone(other.States), news))
}

// linesFrom are copies of the lines of a text, and where they are from.
func linesFrom(t *Text) ([]Line, []origin) {
	from := make([]origin, len(t.Lines))
	for i := range t.Lines {
		from[i] = origin{t, i}
	}
	return slices.Clone(t.Lines), from
}

// rootsOf are the stretches of lines that each begin with one that lies in no other.
func rootsOf(lines []Line) (out [][2]int) {
	for from := 0; from < len(lines); {
		to := below(lines, from)
		out = append(out, [2]int{from, to})
		from = to
	}
	return out
}

// below is the end of what lies in the line at a place, itself included.
func below(lines []Line, at int) int {
	end := at + 1
	for end < len(lines) && lines[end].Depth > lines[at].Depth {
		end++
	}
	return end
}

// merge puts what has changed, its first line and what lies in it, in the place of what was there. A line that only
// says that its element has not changed becomes what was known of it, and what lies in a frame stays: changes there are
// told beside those of its page. What is of no known place comes last.
func (k *knowledge) merge(lines []Line, from []origin) {
	k.keepSince(lines)
	place, end, depth := len(k.known), len(k.known), 0
	if at := k.at(lines[0].Ref); at >= 0 {
		place, end, depth = at, below(k.known, at), k.known[at].Depth
	}
	shift := depth - lines[0].Depth
	var fresh []Line
	var origins []origin
	has := map[string]bool{}
	for _, l := range lines {
		has[l.Ref] = !l.Unexplained()
	}
	take := func(l Line, o origin, by int) {
		has[l.Ref] = true
		l.Depth += by
		fresh, origins = append(fresh, l), append(origins, o)
	}
	for i, l := range lines {
		old := -1
		frame := l.Role == "iframe" && below(lines, i) == i+1
		if frame || l.Unexplained() {
			old = k.at(l.Ref)
		}
		if frame || old < 0 {
			take(l, from[i], shift)
		}
		for j := old; j >= 0 && j < below(k.known, old); j++ {
			// What has changed says it again.
			if j == old && frame || j > old && has[k.known[j].Ref] && k.known[j].Ref != "" {
				continue
			}
			take(k.known[j], k.from[j], l.Depth+shift-k.known[old].Depth)
		}
	}
	var known []Line
	var was []origin
	for i := range k.known {
		if i == place {
			known, was = append(known, fresh...), append(was, origins...)
		}
		if i >= place && i < end || has[k.known[i].Ref] && k.known[i].Ref != "" { // it has moved
			continue
		}
		known, was = append(known, k.known[i]), append(was, k.from[i])
	}
	if place == len(k.known) {
		known, was = append(known, fresh...), append(was, origins...)
	}
	k.known, k.from = known, was
}

// excerpt reports whether a text leaves out what lies around its lines, as browser_find of Playwright MCP does: it says
// what it has looked for, and has a line of dots or strokes at some of the gaps.
func (t *Text) excerpt() bool { return t.Format == Aria && leftOut.MatchString(t.body) }

var leftOut = regexp.MustCompile(`(?m)^ *\.\.\.$|^Found \d+ match(?:es)? for .*:\r?$`)

// say takes what an excerpt says of elements, at the places that they have; those of no known place come last.
func (k *knowledge) say(lines []Line, from []origin) {
	k.keepSince(lines)
	for i, l := range lines {
		at := k.at(l.Ref)
		if at < 0 {
			k.known, k.from = append(k.known, l), append(k.from, from[i])
			continue
		}
		l.Depth = k.known[at].Depth
		k.known[at], k.from[at] = l, from[i]
	}
}

// at is the place of a ref in what is known, -1 for none.
func (k *knowledge) at(ref string) int {
	return slices.IndexFunc(k.known, func(l Line) bool { return ref != "" && l.Ref == ref })
}

// continues reports whether a text and the one before it are one that was sent in two parts: of one message, and none
// of the refs in both.
func (t *Text) continues(before *Text) bool {
	if t.Message != before.Message || t.Format != before.Format || t.Guessed || t.snapshot() != before.snapshot() {
		return false
	}
	has := map[string]bool{}
	for _, l := range before.Lines {
		has[l.Ref] = true
	}
	return !slices.ContainsFunc(t.Lines, func(l Line) bool { return l.Ref != "" && has[l.Ref] })
}

// snapshot is which of its texts one of chrome-devtools-mcp is, which its refs begin with; "" for other formats.
func (t *Text) snapshot() string {
	if t.Format != DevTools || len(t.Lines) == 0 {
		return ""
	}
	number, _, _ := strings.Cut(t.Lines[0].Ref, "_")
	return number
}
