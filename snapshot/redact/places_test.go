package redact

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlacesHoldEveryMatch: what is tried around hints finds the same as trying the whole text.
func TestPlacesHoldEveryMatch(t *testing.T) {
	pieces := []string{"?", "&", "#", ";", "%3f", "%26", "%3D", "=", "token", "Pass", "word", "password", "PaSSwort", "mot de passe", ":",
		" is ", "'", `"`, "\n", "\t", " ", ",", "<", ">", "/", "+", "-", ".", "_", "[", "]", "x", "hunter2!Z", "4111", "1111", "4111111111111111",
		"20%", "%20", "пароль", "密码", "\u00a0", "\u2011", "ſ", "İ", "\x00", "é", "cc", "sid", "contraseña", "\xff", "your code ", "is your", " code", "834921"}
	r := rand.New(rand.NewPCG(1, 2))
	found := map[string]int{}
	for range 30_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		for _, rule := range builtin() {
			if rule.After == "" {
				continue
			}
			in := s
			if rule.Fold {
				in = strings.ToLower(s)
			}
			list := func(places [][2]int) (all [][2]int) {
				rule.each(s, places, func(from, to int) { all = append(all, [2]int{from, to}) })
				return all
			}
			if !rule.hinted(in) {
				continue
			}
			whole := list([][2]int{{0, len(s)}})
			found[rule.Name] += len(whole)
			require.Equal(t, whole, list(rule.places(in, s)), "%s in %q", rule.Name, s)
		}
	}
	require.Len(t, found, 4)
	for name, n := range found {
		require.Greater(t, n, 20, name)
	}
}

// Whether a rule still finds what begins at a place, where the text ends sooner, is asked of a match that begins there or
// goes on from there, not of one that is over or of one that needs what is cut off.
func TestARuleStillFindsWhatIsCut(t *testing.T) {
	card := compile([]Rule{{Name: "card number", Pattern: `\d(?: ?\d){12,}`, Check: "card"}})[0]
	const visa = "4111 1111 1111 1111"
	for name, c := range map[string]struct {
		text     string
		from, to int
		want     bool
	}{
		"from its first digit":      {"no " + visa + ", 5", 3, 3 + len(visa), true},
		"of what began before":      {"no " + visa + ", 5", 8, 3 + len(visa), true},
		"digits that are too few":   {"no " + visa, 3, len(visa) - 2, false},
		"of one that is over there": {"no " + visa + ", 5", 3 + len(visa), 3 + len(visa) + 3, false},
		"of one that comes later":   {"no " + visa, 0, 3 + len(visa), false},
		"no digit at all":           {"nothing", 2, 5, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, card.ends(c.text, c.from, c.to)) })
	}
}
