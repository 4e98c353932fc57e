package inspect

import (
	"github.com/refscope/refscope/overlay/dataset"
	"github.com/refscope/refscope/snapshot/audit"
)

// The schemas of answers that only a command gives, as JSON: what their member schema says.
const (
	GoldenSchema       = "refscope.goldencheck/1"
	BatchSchema        = "refscope.batchrun/1"
	DatasetSchema      = "refscope.dataset/1"
	DatasetCheckSchema = "refscope.datasetcheck/1"
)

// Audited is one line of refscopectl audit: the report of a page with its target and the limits that it breaks.
type Audited struct {
	Target string `json:"target"` // what was audited, as it was named
	*audit.Report
	Breaches []audit.Breach `json:"breaches"`
	Passed   bool           `json:"passed"` // no limit is broken
}

// BatchRun is the answer of refscopectl batch: counts of pages.
type BatchRun struct {
	Schema  string         `json:"schema"`
	Status  string         `json:"status"`     // ok, failed
	Folder  string         `json:"folder"`     // where the jobs and their results are
	Pages   int            `json:"pages"`      // how many jobs there are
	Failed  int            `json:"failed"`     // those that failed
	Changed int            `json:"changed"`    // those that differ from their golden
	Broken  int            `json:"overLimits"` // those that break a limit
	Missing int            `json:"missing"`    // those without a result
	Causes  map[string]int `json:"causes"`     // how many failed for each cause
	Refused map[string]int `json:"refused"`    // captured, but the server answered with an error
}

// DatasetFailure is a page that could not be captured.
type DatasetFailure struct {
	Target string `json:"target"` // the page, as it was named
	Why    string `json:"why"`    // why it could not be captured, a sentence
}

// DatasetBuild is the answer of refscopectl dataset build.
type DatasetBuild struct {
	Schema string           `json:"schema"`
	Status string           `json:"status"` // ok, error
	Dir    string           `json:"dir"`    // the folder of the set
	Shape  dataset.Shape    `json:"shape"`
	Counts dataset.Counts   `json:"counts"`
	Failed []DatasetFailure `json:"failed"`
	Shots  int              `json:"-"` // the pictures that were asked for, those that failed among them
}

// DatasetCheck is the answer of refscopectl dataset check.
type DatasetCheck struct {
	Schema string `json:"schema"`
	Status string `json:"status"` // ok, error
	Dir    string `json:"dir"`    // the folder of the set
	Passed bool   `json:"passed"` // no rule is broken but those that were allowed
	*dataset.Report
}
