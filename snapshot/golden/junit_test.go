package golden

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/text"
)

// suites is JUnit's XML as junit-10.xsd has it: nothing else may be in it.
type suites struct {
	XMLName                 xml.Name   `xml:"testsuites"`
	Name                    string     `xml:"name,attr"`
	Tests, Failures, Errors int        `xml:"-"`
	Attrs                   []xml.Attr `xml:",any,attr"`
	Suites                  []struct {
		Name  string     `xml:"name,attr"`
		Attrs []xml.Attr `xml:",any,attr"`
		Cases []struct {
			Name      string     `xml:"name,attr"`
			Classname string     `xml:"classname,attr"`
			Attrs     []xml.Attr `xml:",any,attr"`
			Failure   *verdict   `xml:"failure"`
			Error     *verdict   `xml:"error"`
			Other     []struct {
				XMLName xml.Name
			} `xml:",any"`
		} `xml:"testcase"`
		Other []struct{ XMLName xml.Name } `xml:",any"`
	} `xml:"testsuite"`
}

type verdict struct {
	Message string     `xml:"message,attr"`
	Type    string     `xml:"type,attr"`
	Text    string     `xml:",chardata"`
	Attrs   []xml.Attr `xml:",any,attr"`
}

func TestJUnit(t *testing.T) {
	hostile := "</failure><x a=\"1\">&amp;]]>\u202e\x00\x1b[31m\uffff\n\xff\ttab"
	var b bytes.Buffer
	cases := []Case{{"a", "a.html", Same, "as accepted", ""}, {hostile, hostile, Changed, hostile, hostile},
		{"c", "c", Failed, "no", "no"}, {"d", "d", Damaged, "no", "no"}, {"e", "e", New, "no", "no"},
		{"f", "f", Extra, "no", "no"}}
	require.NoError(t, JUnit(&b, "golden <&>", cases))
	var got suites
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got), b.String())
	require.Len(t, got.Suites, 1)
	s := got.Suites[0]
	require.Equal(t, "golden <&>", s.Name)
	require.Empty(t, s.Other)
	require.Len(t, s.Attrs, 3)
	require.Len(t, s.Cases, len(cases))
	failures, errs := 0, 0
	for i, c := range s.Cases {
		require.Empty(t, c.Attrs)
		require.Empty(t, c.Other)
		if c.Failure != nil {
			failures++
			require.Equal(t, string(cases[i].Outcome), c.Failure.Type)
		}
		if c.Error != nil {
			errs++
		}
	}
	require.Equal(t, []int{3, 2}, []int{failures, errs})
	require.Contains(t, b.String(), `tests="6" failures="3" errors="2"`)
	require.Equal(t, `</failure><x a="1">&amp;]]>\u{202e}\u{0}\u{1b}[31m\u{ffff} `+"\uFFFD\ttab",
		s.Cases[1].Failure.Message)
	require.NotContains(t, b.String(), "\x1b")
}

func FuzzJUnit(f *testing.F) {
	f.Add("a", "b", "c")
	f.Fuzz(func(t *testing.T, name, target, detail string) {
		var b bytes.Buffer
		require.NoError(t, JUnit(&b, name, []Case{{name, target, Changed, detail, detail}}))
		var got suites
		require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
		require.Len(t, got.Suites[0].Cases, 1)
		c := got.Suites[0].Cases[0]
		require.False(t, text.HasHidden(c.Name+c.Classname+c.Failure.Message+c.Failure.Text))
		if text.Plain(detail) && text.Plain(target) {
			require.Equal(t, strings.ReplaceAll(detail, "\n", " "), c.Failure.Message)
			require.Equal(t, target+"\n"+detail, c.Failure.Text)
		}
	})
}
