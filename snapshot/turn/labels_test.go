package turn

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheLastLabelCounts(t *testing.T) {
	s := Annotation{Turn: 0, Verdict: "payload", Text: "the picture was missing"}
	for name, c := range map[string]struct {
		list []Annotation
		want string
	}{
		"none":                 {nil, ""},
		"of a turn":            {[]Annotation{{Turn: 1, Verdict: "page"}}, ""},
		"another word":         {[]Annotation{{Verdict: "good"}}, ""},
		"one":                  {[]Annotation{s}, "payload"},
		"the last, not a note": {[]Annotation{s, {Verdict: "flaky"}, {Text: "seen again"}}, "flaky"},
	} {
		t.Run(name, func(t *testing.T) {
			a, ok := LabelOf(c.list)
			require.Equal(t, c.want, a.Verdict)
			require.Equal(t, c.want != "", ok)
		})
	}
	for _, l := range Labels() {
		require.True(t, IsLabel(l.Name))
		require.LessOrEqual(t, len(l.Name), maxVerdict)
	}
}

// TestALabelTravelsWithItsSession through the file that a session is exported as.
func TestALabelTravelsWithItsSession(t *testing.T) {
	s, _ := newSession(t)
	_, err := s.Annotate(t.Context(), Annotation{Verdict: "flaky", Text: "every tenth run", By: "QA"})
	require.NoError(t, err)
	list, _, err := openBytes(t, exported(t, s)).Annotations(t.Context())
	require.NoError(t, err)
	a, ok := LabelOf(list)
	require.True(t, ok)
	require.Equal(t, "every tenth run", a.Text)
}
