package ask

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/doctor"
	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/turn"
)

// Bounds of a suite.
const (
	maxQuestions = 100_000 // turns × variants × times
	maxTimes     = 1000
)

// Suite is many turns asked about in many variants, as a file has it:
//
//	{"turns": [{"turn": "shop#3", "ref": 12}, "shop#5"],
//	 "variants": [{"name": "as recorded"}, {"name": "small", "flags": "--model gpt-4o-mini"}],
//	 "flags": "--answer-timeout 30s", "n": 3}
//
// Flags are those of the command ask, as a shell splits them; the suite's own come before those of
// each variant. n is how often each is asked, 1 by default.
type Suite struct {
	Turns    []SuiteTurn    `json:"turns"`
	Variants []SuiteVariant `json:"variants"`
	Flags    string         `json:"flags"`
	N        int            `json:"n"`
}

// SuiteTurn is a frozen turn, and the number of the element that is right; 0 takes that of the
// recorded answer.
type SuiteTurn struct {
	Turn string `json:"turn"`
	Ref  int    `json:"ref"`
}

// SuiteVariant is one way to ask.
type SuiteVariant struct {
	Name  string `json:"name"`
	Flags string `json:"flags"`
}

// UnmarshalJSON reads a turn also where it is only its name.
func (t *SuiteTurn) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`)) {
		return json.Unmarshal(data, &t.Turn)
	}
	type plain SuiteTurn
	return strict(data, (*plain)(t))
}

// strict decodes a document and refuses members that it does not know.
func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// ReadSuite reads a suite and checks it.
func ReadSuite(data []byte) (*Suite, error) {
	s := &Suite{}
	if err := strict(data, s); err != nil {
		return nil, fmt.Errorf("the suite cannot be read: %w", err)
	}
	if s.N == 0 {
		s.N = 1
	}
	var names []string
	for i, v := range s.Variants {
		if v.Name == "" || slices.Contains(names, v.Name) {
			return nil, fmt.Errorf("the suite's variant %d needs a name of its own", i+1)
		}
		names = append(names, v.Name)
	}
	for i, t := range s.Turns {
		if t.Turn == "" || t.Ref < 0 {
			return nil, fmt.Errorf("the suite's turn %d: write it as SESSION#N, or as {\"turn\": …, \"ref\": …}", i+1)
		}
	}
	switch {
	case len(s.Turns) == 0 || len(s.Variants) == 0:
		return nil, errors.New("the suite needs turns and variants")
	case s.N < 1 || s.N > maxTimes:
		return nil, fmt.Errorf("the suite's n is %d: ask 1 to %d times", s.N, maxTimes)
	case len(s.Turns)*len(s.Variants)*s.N > maxQuestions:
		return nil, fmt.Errorf("the suite has %d questions, more than the %d allowed",
			len(s.Turns)*len(s.Variants)*s.N, maxQuestions)
	}
	return s, nil
}

// tableSchema names the JSON form of a [Table].
const tableSchema = "refscope.ask/1"

// Table is what became of a suite.
type Table struct {
	Schema   string `json:"schema"`
	Rows     []Row  `json:"rows"`
	Variants []Sum  `json:"variants"`
}

// Row is one answer.
type Row struct {
	Turn    string `json:"turn"`
	Variant string `json:"variant"`
	N       int    `json:"n"` // from 1
	// Recorded is the turn that keeps the answer, 0 where none could be had.
	Recorded int           `json:"recorded,omitempty"`
	Status   int           `json:"status,omitempty"`
	Error    string        `json:"error,omitempty"`
	Ms       float64       `json:"ms"`
	Input    int           `json:"input"` // tokens, as the vendor counts them
	Output   int           `json:"output"`
	Answer   string        `json:"answer"` // in one line
	Wanted   int           `json:"wanted,omitempty"`
	Grade    *doctor.Grade `json:"grade,omitempty"` // nil without an element to compare with
}

// Answered reports whether there is a whole answer.
func (r *Row) Answered() bool { return r.Status == http.StatusOK && r.Error == "" }

// Sum is how a variant did.
type Sum struct {
	Variant  string  `json:"variant"`
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Graded   int     `json:"graded"` // of those that were answered
	Hits     int     `json:"hits"`
	Share    float64 `json:"share"` // of the graded ones, 0 to 1
	Input    int     `json:"input"` // tokens of all
	Output   int     `json:"output"`
}

// NewTable sums rows up, in the order of the suite's variants.
func NewTable(s *Suite, rows []Row) *Table {
	t := &Table{Schema: tableSchema, Rows: rows}
	for _, v := range s.Variants {
		sum := Sum{Variant: v.Name}
		for i := range rows {
			r := &rows[i]
			if r.Variant != v.Name {
				continue
			}
			sum.Asked++
			sum.Input, sum.Output = sum.Input+r.Input, sum.Output+r.Output
			if !r.Answered() {
				continue
			}
			sum.Answered++
			if r.Grade != nil {
				sum.Graded++
				if r.Grade.Outcome == doctor.Hits {
					sum.Hits++
				}
			}
		}
		if sum.Graded > 0 {
			sum.Share = math.Round(1000*float64(sum.Hits)/float64(sum.Graded)) / 1000
		}
		t.Variants = append(t.Variants, sum)
	}
	return t
}

// CSV writes the rows, one line each, under a line of names. A cell that a spreadsheet would take
// for a formula begins with an apostrophe.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"turn", "variant", "n", "recorded", "status", "error", "ms", "input",
		"output", "wanted",
		"outcome", "ref", "element", "answer"}); err != nil {
		return err
	}
	for _, r := range t.Rows {
		var g doctor.Grade
		if r.Grade != nil {
			g = *r.Grade
		}
		line := []string{r.Turn, r.Variant, strconv.Itoa(r.N), strconv.Itoa(r.Recorded),
			strconv.Itoa(r.Status), r.Error,
			strconv.FormatFloat(r.Ms, 'f', 1, 64), strconv.Itoa(r.Input), strconv.Itoa(r.Output),
			strconv.Itoa(r.Wanted),
			string(g.Outcome), strconv.Itoa(g.Ref), g.Element, r.Answer}
		for i, cell := range line {
			line[i] = text.Cell(cell)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// KeyOf identifies a question: the same body, asked in the same way for the nth time. A suite that
// is started again finds by it what was answered.
func KeyOf(q *Question, endpoint string, n int) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %d %d\n", q.Dialect, q.Model, endpoint, q.Turn, n)
	sum.Write(q.Body)
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// Kept is an answer that is recorded already.
type Kept struct {
	N int // of the turn
	*Variant
}

// KeptAnswers are the whole answers of a session, by the keys of their questions.
func KeptAnswers(ctx context.Context, s *turn.Store) (map[string]Kept, error) {
	list, _, err := s.List(ctx) // what is damaged is asked again
	if err != nil {
		return nil, fmt.Errorf("listing the turns: %w", err)
	}
	out := map[string]Kept{}
	for _, sum := range list {
		if !strings.HasPrefix(sum.Action, variantPrefix) {
			continue
		}
		rec, err := s.Load(ctx, sum.N)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := &Variant{}
		if err != nil || json.Unmarshal(rec.Exchange, v) != nil || v.Asked.Key == "" ||
			v.Status != http.StatusOK || v.Error != "" {
			continue
		}
		out[v.Asked.Key] = Kept{sum.N, v}
	}
	return out, nil
}
