package audit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
)

// moment judges the capture itself: frames and layers that could not be read, limits, a
// page that moved while it was read, a profile that is out of date. Where there is no page, the turn says why, and its
// frame is none that a person sees.
func (a *auditor) moment() {
	c := a.c
	for i, f := range c.Frames {
		if f.Readable || len(c.Nodes) == 0 {
			continue
		}
		n := a.tree.Node(f.Owner)
		severity := Warning
		if i > 0 && (n == nil || n.Box.W() < pictureSize || n.Box.H() < pictureSize || !n.Visible) {
			severity = Note // nobody sees it either
		}
		a.add(UnreadableFrame, severity, n, Finding{Sentence: fmt.Sprintf("The frame %s could not be read: %s.",
			a.quoted(f.URL), a.short(f.Why)), Evidence: f.URL, Frame: i}, stem(f.URL))
	}
	for _, f := range c.Failed {
		if f.Layer == snapshot.LayerWalk {
			a.add(PageLimit, Warning, nil, Finding{
				Sentence: fmt.Sprintf("Only a part of the page was read: %s.", a.short(f.Why)),
				Frame:    f.Frame}, "")
			continue
		}
		if f.Layer == "frame" && f.Frame > 0 && f.Frame < len(c.Frames) && !c.Frames[f.Frame].Readable {
			continue // said above
		}
		a.add(FailedLayer, Warning, nil, Finding{Sentence: fmt.Sprintf("The layer %s failed: %s.", a.short(f.Layer),
			a.short(f.Why)), Frame: f.Frame}, f.Layer)
	}
	if c.Moment.Torn {
		a.add(TornMoment, Warning, nil,
			Finding{Sentence: fmt.Sprintf("The page changed while it was read: %d mutations, and its layout differs.",
				c.Moment.MutationsDuring)}, "")
	}
	if !c.Settled && len(c.Nodes) > 0 { // of a request without a page nothing was awaited
		a.add(Unsettled, Note, nil, Finding{Sentence: "The page was still changing when the wait for it ended."}, "")
	}
	for _, f := range a.o.Profile {
		a.stale(f)
	}
	for p := range c.Nodes {
		n := &c.Nodes[p]
		if len(n.Redacted) > 0 {
			a.add(RedactedValue, Note, n, Finding{Sentence: fmt.Sprintf("Redaction withheld from %s: %s.", a.say(n),
				a.short(strings.Join(n.Redacted, ", ")))}, a.short(n.Name))
		}
	}
}

func (a *auditor) stale(f ProfileFact) {
	switch {
	case f.Problem != "":
		a.add(StaleProfile, Warning, nil, Finding{
			Sentence: fmt.Sprintf("Line %d of the profile %s, %s %s, could not be tried: %s.",
				f.Line, a.short(f.Profile),
				a.short(f.Kind), a.quoted(f.Rule), a.short(f.Problem)), Evidence: f.Rule,
		}, f.Rule)
	case f.Matches == 0 && !f.Optional:
		a.add(StaleProfile, Note, nil, Finding{
			Sentence: fmt.Sprintf("Line %d of the profile %s, %s %s, matches nothing on this page.",
				f.Line, a.short(f.Profile),
				a.short(f.Kind), a.quoted(f.Rule)), Evidence: f.Rule,
		}, f.Rule)
	}
}

// flags are those of Scotland and others, which are spelled in tag characters.
var flags = regexp.MustCompile(`\x{1F3F4}(?:\\u\{e00[0-9a-f]{2}\})+`)

// forged notes texts that would mislead who prints them as they are; see dump.Findings.
func (a *auditor) forged() {
	for _, f := range dump.Findings(a.c) {
		n := a.tree.Node(f.Node)
		rule, what := ForgedLine, "would read as a line of a dump"
		switch f.Kind {
		case dump.FindingBreakout:
			rule, what = Breakout, "would end the markup or JSON around it"
		case dump.FindingHidden:
			rule, what = HiddenChars, "holds characters that cannot be seen"
			if !strings.Contains(flags.ReplaceAllString(f.Text, ""), `\u{`) {
				continue
			}
		}
		where := "The title of the page"
		if n != nil {
			where = fmt.Sprintf("The %s of %s", a.short(f.Where), a.sayKind(n))
		}
		severity := Warning
		if rule == HiddenChars {
			severity = Note
		}
		a.add(rule, severity, n, Finding{Sentence: where + " " + what + "."}, f.Text)
		a.found[len(a.found)-1].Evidence = a.hush(f.Text) // it is printable and short already
	}
}
