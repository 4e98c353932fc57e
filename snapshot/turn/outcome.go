package turn

import "encoding/json"

// FailedSteps counts the steps of an answer that did not do what was asked of them: those
// with an error. An answer that failed as a whole counts as one where it names no step.
func FailedSteps(answer []byte) int {
	var a struct {
		Status string `json:"status"`
		Steps  []struct {
			Status string          `json:"status"`
			Error  json.RawMessage `json:"error"`
		} `json:"steps"`
	}
	if len(answer) == 0 || json.Unmarshal(answer, &a) != nil {
		return 0
	}
	n := 0
	for _, s := range a.Steps {
		if e := string(s.Error); s.Status == "error" || e != "" && e != `""` && e != "null" {
			n++
		}
	}
	if len(a.Steps) == 0 && a.Status == "error" {
		n = 1
	}
	return n
}
