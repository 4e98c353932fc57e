package golden

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// Outcome is the outcome for one page of a check.
type Outcome string

const (
	Same    Outcome = "same"    // as accepted
	Changed Outcome = "changed" // something differs
	New     Outcome = "new"     // in the list, and never accepted
	Damaged Outcome = "damaged" // what was accepted cannot be read
	Extra   Outcome = "extra"   // a folder of a page that the list does not have
	Failed  Outcome = "failed"  // the page could not be captured
)

// Case is one page in a report of JUnit's kind.
type Case struct {
	Name    string
	Target  string
	Outcome Outcome
	// Sentence is the outcome in one line, and Detail all of it.
	Sentence, Detail string
}

// JUnit writes the cases as JUnit XML, in the form that Jenkins' junit-10.xsd describes
// and GitLab, Azure and GitHub's actions read: testsuites, one testsuite, a testcase for
// each page; a failure for what differs, an error for what could not be checked. There
// is no time and no host in it, so the same outcome gives the same bytes.
//
// Page text is escaped, and control and direction characters, which XML 1.0 forbids or
// a terminal obeys, are spelled out as \u{202e}.
func JUnit(w io.Writer, suite string, cases []Case) error {
	var b strings.Builder
	failures, errs := 0, 0
	for _, c := range cases {
		switch c.Outcome {
		case Same:
		case Failed, Damaged:
			errs++
		default:
			failures++
		}
	}
	counts := fmt.Sprintf(`name="%s" tests="%d" failures="%d" errors="%d"`, attr(suite), len(cases), failures, errs)
	fmt.Fprintf(&b, "%s<testsuites %s>\n  <testsuite %s>\n", xml.Header, counts, counts)
	for _, c := range cases {
		fmt.Fprintf(&b, `    <testcase name="%s" classname="%s"`, attr(c.Name), attr(suite))
		kind := "failure"
		switch c.Outcome {
		case Same:
			b.WriteString("/>\n")
			continue
		case Failed, Damaged:
			kind = "error"
		}
		fmt.Fprintf(&b, ">\n      <%s message=\"%s\" type=\"%s\">%s</%s>\n    </testcase>\n",
			kind, attr(c.Sentence), attr(string(c.Outcome)), content(c.Target+"\n"+c.Detail), kind)
	}
	b.WriteString("  </testsuite>\n</testsuites>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// attr is the value of an attribute, in one line.
func attr(s string) string { return content(strings.ReplaceAll(s, "\n", " ")) }

// content is text of an element.
func content(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text.Visible(s))); err != nil { // a Builder takes all
		return ""
	}
	return strings.NewReplacer("&#xA;", "\n", "&#x9;", "\t").Replace(b.String())
}
