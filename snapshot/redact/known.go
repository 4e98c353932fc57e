package redact

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// Known are the secrets that a session has met: what was typed into fields that hold
// secrets, what the page's own fields were seen to hold, and what profiles withheld. A page may
// show them after the field is gone. They are in memory and nowhere else. It is safe for
// concurrent use; nil knows none and learns none.
type Known struct {
	mu          sync.Mutex
	typed, seen []Secret // the newest last
	sites       []Withheld
}

const (
	// leastTyped is how many characters a typed secret has at least to be remembered:
	// shorter ones are parts of half of all texts.
	leastTyped = 4
	// mostKnown is how many are remembered of each kind; the oldest go first.
	mostKnown = 64
	// longestKnown is how many bytes one may have: what is longer was not typed as a password.
	longestKnown = 4096
	// wordTyped is how many characters a typed secret has at least to be looked for in other
	// texts though it does not look chosen: a code of six digits.
	wordTyped = 6
)

// Type remembers what was typed into a field; why describes what the field holds.
func (k *Known) Type(value, why string) {
	s := Learned(value, why)
	n := utf8.RuneCountInString(s.Value)
	if n < leastTyped {
		return
	}
	if s.Reach == Whole && n >= wordTyped {
		s.Reach = Word
	}
	if k != nil {
		k.add(&k.typed, s)
	}
}

// Grow is [Known.Type] for a field that held before until now: what it holds is one secret,
// and not one more for each key.
func (k *Known) Grow(before, now, why string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	k.typed = slices.DeleteFunc(k.typed, func(s Secret) bool { return s.Value == before })
	k.mu.Unlock()
	k.Type(now, why)
}

// See remembers what a field of the page holds, where it looks chosen or is a one-time code.
func (k *Known) See(value, why string) {
	if s := Learned(value, why); k != nil && s.Reach != Whole {
		k.add(&k.seen, s)
	}
}

func (k *Known) add(list *[]Secret, s Secret) {
	if len(s.Value) > longestKnown || IsMark(s.Value) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	*list = slices.DeleteFunc(*list, func(t Secret) bool { return t.Value == s.Value })
	*list = append(*list, s)
	*list = (*list)[max(0, len(*list)-mostKnown):]
}

// Kept is what a [Known] remembers, to be handed to another process of the same user in memory.
type Kept struct {
	Typed, Seen []Secret
	Withheld    []Withheld
}

// Kept is all that is remembered now.
func (k *Known) Kept() Kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	sites := slices.Clone(k.sites)
	for i := range sites {
		sites[i].Values = slices.Clone(sites[i].Values)
	}
	return Kept{slices.Clone(k.typed), slices.Clone(k.seen), sites}
}

// Learn remembers what another process has met.
func (k *Known) Learn(from Kept) {
	for _, s := range from.Typed {
		k.add(&k.typed, s)
	}
	for _, s := range from.Seen {
		k.add(&k.seen, s)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range from.Withheld {
		k.site(w.Site, w.Selectors, w.Patterns).take(w)
	}
}

// Typed are the secrets that were typed.
func (k *Known) Typed() []Secret {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.typed)
}

// All are the secrets that were typed, those that profiles withheld, and those that the page's
// fields were seen to hold. The page chose the last: they are looked for in what a command
// answers, and not in what other pages show.
func (k *Known) All() []Secret {
	if k == nil {
		return nil
	}
	return slices.Concat(k.Typed(), k.Withheld(), k.keptSeen())
}

func (k *Known) keptSeen() []Secret {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.seen)
}

// Distinct are the secrets that look chosen, and can be looked for in bytes without regard
// to what these are.
func Distinct(list []Secret) []Secret {
	return slices.DeleteFunc(slices.Clone(list), func(s Secret) bool { return s.Reach != Anywhere })
}
