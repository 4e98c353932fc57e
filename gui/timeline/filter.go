package timeline

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/gui/core"
	"github.com/refscope/refscope/snapshot/turn"
)

// turnFilter narrows the list of turns. All of its words must fit:
//
//	failed, changed, torn, busy, sent    turns with errors, with changes, …
//	good, bad, question                  turns with that verdict, however it is worded
//	note: or note:WORDS                  turns with a note, or one that holds the words
//	action:WORD, url:WORD, verdict:WORD  turns whose action, address or verdict holds it
//	#12                                  turn 12
//	anything else                        turns whose action, title, address, note or texts hold it: the page's words,
//	                                     and the messages that are new to its model
//
// Upper and lower case are alike; error, errors, failing and fail are failed, and change is
// changed.
type turnFilter struct{ words []filterWord }

type filterWord struct{ key, text string }

// filterKeys are the words that ask for more than a text.
var filterKeys = []string{"note:", "action:", "url:", "verdict:"}

// ParseTurnFilter reads what was typed. Everything typed is a filter.
func ParseTurnFilter(text string) turnFilter {
	var f turnFilter
	for _, w := range strings.Fields(strings.ToLower(text)) {
		word := filterWord{text: w}
		switch w {
		case "error", "errors", "fail", "failed", "failing", "failure":
			word = filterWord{key: "failed"}
		case "change", "changes":
			word = filterWord{key: "changed"}
		case "changed", "torn", "busy", "sent", "good", "bad", "question":
			word = filterWord{key: w}
		default:
			for _, k := range filterKeys {
				if rest, ok := strings.CutPrefix(w, k); ok {
					word = filterWord{k, rest}
				}
			}
			if n, ok := strings.CutPrefix(w, "#"); ok && n != "" {
				word = filterWord{"#", n}
			}
		}
		f.words = append(f.words, word)
	}
	return f
}

// grammar are the words of the filter with what they leave.
var grammar = [...]struct{ word, what string }{
	{"failed", "turns with errors"}, {"changed", "turns that differ from the one before"}, {
		"note:", "turns with a note; note:WORD with that word"},
	{"action:", "by action, such as action:click"}, {"url:", "by address"}, {"#", "by number, such as #12"},
	{"good", "verdict"}, {"bad", "verdict"}, {"question", "verdict"}, {"verdict:", "by verdict"},
	{"sent", "sent to a model"}, {"torn", "text and picture differ in time"}, {"busy", "page still changing"},
}

// completions is what the word that is being typed can become, or all that can be typed.
func completions(typed string) string {
	word := ""
	if fields := strings.Fields(strings.ToLower(typed)); len(fields) > 0 && !strings.HasSuffix(typed, " ") {
		word = fields[len(fields)-1]
	}
	var all, fit []string
	for _, g := range grammar {
		all = append(all, g.word)
		if word != "" && (strings.HasPrefix(g.word, word) || strings.HasSuffix(g.word, ":") && strings.HasPrefix(word,
			g.word)) {
			fit = append(fit, g.word+"  "+g.what)
		}
	}
	switch {
	case word == "":
		return strings.Join(all, "  ") + "  or any word"
	case len(fit) == 0:
		return "in action, title, address, note, and the texts of pages and messages"
	}
	return strings.Join(fit, " · ")
}

// Some reports whether it narrows anything.
func (f turnFilter) Some() bool { return len(f.words) > 0 }

// Scans reports whether it asks for something that is known only of turns that were
// looked at.
func (f turnFilter) Scans() bool {
	for _, w := range f.words {
		if w.key == "failed" || w.key == "changed" {
			return true
		}
	}
	return false
}

// Match reports whether a turn fits; said are the comments on it, hits what was found in texts.
func (f turnFilter) Match(r core.TurnRow, said core.Remarks, hits Hits) bool {
	for _, w := range f.words {
		if !w.match(r, said) && (w.key != "" || hits.Of(w.text, r.N) == 0) {
			return false
		}
	}
	return true
}

func (w filterWord) match(r core.TurnRow, said core.Remarks) bool {
	judged := func(j turn.Judgement) bool { return turn.Judge(said.Verdict) == j }
	switch w.key {
	case "failed":
		return r.Failed()
	case "changed":
		return r.Changed()
	case "torn":
		return r.Torn
	case "busy":
		return r.Unsettled
	case "sent":
		return r.Wire > 0
	case "good":
		return judged(turn.Good)
	case "bad":
		return judged(turn.Bad)
	case "question":
		return judged(turn.Questionable)
	case "verdict:":
		return said.Verdict != "" && holds(said.Verdict, w.text)
	case "note:":
		return (r.Note != "" || said.Count > 0) && (holds(r.Note, w.text) || holds(said.Text, w.text))
	case "action:":
		return holds(r.Action, w.text)
	case "url:":
		return holds(r.URL, w.text)
	case "#":
		return strconv.Itoa(r.N) == w.text
	}
	return holds(r.Action, w.text) || holds(r.Title, w.text) || holds(r.URL, w.text) || holds(r.Note, w.text) ||
		holds(said.Text, w.text)
}

// holds reports whether text holds a word in lower case.
func holds(text, word string) bool { return strings.Contains(strings.ToLower(text), word) }
