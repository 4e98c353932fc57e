package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/diff"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
)

// The cdp-skill dialect: what its program prints for a command, one compact JSON object
// (C-1; seed "CDP-Skill" 3, output format, and 14). Members, in this order; those without
// content are left out, as in the seed:
//
//	status            ok or error
//	tab               alias of the tab: t1
//	siteProfile       text of the profile of the page's domain
//	actionRequired    {action, domain, message}, where there is none (15.3)
//	navigated         true where origin, path or search changed since Answer.Before (14.3)
//	fullSnapshot      path of the file with the snapshot of the whole page
//	screenshot        path of the picture
//	context           {url, title, scroll: {y, percent}, viewport: {width, height},
//	                   activeElement: {tag, selector, ref, box: {x, y, width, height},
//	                   editable, type, value, placeholder}, modal} (14.4), and pageTools: [{name,
//	                   description, inputSchema}] of a page that offers tools to agents (WebMCP)
//	changes           {summary, added, removed, cameIntoView, leftView, changed, reordered, omitted, outOfView} since
//	                  Answer.Before (14.2)
//	console           {total, showing, messages: [{level, text, url, line, timestamp}]}:
//	                  errors and warnings since Answer.Before, equal ones once, the last 50
//	steps, errors     the steps' own results, as they were given
//	truncated         true where viewportSnapshot was cut
//	viewportSnapshot  the aria format of what the viewport shows, at most 9,000 bytes (7.6)
//
// Each member but status, navigated and truncated is a section of its name. Chapter 3 of
// the seed calls activeElement a string and modal an object; chapter 14, which describes
// them, has it the other way round and is followed (C-16). Added: activeElement.ref.
// Paths are those that the caller gives. timestamp (ms since 1970) differs between two
// captures of an unchanged page and is printed with DumpOptions.Volatile only.
//
// Compat: the snapshot in the original's spelling, changes with its losses, no
// activeElement.ref, and the modal's title without aria-labelledby.

// Answer is what a cdp-skill answer contains besides the page.
type Answer struct {
	// Failed: a step failed, so the status is error.
	Failed bool
	Tab    string // alias of the tab, such as t1
	// SiteProfile is the profile's text; ActionRequired is set where there is none.
	SiteProfile    string
	ActionRequired *ActionRequired
	// Screenshot and FullSnapshot are the paths of files that the caller has written.
	Screenshot, FullSnapshot string
	// Before is the page before the steps, nil for nothing to compare with.
	Before *snapshot.Capture
	// Steps and Errors are JSON arrays, empty for none.
	Steps, Errors json.RawMessage
	// Action describes what the steps did, for changes; see [diff.ActionWord].
	Action string
}

// ActionRequired tells the agent to do something before it continues.
type ActionRequired struct{ Action, Domain, Message string }

func cdpSkill(b *body, in Input) error {
	a, c, o := in.Answer, in.Capture, in.DumpOptions
	o.ViewportOnly = true
	if o.MaxTokens <= 0 && o.MaxChars == 0 { // the limit is in bytes
		o.MaxTokens, o.CountTokens = aria.InlineBytes, func(s string) int { return len(s) }
	}
	snap, err := format.Render(c, format.Aria, o)
	if err != nil {
		return err
	}
	status := "ok"
	if a.Failed {
		status = "error"
	}
	b.Open("", '{').String("status", status)
	b.field("tab", a.Tab)
	b.field("siteProfile", a.SiteProfile)
	if r := a.ActionRequired; r != nil && a.SiteProfile == "" {
		b.object("actionRequired", func() {
			b.String("action", r.Action).String("domain", r.Domain).String("message", r.Message)
		})
	}
	var changes *diff.Changes
	if a.Before != nil {
		if diff.Navigated(a.Before.URL, c.URL) {
			b.Bool("navigated", true)
		}
		changes = diff.ChangesOf(a.Before, c, diff.ChangesOptions{Action: a.Action, Ref: refOf(o, c, a.Before),
			Compat: o.Compat})
	}
	b.field("fullSnapshot", a.FullSnapshot)
	b.field("screenshot", a.Screenshot)
	b.object("context", func() { b.context(c, o) })
	if changes != nil {
		v, err := json.Marshal(changes)
		if err != nil {
			return fmt.Errorf("changes: %w", err)
		}
		if err := b.given("changes", v); err != nil {
			return err
		}
	}
	if messages := consoleOf(c, a.Before); len(messages) > 0 {
		b.object("console", func() { b.console(c, messages, o.Volatile) })
	}
	for _, part := range []struct {
		name string
		json json.RawMessage
	}{{"steps", a.Steps}, {"errors", a.Errors}} {
		if err := b.given(part.name, part.json); err != nil {
			return err
		}
	}
	b.True("truncated", snap.Truncated)
	b.field("viewportSnapshot", snap.Text)
	b.Close("}")
	return nil
}

// refOf spells a number as the snapshot does: s1e12, and under compat with the number of
// its frame in one of the captures, f0s1e12.
func refOf(o format.Options, in ...*snapshot.Capture) func(int) string {
	if o.Aria.Spell != nil {
		return o.Aria.Spell
	}
	return func(ref int) string {
		out := ""
		if o.Compat {
			out = "f" + strconv.Itoa(frameOf(ref, in))
		}
		number := 1
		if o.Aria.Snapshot != nil {
			number = o.Aria.Snapshot(ref)
		}
		return out + "s" + strconv.Itoa(number) + "e" + strconv.Itoa(ref)
	}
}

// frameOf is the frame of the element with that number, 0 where no capture has it.
func frameOf(ref int, in []*snapshot.Capture) int {
	for _, c := range in {
		if n := c.ByRef(ref); n != nil {
			return n.Frame
		}
	}
	return 0
}

// given writes a member whose JSON comes from elsewhere, in our spelling, so that it
// hides nothing; nothing where it is empty.
func (b *body) given(key string, v json.RawMessage) error {
	var out bytes.Buffer
	if len(v) > 0 {
		if err := json.Compact(&out, v); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	text := out.Bytes()
	switch string(text) {
	case "", "null", "[]", "{}":
		return nil
	}
	b.value(key, func() {
		for i := 0; i < len(text); {
			if text[i] != '"' {
				b.Out = append(b.Out, text[i])
				i++
				continue
			}
			end := stringEnd(text, i)
			var s string
			// Compact has read it, so it is a string.
			if err := json.Unmarshal(text[i:end], &s); err == nil {
				b.String("", s)
			}
			i = end
		}
	})
	return nil
}

// stringEnd is the offset behind the string that begins at start, in valid JSON.
func stringEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
