package text

import "strings"

// The texts that are the window's own and no format's: a payload's body, and what
// changed between turns.

// bytes is a piece of a payload's body: a line may begin in the middle of anything, so
// only what was withheld is highlighted.
func (t *tokens) bytes() {
	for {
		next := strings.Index(t.rest(), "[redacted")
		if next < 0 {
			return
		}
		t.to(t.at+next, kindText)
		end := strings.IndexByte(t.rest(), ']')
		if end < 0 {
			end = len(t.rest()) - 1
		}
		t.to(t.at+end+1, kindCut)
	}
}

// change is a line of the report of package diff: ~ [3] textbox "Name": value "" → "Ada".
func (t *tokens) change() {
	if len(t.s) > 2 && strings.IndexByte("-+~>", t.s[0]) >= 0 && t.s[1] == ' ' {
		t.to(2, kindPunct)
	} else if label, _, ok := strings.Cut(t.s, ": "); ok && wordByte(t.s[0]) && !strings.ContainsAny(label, " /\"") {
		t.to(len(label)+1, kindHead)
	}
	t.values()
}

// whatIf is a line of two renderings: a sign and the line, or "# " and why.
func (t *tokens) whatIf() {
	t.to(min(2, len(t.s)), kindPunct)
	t.values()
}

// values finds the refs and the quoted values in the rest of a line.
func (t *tokens) values() {
	for t.at < len(t.s) {
		switch c := t.s[t.at]; {
		case c == '"':
			t.quoted()
			continue
		case c == '[':
			before := t.at
			if t.ref(); t.at > before {
				continue
			}
		}
		next := strings.IndexAny(t.s[t.at+1:], "\"[")
		if next < 0 {
			return
		}
		t.to(t.at+1+next, kindText)
	}
}
