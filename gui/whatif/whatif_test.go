package whatif_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/gui/app/apptest"
	"github.com/refscope/refscope/gui/core"
	whatifroom "github.com/refscope/refscope/gui/whatif"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/format/aria"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/whatif"
)

func TestWhatIfIsAskedOnceForEachSetup(t *testing.T) {
	s := apptest.Captured(t)
	s, effects := apptest.Step(s, core.SideChosen(whatifroom.Side))
	first := whatifroom.Setup{Format: s.Format}
	require.Equal(t, []core.Effect{whatifroom.Compare{Turn: s.Current, Setup: first}}, effects)
	_, effects = apptest.Step(s, core.SideChosen(whatifroom.Side))
	require.Empty(t, effects)

	s, effects = apptest.Step(s, whatifroom.Changed{Setup: whatifroom.Setup{MaxTokens: 100}})
	require.Equal(t, []core.Effect{whatifroom.Compare{Turn: s.Current, Setup: whatifroom.Setup{Format: s.Format,
		MaxTokens: 100}}}, effects)
	old, _ := apptest.Step(s, whatifroom.Compared{Asked: whatifroom.Compare{Turn: s.Current, Setup: first}, Built: &whatifroom.Built{}})
	require.Nil(t, whatifroom.Of(old).Built, "of an older setup")

	s, _ = apptest.Step(s, whatifroom.Compared{Asked: effects[0].(whatifroom.Compare),
		Problem: &core.Problem{Sentence: "This selector cannot be used."}})
	require.Equal(t, "This selector cannot be used.", whatifroom.ViewOf(s).List.Empty)
	s, _ = apptest.Step(s, whatifroom.Reset())
	require.Equal(t, whatifroom.Setup{}, whatifroom.Of(s).Setup)
	require.Equal(t, 1, whatifroom.Of(s).Version)
	s.Side = core.SideText
	_, effects = apptest.Step(s, whatifroom.Changed{Setup: whatifroom.Setup{MaxTokens: 7}})
	require.Empty(t, effects, "the side is not in view")
	s.Current = nil
	_, effects = apptest.Step(s, whatifroom.Copied())
	require.Empty(t, effects)
	require.NotEmpty(t, whatifroom.ViewOf(s).List.Empty)
}

func TestTheCommandOfASetup(t *testing.T) {
	s := apptest.Captured(t)
	s.Session.Name, s.Session.Path = "it's", ""
	for name, c := range map[string]struct {
		setup whatifroom.Setup
		want  string
	}{
		"nothing":           {whatifroom.Setup{Format: format.DDDK}, "--format dddk"},
		"of another format": {whatifroom.Setup{Format: format.DDDK, MinVisible: 50, Long: true}, "--format dddk"},
		"caps": {whatifroom.Setup{Format: format.DDDK, MaxTokens: 500, MaxChars: -1, HashIDs: true},
			"--format dddk --max-tokens 500 --max-chars -1 --ids hash"},
		"thresholds": {whatifroom.Setup{Format: format.Semantic, MinVisible: 90, Long: true},
			"--format semantic --min-visible 0.9 --long"},
		"no threshold": {whatifroom.Setup{Format: format.Semantic, MinVisible: -1},
			"--format semantic --min-visible -1"},
		"aria": {whatifroom.Setup{Format: format.Aria, Detail: aria.Summary, MaxDepth: 3,
			ViewportOnly: true}, "--format aria --max-depth 3 --viewport-only --detail summary"},
		"filters and quotes": {whatifroom.Setup{Format: format.DDDK, Drop: ".ads\n\n a[title='x; rm -rf ~'] ",
			Query: "pay\n$(now)"}, `--format dddk --query 'pay $(now)' --drop .ads --drop 'a[title='\''x; rm -rf ~'\'']'`},
	} {
		t.Run(name, func(t *testing.T) {
			core.Edit[whatifroom.Model](&s).Setup = c.setup
			_, effects := apptest.Step(s, whatifroom.Copied())
			command := effects[0].(core.CopyText).Text
			require.Equal(t, "refscopectl whatif "+c.want+` 'it'\''s#`+strings.TrimPrefix(
				text.ShellWord("#"+text.Thousands(s.Current.N)), "'#"), command)
		})
	}
}

func TestOptionsOfASetup(t *testing.T) {
	count := func(string) int { return 7 }
	o := whatifroom.Setup{Format: format.DDDK, MinVisible: 90, MaxTokens: 10, Long: true, MaxDepth: 2}.Options(count)
	require.Equal(t, 10, o.MaxTokens)
	require.Zero(t, o.Semantic.MinVisible, "dddk knows none")
	require.False(t, o.Semantic.Long)
	require.Equal(t, 7, o.CountTokens(""))
	o = whatifroom.Setup{Format: format.Semantic, MinVisible: 90, Long: true}.Options(count)
	require.InDelta(t, 0.9, o.Semantic.MinVisible, 1e-9)
	require.True(t, o.Semantic.Long)
	require.Nil(t, o.CountTokens)
	for _, o := range whatifroom.Options() {
		require.NotEmpty(t, o.Name, o.Title)
		require.True(t, (o.Check == nil) != (o.Number == nil), o.Title)
		if o.Number != nil {
			require.Contains(t, o.Steps, 0, o.Title)
			require.NotEmpty(t, o.Word(0), o.Title)
		}
	}
}

// TestComparedTextsHaveEveryLine: in the whole text each line of both renderings stands
// once, and no line of the page passes for a reason.
func TestComparedTextsHaveEveryLine(t *testing.T) {
	c := apptest.Captured(t).Current.Capture
	for _, f := range format.Plain() {
		t.Run(string(f), func(t *testing.T) {
			got, err := whatif.Compare(c, f, whatif.Setup{},
				whatif.Setup{Options: format.Options{Common: dump.Common{MaxNodes: 3}}})
			require.NoError(t, err)
			effect := core.NewTextEffect(got, func(s string) int { return len(s) })
			var before, after []string
			for _, l := range effect.Whole.Doc.Lines {
				line := effect.Whole.Doc.Text[l.Start:l.End]
				switch line[0] {
				case '-', '<':
					before = append(before, line[2:])
				case '+', '~':
					after = append(after, line[2:])
				case ' ':
					before, after = append(before, line[2:]), append(after, line[2:])
				default:
					t.Fatalf("%q stands in no rendering", line)
				}
			}
			lines := func(d *dump.Document) []string {
				var out []string
				for _, l := range d.Lines {
					out = append(out, d.Text[l.Start:l.End])
				}
				return out
			}
			require.Equal(t, lines(got.After), after)
			require.ElementsMatch(t, trimmedLines(lines(got.Before)), trimmedLines(before))
			k := effect.Counts
			require.Equal(t, len(got.Lines), k.Came+k.Went+k.Changed)
			rows := 0
			for _, r := range effect.Differ.List {
				if r.Kind == core.RowLine {
					rows++
				}
			}
			require.Equal(t, len(got.Lines), rows, "each line that differs is one row")
		})
	}
}

// trimmed leaves out what two renderings may differ in without a change: indents, and
// commas between elements of JSON.
func trimmedLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(strings.TrimLeft(l, "\t "), ",")
	}
	return out
}

// TestSlidersRunFromSmallToLarge: what is at the right keeps more, or asks more.
func TestSlidersRunFromSmallToLarge(t *testing.T) {
	const none = 1 << 30
	size := func(o whatifroom.Option, n int) int {
		switch {
		case n > 0:
			return n
		case o.Unit == "%" && n == 0:
			return 66
		case o.Unit == "%":
			return 0 // no share is asked for
		case n == 0:
			return none - 1
		}
		return none
	}
	sliders := 0
	for _, o := range whatifroom.Options() {
		if o.Number == nil {
			continue
		}
		sliders++
		for i := 1; i < len(o.Steps); i++ {
			require.Less(t, size(o, o.Steps[i-1]), size(o, o.Steps[i]), "%s, step %d", o.Title, i)
		}
	}
	require.Equal(t, 5, sliders)
}
