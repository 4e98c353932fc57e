package dump

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/refscope/refscope/snapshot/text"
)

// Budgets: how every format keeps within MaxChars, MaxTokens and MaxNodes.
//
// A format of lines describes what is special about it in its builder's rules and is cut
// by trim after it has rendered, see trim.go. A JSON format cuts itself between
// elements, because it has counts to print, and asks fit how many it has room for.
// HTML is lines too: the end tags of what is open where the text is cut are added, and
// paid for. All measure the very text that they would print, with the marker or the
// counts in it, so the limit holds exactly and not by a rule of thumb.

// budget is how long a text may be. 0 or below is no limit.
type budget struct {
	Chars, Tokens, Nodes int
	Bytes                int              // domtool's own
	utf16                bool             // chars are UTF-16 units
	Count                func(string) int // tokens of a text
}

// Budget is the limit that the options set; own is the format's own limit in characters, for
// a MaxChars of 0.
func (o Common) Budget(own int) budget {
	l := budget{Chars: o.MaxChars, Tokens: o.MaxTokens, Nodes: o.MaxNodes, utf16: o.Compat, Count: o.CountTokens}
	l.Chars = cmp.Or(l.Chars, own)
	if l.Count == nil {
		l.Count = quarter
	}
	return l
}

// quarter is characters / 4, rounded up.
func quarter(s string) int { return EstimateTokens(utf8.RuneCountInString(s)) }

// EstimateTokens is the seed's estimate for a text of that many characters: a quarter,
// rounded up.
func EstimateTokens(characters int) int { return (characters + 3) / 4 }

// Size is the length of a text in the unit of chars.
func (l budget) Size(s string) int {
	if l.utf16 {
		return text.Units16(s)
	}
	return utf8.RuneCountInString(s)
}

// none reports whether there is no limit at all.
func (l budget) none() bool { return l.Chars <= 0 && l.Tokens <= 0 && l.Nodes <= 0 && l.Bytes <= 0 }

// Holds reports whether a text about that many elements keeps within the budget.
// The cheap checks come first.
func (l budget) Holds(text string, nodes int) bool {
	switch {
	case l.Nodes > 0 && nodes > l.Nodes:
		return false
	case l.Bytes > 0 && len(text) > l.Bytes:
		return false
	case l.Chars > 0 && len(text) > l.Chars && l.Size(text) > l.Chars:
		return false
	}
	// A token has a byte at least.
	return l.Tokens <= 0 || len(text) <= l.Tokens || l.Count(text) <= l.Tokens
}

// Broken are the limits that a text about that many elements breaks.
func (l budget) Broken(text string, nodes int) budget {
	if l.Nodes > 0 && nodes <= l.Nodes {
		l.Nodes = 0
	}
	if l.Chars > 0 && l.Size(text) <= l.Chars {
		l.Chars = 0
	}
	if l.Bytes > 0 && len(text) <= l.Bytes {
		l.Bytes = 0
	}
	if l.Tokens > 0 && l.Count(text) <= l.Tokens {
		l.Tokens = 0
	}
	return l
}

// Beyond records that an element is missing because of the limits.
func (l budget) Beyond() string { return "it is beyond the limit of " + l.String() }

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
	}{{l.Chars, chars}, {l.Bytes, "bytes"}, {l.Tokens, "tokens"}, {l.Nodes, "elements"}} {
		if one.max > 0 {
			s = append(s, strconv.Itoa(one.max)+" "+one.word)
		}
	}
	return strings.Join(s, " and ")
}

// Fit is the most of n elements that a text which lists them in order has room for; a
// longer list must make a longer text. size estimates what element i
// adds, in characters, and shortens the search; whole is the text with the first
// keep elements. why names which limits the whole list breaks.
func (l budget) Fit(n int, size func(i int) int, whole func(keep int) string) (keep int, why budget) {
	if l.none() {
		return n, budget{}
	}
	all := whole(n)
	if l.Holds(all, n) {
		return n, budget{}
	}
	guess := n
	if l.Nodes > 0 {
		guess = min(guess, l.Nodes)
	}
	if left := l.Chars; left > 0 {
		left -= l.Size(whole(0))
		for i := range guess {
			if left -= size(i); left < 0 {
				guess = i
				break
			}
		}
	}
	if l.Tokens > 0 { // as if all elements had the same tokens
		guess = min(guess, n*l.Tokens/max(1, l.Count(all)))
	}
	return Most(guess, n-1, func(keep int) bool {
		return (l.Nodes <= 0 || keep <= l.Nodes) && l.Holds(whole(keep), keep)
	}), l.Broken(all, n)
}

// Most returns a number up to n for which holds is true and for the next one false; n if
// there is no next, 0 if holds is true for none. It tries near the guess first, so a good
// guess makes the search short; it never calls holds(0), as 0 is what is left in any case.
func Most(guess, n int, holds func(int) bool) int {
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
