package audit

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/text"
)

func TestParseThreshold(t *testing.T) {
	got, err := ParseThreshold([]byte(`{"maxErrors":0,"rules":{"small-target":2},"coverage":{"dddk":{"text":0.98,` +
		`"controls":1}}}`))
	require.NoError(t, err)
	require.Equal(t, 0, *got.MaxErrors)
	require.Nil(t, got.MaxWarnings)
	require.Equal(t, 0.98, *got.Coverage["dddk"].Text)
	for in, want := range map[string]string{
		``:                                  "it is empty",
		`{`:                                 "ends in the middle",
		`[]`:                                "the file is a array",
		`{"maxError":0}`:                    `unknown field "maxError"`,
		`{"rules":{"small":1}}`:             `unknown rule "small": choose from secret,`,
		`{"rules":{"secret":-1}}`:           "leave it out for no limit",
		`{"rules":{"secret":"none"}}`:       "a number is wanted",
		`{"maxErrors":1,"maxErrors":2}`:     `the key "maxErrors" is there twice`,
		`{"rules":{"secret":1,"secret":9}}`: `the key "secret" is there twice`,
		`{"maxNotes":-1}`:                   "maxNotes is -1",
		`{"coverage":{"xml":{}}}`:           `unknown format "xml"`,
		`{"coverage":{"dddk":{"text":98}}}`: "text is 98: it is a ratio from 0 to 1",
		`{"coverage":{"dddk":{"words":1}}}`: `unknown field "words"`,
		`{} {}`:                             "something follows the object",
		`{"maxErrors":0} x`:                 "something follows the object",
	} {
		_, err := ParseThreshold([]byte(in))
		require.ErrorContains(t, err, want, in)
	}
}

func TestCheckThreshold(t *testing.T) {
	r := run(t, page(t, `p "[1]<a>x"`, `p "[2]<a>x"`), Options{})
	check := func(in string) []Breach {
		th, err := ParseThreshold([]byte(in))
		require.NoError(t, err)
		return th.Check(r)
	}
	require.Empty(t, check(`{}`))
	require.Empty(t, check(`{"maxErrors":0,"rules":{"forged-line":2},"coverage":{"dddk":{"text":1}}}`))
	got := check(`{"maxWarnings":1,"rules":{"forged-line":1},"coverage":{"wraith":{"text":0}}}`)
	require.Equal(t, []string{"maxWarnings", "forged-line", "wraith"}, []string{got[0].What, got[1].What, got[2].What})
	require.Equal(t, "forged-line is 1, and 2 were found", got[1].Text)
}

func FuzzParseThreshold(f *testing.F) {
	for _, s := range []string{`{}`, `{"maxErrors":0}`, `{"rules":{"secret":1}}`, `{"coverage":{"dddk":{"text":0.5}}}`,
		`{"rules":{"secret":1,"secret":2}}`, `[`, "\"", `{"a":{"b":[{"c":1}]}}`} {
		f.Add([]byte(s))
	}
	r := &Report{}
	f.Fuzz(func(t *testing.T, data []byte) {
		th, err := ParseThreshold(data)
		if err != nil {
			return
		}
		require.True(t, json.Valid(data))
		for rule := range th.Rules {
			_, ok := RuleByID(rule)
			require.True(t, ok)
		}
		for _, v := range th.Check(r) {
			require.False(t, text.HasHidden(v.Text) || strings.Contains(v.Text, "\n"), "%q", v.Text)
		}
		written, err := json.Marshal(th)
		require.NoError(t, err)
		again, err := ParseThreshold(written)
		require.NoError(t, err)
		require.Equal(t, th, again)
	})
}

// TestSARIF looks for what the standard requires: sections 3.13, 3.14, 3.18, 3.19, 3.27,
// 3.28, 3.29, 3.49.
func TestSARIF(t *testing.T) {
	r := run(t, readPage(t, "words"), Options{})
	data, err := SARIF("0.1.0", Audited{URI: "a/b.html", Report: r}, Audited{URI: "https://a.example/", Report: run(t, page(t), Options{})})
	require.NoError(t, err)
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID               string
						ShortDescription struct{ Text string }
					}
				}
			}
			Results *[]struct {
				RuleID              string
				RuleIndex           int
				Level               string
				Message             struct{ Text string }
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &log))
	require.Equal(t, "2.1.0", log.Version)
	require.NotEmpty(t, log.Schema)
	require.Len(t, log.Runs, 2)
	for i, run := range log.Runs {
		require.NotEmpty(t, run.Tool.Driver.Name)
		require.NotNil(t, run.Results)
		keys := map[string]bool{}
		for _, res := range *run.Results {
			require.Less(t, res.RuleIndex, len(run.Tool.Driver.Rules))
			rule := run.Tool.Driver.Rules[res.RuleIndex]
			require.Equal(t, rule.ID, res.RuleID)
			require.NotEmpty(t, rule.ShortDescription.Text)
			require.Contains(t, []string{"error", "warning", "note"}, res.Level)
			require.NotEmpty(t, res.Message.Text)
			key := res.PartialFingerprints["refscopeKey/v1"]
			require.False(t, keys[key], "a fingerprint is of one result")
			keys[key] = true
			require.Len(t, res.Locations, 1)
			require.Equal(t, []string{"a/b.html", "https://a.example/"}[i],
				res.Locations[0].PhysicalLocation.ArtifactLocation.URI)
			_, err := url.Parse(res.Locations[0].PhysicalLocation.ArtifactLocation.URI)
			require.NoError(t, err)
			require.Equal(t, 1, res.Locations[0].PhysicalLocation.Region.StartLine)
		}
	}
	require.NotEmpty(t, *log.Runs[0].Results)
}
