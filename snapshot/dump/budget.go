package dump

import (
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
	"unicode/utf8"
)

// Budgets: how every format keeps within MaxChars, MaxTokens and MaxNodes.
//
// A format of lines says what is special about it in its builder's rules and is cut
// by trim after it has rendered, see trim.go. A JSON format cuts itself between
// elements, because it has counts to print, and asks fit how many it has room for.
// HTML is lines too: the end tags of what is open where the text is cut are added, and
// paid for. All measure the very text that they would print, with the marker or the
// counts in it, so the limit holds exactly and not by a rule of thumb.

// budget is how long a text may be. 0 or below is no limit.
type budget struct {
	chars, tokens, nodes int
	bytes                int              // domtool's own
	utf16                bool             // chars are UTF-16 units
	count                func(string) int // tokens of a text
}

// budget is what the options say; own is the format's own limit in characters, for
// a MaxChars of 0.
func (o Options) budget(own int) budget {
	l := budget{chars: o.MaxChars, tokens: o.MaxTokens, nodes: o.MaxNodes, utf16: o.Compat, count: o.CountTokens}
	if l.chars == 0 {
		l.chars = own
	}
	if l.count == nil {
		l.count = quarter
	}
	return l
}

// quarter is characters / 4, rounded up.
func quarter(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// size is the length of a text in the unit of chars.
func (l budget) size(s string) int {
	if l.utf16 {
		return text.Units16(s)
	}
	return utf8.RuneCountInString(s)
}

// none reports whether there is no limit at all.
func (l budget) none() bool { return l.chars <= 0 && l.tokens <= 0 && l.nodes <= 0 && l.bytes <= 0 }

// holds reports whether a text about that many elements keeps within the budget.
// What is cheap to find out is found out first.
func (l budget) holds(text string, nodes int) bool {
	switch {
	case l.nodes > 0 && nodes > l.nodes:
		return false
	case l.bytes > 0 && len(text) > l.bytes:
		return false
	case l.chars > 0 && len(text) > l.chars && l.size(text) > l.chars:
		return false
	}
	// A token has a byte at least.
	return l.tokens <= 0 || len(text) <= l.tokens || l.count(text) <= l.tokens
}

// broken are the limits that a text about that many elements breaks.
func (l budget) broken(text string, nodes int) budget {
	if l.nodes > 0 && nodes <= l.nodes {
		l.nodes = 0
	}
	if l.chars > 0 && l.size(text) <= l.chars {
		l.chars = 0
	}
	if l.bytes > 0 && len(text) <= l.bytes {
		l.bytes = 0
	}
	if l.tokens > 0 && l.count(text) <= l.tokens {
		l.tokens = 0
	}
	return l
}

// beyond says that an element is missing because of the limits.
func (l budget) beyond() string { return "it is beyond the limit of " + l.String() }

// String names the limits: "500 characters and 20 elements".
func (l budget) String() string {
	var s []string
	chars := "characters"
	if l.utf16 {
		chars = "UTF-16 units"
	}
	for _, one := range [...]struct {
		max  int
		word string
	}{{l.chars, chars}, {l.bytes, "bytes"}, {l.tokens, "tokens"}, {l.nodes, "elements"}} {
		if one.max > 0 {
			s = append(s, strconv.Itoa(one.max)+" "+one.word)
		}
	}
	return strings.Join(s, " and ")
}

// fit is how many of n elements a text has room for that lists them in order: the
// most, as far as a longer list makes a longer text. size estimates what element i
// adds, in characters, and shortens the search; whole is the text with the first
// keep elements. why says which limits the whole list breaks.
func (l budget) fit(n int, size func(i int) int, whole func(keep int) string) (keep int, why budget) {
	if l.none() {
		return n, budget{}
	}
	all := whole(n)
	if l.holds(all, n) {
		return n, budget{}
	}
	guess := n
	if l.nodes > 0 {
		guess = min(guess, l.nodes)
	}
	if left := l.chars; left > 0 {
		left -= l.size(whole(0))
		for i := range guess {
			if left -= size(i); left < 0 {
				guess = i
				break
			}
		}
	}
	if l.tokens > 0 { // as if all elements had the same tokens
		guess = min(guess, n*l.tokens/max(1, l.count(all)))
	}
	return most(guess, n-1, func(keep int) bool {
		return (l.nodes <= 0 || keep <= l.nodes) && l.holds(whole(keep), keep)
	}), l.broken(all, n)
}

// most is a number up to n that holds says yes to and no to the next one, or n, or 0
// where it says yes to none. It asks near the guess first, so a good guess makes the
// search short; it never asks about 0, which stands for what is left in any case.
func most(guess, n int, holds func(int) bool) int {
	lo, hi := 0, n+1 // holds(lo), not holds(hi)
	for step, at := 1, max(1, min(guess, n)); at > lo && at < hi; step *= 2 {
		if holds(at) {
			lo = at
			at = min(at+step, hi-1)
		} else {
			hi = at
			at = max(at-step, lo+1)
		}
		if lo > 0 && hi <= n {
			break
		}
	}
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
