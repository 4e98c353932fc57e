package format_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
	"github.com/refscope/refscope/snapshot/pagetest"
)

// Every setting changes the text of each format that it is declared for, and of no other, over the pages of the goldens.
func TestSettingsChangeWhatTheyAreDeclaredFor(t *testing.T) {
	var pages []*snapshot.Capture
	for _, file := range pagetest.GoldenFiles(t) {
		a, err := txtar.ParseFile(file)
		require.NoError(t, err)
		c := pagetest.Parse(t, string(a.Files[0].Data))
		c.TakenAt = time.Unix(1_700_000_000, 0).UTC()
		pages = append(pages, c)
	}
	for _, name := range format.Names() {
		base := format.Options{}
		if name == format.Filtered {
			base.Query = "buy"
		}
		for _, s := range format.Settings() {
			t.Run(string(name)+"/"+s.Name, func(t *testing.T) {
				from := base
				if s.Name == "boxes" {
					from.Aria.Playwright = true
				}
				changed := slices.ContainsFunc(pages, func(c *snapshot.Capture) bool {
					return slices.ContainsFunc(others(&s, from), func(with format.Options) bool {
						return render(t, c, name, from) != render(t, c, name, with)
					})
				})
				require.Equal(t, s.Knows(name), changed, "the setting changes the text: %v", changed)
			})
		}
	}
}

// others are the options with other values of one setting.
func others(s *format.Option, base format.Options) []format.Options {
	set := func(value func(o *format.Options)) format.Options {
		out := base
		value(&out)
		return out
	}
	switch s.At(&base).(type) {
	case *bool:
		return []format.Options{set(func(o *format.Options) { *s.At(o).(*bool) = true })}
	case *int:
		return []format.Options{set(func(o *format.Options) { *s.At(o).(*int) = 2 })}
	case *float64:
		return []format.Options{set(func(o *format.Options) { *s.At(o).(*float64) = -1 }),
			set(func(o *format.Options) { *s.At(o).(*float64) = 1 })}
	}
	value := "sign in"
	if s.Choices != nil {
		value = s.Choices[1]
	}
	if s.On != "" {
		value = s.On
	}
	return []format.Options{set(func(o *format.Options) { *s.At(o).(*string) = value })}
}

func render(t *testing.T, c *snapshot.Capture, name dump.Format, o format.Options) string {
	t.Helper()
	d, err := format.Render(c, name, o)
	require.NoError(t, err)
	return d.Text
}

func TestSettingsRefuse(t *testing.T) {
	var o format.Options
	limit := format.Setting("max-chars")
	o.MaxChars = -5
	require.ErrorContains(t, limit.Check(&o, format.DDDK), "from -1 on")
	o.MaxChars = -1
	require.NoError(t, limit.Check(&o, format.DDDK))
	require.ErrorContains(t, limit.Check(&o, "capture"), "changes nothing in capture")
	visible := format.Setting("min-visible")
	require.ErrorContains(t, visible.Check(&o, format.DDDK), "it belongs to semantic, ax")
	require.NoError(t, visible.Check(&o, format.DDDK, format.Semantic), "one of several formats knows it")
	o.Aria.Detail = "much"
	require.ErrorContains(t, format.Setting("detail").Check(&o, format.Aria), `"much": choose from full`)
}
