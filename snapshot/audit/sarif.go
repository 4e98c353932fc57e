package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// SARIF 2.1.0 (OASIS standard, 27 March 2020), for CI systems that show findings: a run
// with the rules that found something, and a result for each finding. A web page has no
// lines, so the place is the artifact, the element's CSS path as a logical location, and
// its box in the result's properties. Where the artifact is a file, its region is line 1,
// which some systems want to see. The key of a finding is its fingerprint, so that a
// finding that stays is not reported as new.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string         `json:"columnKind"`
	Results    []sarifResult  `json:"results"`
	Properties map[string]any `json:"properties,omitempty"`
}

// home is where a person reads what the program is.
const home = "https://github.com/refscope/refscope"

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Info    string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
	FullDescription  sarifText `json:"fullDescription"`
	Help             sarifText `json:"help"`
	Default          struct {
		Level Severity `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        Severity          `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   map[string]any    `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// Audited is a report and what it is about.
type Audited struct {
	// URI is the artifact that results point to: the path of an .html file with slashes,
	// relative to the root of the repository, or an address.
	URI    string
	Report *Report
	// Rules are those that the findings are of; nil for [Rules].
	Rules []Rule
}

// SARIF is the reports as one log with a run each, indented JSON. version is that of the
// program.
func SARIF(version string, list ...Audited) ([]byte, error) {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{}}
	for _, a := range list {
		log.Runs = append(log.Runs, sarifOf(version, a))
	}
	data, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing SARIF: %w", err)
	}
	return append(data, '\n'), nil
}

func sarifOf(version string, a Audited) sarifRun {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
		Properties: map[string]any{}}
	if a.Report.Coverage != nil {
		run.Properties["coverage"] = a.Report.Coverage
	}
	rules := a.Rules
	if rules == nil {
		rules = Rules()
	}
	run.Tool.Driver = sarifDriver{Name: "refscope", Version: version, Info: home, Rules: []sarifRule{}}
	index := map[string]int{}
	for _, c := range a.Report.Counts {
		at := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == c.Rule })
		if at < 0 {
			continue
		}
		r := rules[at]
		index[r.ID] = len(run.Tool.Driver.Rules)
		s := sarifRule{ID: r.ID, ShortDescription: sarifText{r.Title}, FullDescription: sarifText{r.Why},
			Help: sarifText{r.Action}}
		s.Default.Level = r.Worst
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, s)
	}
	for _, f := range a.Report.Findings {
		message := f.Sentence
		if f.Evidence != "" {
			message += " Evidence: " + quoted(f.Evidence)
		}
		res := sarifResult{
			RuleID: f.Rule, RuleIndex: index[f.Rule], Level: f.Severity, Message: sarifText{message},
			Fingerprints: map[string]string{"refscopeKey/v1": f.Key},
			Properties: map[string]any{"node": f.Node, "ref": f.Ref, "box": f.Box, "formats": f.Formats,
				"url": a.Report.URL},
		}
		if f.Section != "" {
			res.Properties["section"], res.Properties["bytes"] = f.Section, f.Bytes
		}
		loc := sarifLocation{}
		loc.Physical.Artifact.URI = a.URI
		loc.Physical.Region.StartLine = 1
		if f.Path != "" {
			loc.Logical = []sarifLogical{{f.Path, "element"}}
		}
		if f.Section != "" {
			loc.Logical = append(loc.Logical, sarifLogical{f.Section, "member"})
		}
		if len(loc.Logical) == 0 { // of the page as a whole
			loc.Logical = []sarifLogical{{cmp.Or(a.Report.URL, a.URI), "resource"}}
		}
		res.Locations = []sarifLocation{loc}
		run.Results = append(run.Results, res)
	}
	return run
}
