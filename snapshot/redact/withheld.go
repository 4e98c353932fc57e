package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Withheld is what the rules of one site's profile withheld on its pages. The same texts are withheld wherever they
// stand in the session afterwards: requests and answers of agents, the console, addresses of requests, other pages.
type Withheld struct {
	Site                string   // the profile's domain
	Selectors, Patterns []string // the rules
	Values              []Secret // that are looked for, the newest last
	// Vague are the texts that are looked for on their own page only: too short, or a common word.
	Vague []string
}

const (
	// mostWithheld is how many texts of one site are remembered, as many as a page looks for in itself; the oldest go
	// first.
	mostWithheld = 200
	// leastWithheld is how many characters such a text has at least to be looked for beyond its page.
	leastWithheld = 4
	// whyProfile is the reason in the mark of a text that a profile's rule names.
	whyProfile = "profile"
)

// Withhold remembers what the rules of a site's profile withheld on a page. What other rules of that site withheld
// before is forgotten: the profile was changed.
func (k *Known) Withhold(site string, selectors, patterns, texts []string) {
	if k == nil || len(selectors)+len(patterns) == 0 && !k.met(site) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	at := k.site(site, selectors, patterns)
	for _, t := range texts {
		at.add(strings.Join(strings.Fields(t), " "))
	}
}

func (k *Known) met(site string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.ContainsFunc(k.sites, func(w Withheld) bool { return w.Site == site })
}

// site is what is remembered of a site under these rules. The lock is the caller's.
func (k *Known) site(name string, selectors, patterns []string) *Withheld {
	i := slices.IndexFunc(k.sites, func(w Withheld) bool { return w.Site == name })
	if i < 0 {
		k.sites = append(k.sites, Withheld{Site: name})
		i = len(k.sites) - 1
	}
	w := &k.sites[i]
	if !slices.Equal(w.Selectors, selectors) || !slices.Equal(w.Patterns, patterns) {
		*w = Withheld{Site: name, Selectors: slices.Clone(selectors), Patterns: slices.Clone(patterns)}
	}
	return w
}

// take adds what another process has met.
func (w *Withheld) take(from Withheld) {
	for _, s := range from.Values {
		w.add(s.Value)
	}
	for _, s := range from.Vague {
		w.add(s)
	}
}

func (w *Withheld) add(text string) {
	if text == "" || IsMark(text) || len(text) > longestKnown {
		return
	}
	s := Secret{Value: text, Why: whyProfile, Reach: Word}
	switch {
	case LooksChosen(text):
		s.Reach = Anywhere
	case vague(text):
		if !slices.Contains(w.Vague, text) && len(w.Vague) < mostWithheld {
			w.Vague = append(w.Vague, text)
		}
		return
	}
	w.Values = slices.DeleteFunc(w.Values, func(t Secret) bool { return t.Value == text })
	w.Values = append(w.Values, s)
	w.Values = w.Values[max(0, len(w.Values)-mostWithheld):]
}

// vague reports whether a text is too short to be looked for beyond its page, or too common: one word in small letters,
// as keys of requests are, or a year.
func vague(s string) bool {
	if utf8.RuneCountInString(s) < leastWithheld || len(s) == 4 && (strings.HasPrefix(s, "19") ||
		strings.HasPrefix(s, "20")) {
		return true
	}
	return !strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsLower(c) && c != '_' && c != '-' })
}

// Withheld are the texts that profiles withheld and that are looked for in what follows, the longest first.
func (k *Known) Withheld() []Secret {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []Secret
	for i := range k.sites {
		for _, s := range k.sites[i].Values {
			out = Add(out, s)
		}
	}
	return out
}

// Vague counts the texts that profiles withheld and that are looked for on their own page only.
func (k *Known) Vague() int {
	if k == nil {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	n := 0
	for i := range k.sites {
		n += len(k.sites[i].Vague)
	}
	return n
}

// Redactor has the patterns of the profiles that the session has met beside the built-in rules.
func (k *Known) Redactor() *Redactor {
	var patterns []string
	if k != nil {
		k.mu.Lock()
		for i := range k.sites {
			for _, p := range k.sites[i].Patterns {
				if !slices.Contains(patterns, p) && CheckPattern(p) == nil {
					patterns = append(patterns, p)
				}
			}
		}
		k.mu.Unlock()
	}
	r, err := New(patterns...)
	if err != nil {
		return Standard() // each was checked
	}
	return r
}
