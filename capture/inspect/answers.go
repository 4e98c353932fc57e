package inspect

import (
	"github.com/refscope/refscope/capture/export/goldenstore"
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
	Target string `json:"target"`
	*audit.Report
	Breaches []audit.Breach `json:"breaches"`
	Passed   bool           `json:"passed"`
}

// GoldenCheck is the answer of refscopectl golden.
type GoldenCheck struct {
	Schema string                `json:"schema"`
	Status string                `json:"status"` // ok, failed
	Pages  []*goldenstore.Result `json:"pages"`
}

// BatchRun is the answer of refscopectl batch: counts of pages.
type BatchRun struct {
	Schema  string         `json:"schema"`
	Status  string         `json:"status"` // ok, failed
	Folder  string         `json:"folder"`
	Pages   int            `json:"pages"`
	Failed  int            `json:"failed"`
	Changed int            `json:"changed"`
	Broken  int            `json:"overLimits"`
	Missing int            `json:"missing"`
	Causes  map[string]int `json:"causes"`
	Refused map[string]int `json:"refused"` // captured, but the server answered with an error
}

// DatasetFailure is a page that could not be captured.
type DatasetFailure struct {
	Target string `json:"target"`
	Why    string `json:"why"`
}

// DatasetBuild is the answer of refscopectl dataset build.
type DatasetBuild struct {
	Schema string           `json:"schema"`
	Status string           `json:"status"` // ok, error
	Dir    string           `json:"dir"`
	Shape  dataset.Shape    `json:"shape"`
	Counts dataset.Counts   `json:"counts"`
	Failed []DatasetFailure `json:"failed"`
}

// DatasetCheck is the answer of refscopectl dataset check.
type DatasetCheck struct {
	Schema string `json:"schema"`
	Status string `json:"status"` // ok, error
	Dir    string `json:"dir"`
	Passed bool   `json:"passed"`
	*dataset.Report
}
