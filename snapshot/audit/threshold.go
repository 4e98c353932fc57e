package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/refscope/refscope/snapshot/dump"
	"github.com/refscope/refscope/snapshot/format"
)

// Threshold is how much a page may have before its audit fails, as a file in JSON:
//
//	{
//	  "maxErrors": 0, "maxWarnings": 10, "maxNotes": 100,
//	  "rules":    { "small-target": 5, "agent-instructions": 0 },
//	  "coverage": { "dddk": { "text": 0.98, "page": 0.9, "controls": 1, "pictures": 0.5 } }
//	}
//
// Everything may be left out; what is left out has no limit. Coverage is the least ratio,
// 0 to 1, of a format that is audited. Unknown keys, rules and formats are errors, and so
// is a key that is there twice: a threshold with a slip of the pen would let all pass.
type Threshold struct {
	MaxErrors   *int                      `json:"maxErrors"`
	MaxWarnings *int                      `json:"maxWarnings"`
	MaxNotes    *int                      `json:"maxNotes"`
	Rules       map[string]int            `json:"rules"`
	Coverage    map[dump.Format]LeastOfIt `json:"coverage"`
}

// LeastOfIt are the least ratios of a format's coverage, 0 to 1; nil for any.
type LeastOfIt struct {
	Text     *float64 `json:"text"`
	Page     *float64 `json:"page"`
	Controls *float64 `json:"controls"`
	Pictures *float64 `json:"pictures"`
}

// thresholdLimit is how long a threshold file may be, in bytes.
const thresholdLimit = 1 << 20

// ParseThreshold reads a threshold file. The error describes what is wrong and where.
func ParseThreshold(data []byte) (*Threshold, error) {
	if len(data) > thresholdLimit {
		return nil, fmt.Errorf("threshold: %d bytes: at most %d are read", len(data), thresholdLimit)
	}
	if err := onceEach(data); err != nil {
		return nil, fmt.Errorf("threshold: %w", err)
	}
	t := &Threshold{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf("threshold: %s is a %s: a number is wanted there", cmp.Or(bad.Field, "the file"),
				bad.Value)
		}
		return nil, fmt.Errorf("threshold: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return t, t.check()
}

func (t *Threshold) check() error {
	for name, n := range map[string]*int{"maxErrors": t.MaxErrors, "maxNotes": t.MaxNotes,
		"maxWarnings": t.MaxWarnings} {
		if n != nil && *n < 0 {
			return fmt.Errorf("threshold: %s is %d: leave it out for no limit", name, *n)
		}
	}
	for id, n := range t.Rules {
		if _, ok := RuleByID(id); !ok {
			return fmt.Errorf("threshold: unknown rule %q: choose from %s", short(id), ruleIDs())
		}
		if n < 0 {
			return fmt.Errorf("threshold: rule %s is %d: leave it out for no limit", id, n)
		}
	}
	for f, c := range t.Coverage {
		if !slices.Contains(format.Names(), f) {
			return fmt.Errorf("threshold: coverage: unknown format %q", short(string(f)))
		}
		for _, l := range c.list() {
			if l.least != nil && !(*l.least >= 0 && *l.least <= 1) {
				return fmt.Errorf("threshold: coverage of %s: %s is %g: it is a ratio from 0 to 1", f, l.name, *l.least)
			}
		}
	}
	return nil
}

func ruleIDs() string {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, ", ")
}

// onceEach reports a key that occurs twice in one object, which encoding/json lets pass,
// and what follows the object.
func onceEach(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var seen []map[string]bool // of the open objects; nil for an array
	key := false               // a key comes next
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) && len(seen) == 0 && d.InputOffset() > 0 {
			return nil
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return errors.New("it is empty, or ends in the middle")
			}
			return fmt.Errorf("at byte %d: %s", d.InputOffset(), strings.TrimPrefix(err.Error(), "json: "))
		}
		top := len(seen) - 1
		switch v := tok.(type) {
		case json.Delim:
			switch v {
			case '{':
				seen = append(seen, map[string]bool{})
				key = true
				continue
			case '[':
				seen = append(seen, nil)
				key = false
				continue
			}
			seen = seen[:top]
		case string:
			if key && top >= 0 && seen[top] != nil {
				if seen[top][v] {
					return fmt.Errorf("the key %q is there twice", short(v))
				}
				seen[top][v] = true
				key = false
				continue
			}
		}
		if len(seen) == 0 {
			if d.More() {
				return fmt.Errorf("something follows the object, at byte %d", d.InputOffset())
			}
			continue
		}
		key = seen[len(seen)-1] != nil
	}
}

// Breach is a limit that a report breaks.
type Breach struct {
	What string `json:"what"` // a rule, maxErrors …, or FORMAT.text …
	Text string `json:"text"` // a sentence
}

type least struct {
	name  string
	least *float64
	share func(Coverage) Share
}

func (l LeastOfIt) list() []least {
	return []least{
		{"text", l.Text, func(c Coverage) Share { return c.Text }},
		{"page", l.Page, func(c Coverage) Share { return c.Page }},
		{"controls", l.Controls, func(c Coverage) Share { return c.Controls }},
		{"pictures", l.Pictures, func(c Coverage) Share { return c.Pictures }},
	}
}

// Check lists the limits that the report breaks; none where it passes. A limit for the
// coverage of a format that was not audited, or of a page that was not read whole, is broken: nobody has looked.
func (t *Threshold) Check(r *Report) []Breach {
	out := []Breach{}
	most := func(what string, limit *int, got int) {
		if limit != nil && got > *limit {
			out = append(out, Breach{what, fmt.Sprintf("%s is %d, and %d were found", what, *limit, got)})
		}
	}
	most("maxErrors", t.MaxErrors, r.Errors)
	most("maxWarnings", t.MaxWarnings, r.Warnings)
	most("maxNotes", t.MaxNotes, r.Notes)
	for _, rule := range Rules() {
		if limit, ok := t.Rules[rule.ID]; ok {
			most(rule.ID, &limit, r.Count(rule.ID))
		}
	}
	for _, f := range format.Names() {
		want, ok := t.Coverage[f]
		if !ok {
			continue
		}
		at := slices.IndexFunc(r.Coverage, func(c Coverage) bool { return c.Format == f })
		if at < 0 {
			out = append(out, Breach{string(f),
				fmt.Sprintf("coverage of %s is wanted, and it was not audited: add --format %s",
					f, f)})
			continue
		}
		for _, l := range want.list() {
			switch {
			case l.least == nil:
				continue
			case r.Coverage[at].CutOff:
				out = append(out, Breach{string(f) + "." + l.name,
					fmt.Sprintf("coverage of %s: %s must be %g, and the page was not read whole", f, l.name, *l.least)})
				continue
			}
			if got := l.share(r.Coverage[at]); got.Ratio() < *l.least {
				out = append(out, Breach{string(f) + "." + l.name,
					fmt.Sprintf("coverage of %s: %s must be %g, and is %.4f (%d of %d)", f, l.name, *l.least,
						got.Ratio(), got.Has,
						got.Seen)})
			}
		}
	}
	return out
}
