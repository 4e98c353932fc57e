package payload

import (
	"encoding/json"
	"fmt"

	"github.com/refscope/refscope/snapshot/diff"
)

// AnswerOf reads what a given answer contains besides the page, so that it can be
// made again from the turn that it belongs to: status, tab, paths, the steps' results and
// errors, and what they did. Missing members stay empty. The error is that of
// a text that is no JSON object of that shape.
func AnswerOf(raw json.RawMessage) (Answer, error) {
	var read struct {
		Status, Tab, SiteProfile, Screenshot, FullSnapshot string
		ActionRequired                                     *ActionRequired
		Steps                                              []json.RawMessage
		Errors                                             json.RawMessage
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return Answer{}, fmt.Errorf("reading a stored answer: %w", err)
	}
	a := Answer{
		Failed: read.Status == "error", Tab: read.Tab, SiteProfile: read.SiteProfile,
		ActionRequired: read.ActionRequired,
		Screenshot:     read.Screenshot, FullSnapshot: read.FullSnapshot, Errors: read.Errors,
	}
	var done []string
	for _, s := range read.Steps {
		var step struct{ Action, Status string }
		if err := json.Unmarshal(s, &step); err != nil {
			return Answer{}, fmt.Errorf("reading a stored answer: steps: %w", err)
		}
		if step.Status == "ok" || step.Status == "" { // what failed or was skipped was not done
			done = append(done, step.Action)
		}
	}
	a.Action = diff.ActionWord(done...)
	if len(read.Steps) > 0 {
		steps, err := json.Marshal(read.Steps)
		if err != nil {
			return Answer{}, fmt.Errorf("reading a stored answer: steps: %w", err)
		}
		a.Steps = steps
	}
	return a, nil
}
