package collect

import (
	"errors"
	"fmt"
	"strings"
)

// answer is what the collector says of a document, as lines; see js/answer.js. The next answer of the same document
// leaves out what this one has. Nil is that of a document that has not answered yet.
type answer struct {
	number int      // above 0; no two answers of a document have the same
	named  int      // so many lines are properties of the object, the others entries of its strings
	lines  []string // JSON
}

// id is the answer's number, 0 for none.
func (a *answer) id() int {
	if a == nil {
		return 0
	}
	return a.number
}

// next reads the answer that follows this one.
func (a *answer) next(text string) (*answer, error) {
	lines := strings.Split(text, "\n")
	now := &answer{lines: lines[1:]}
	if _, err := fmt.Sscanf(lines[0], "%d %d", &now.number, &now.named); err != nil {
		return nil, fmt.Errorf("its head: %w", err)
	}
	if now.named < 0 || now.named > len(now.lines) {
		return nil, fmt.Errorf("it has %d lines and not %d", len(now.lines), now.named)
	}
	for k, line := range now.lines {
		if line != "" && line[0] != '~' {
			continue
		}
		if a == nil || k >= len(a.lines) {
			return nil, fmt.Errorf("line %d is that of an answer that is not held", k)
		}
		var err error
		if now.lines[k], err = whole(line, a.lines[k]); err != nil {
			return nil, fmt.Errorf("line %d: %w", k, err)
		}
	}
	return now, nil
}

// whole is a line that was sent as what differs from the line before.
func whole(line, before string) (string, error) {
	if line == "" {
		return before, nil
	}
	var a, b int
	if _, err := fmt.Sscanf(line, "~%d %d ", &a, &b); err != nil {
		return "", err
	}
	_, text, _ := strings.Cut(line, " ")
	_, text, _ = strings.Cut(text, " ")
	if a < 0 || b < 0 || a > len(before)-b {
		return "", errors.New("it takes more of the line before than that has")
	}
	return before[:a] + text + before[len(before)-b:], nil
}

// text is the answer as one JSON object.
func (a *answer) text() string {
	return "{" + strings.Join(a.lines[:a.named], ",") + `,"strings":[` + strings.Join(a.lines[a.named:], ",") + "]}"
}
