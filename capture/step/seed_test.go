package step

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// inSeed finds what the seed writes as code.
var inSeed = regexp.MustCompile("(?s)```(?:json)?\n(.*?)```|`([^`\n]+)`")

// TestEveryExampleOfTheSeedIsRead: each JSON example that is a command or a step is one
// here too, and so is each form that a step's chapter lists as an input.
func TestEveryExampleOfTheSeedIsRead(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "seeds", "004_69f7f891d0a0ed35.txt"))
	if err != nil {
		testneed.Extra(t, "the seeds are not beside the project: its examples are not read")
	}
	read := 0
	for _, m := range inSeed.FindAllStringSubmatch(string(text), -1) {
		code := strings.TrimSpace(m[1] + m[2])
		if i := strings.Index(code, `'{"steps"`); i >= 0 { // a line of a shell
			code = strings.Trim(code[i:], "'")
			code = strings.TrimSuffix(strings.SplitN(code, "' |", 2)[0], "'")
		}
		code = strings.ReplaceAll(code, "[...]", `[{"goto":"https://example.com/"}]`)
		code = strings.ReplaceAll(code, `"..."`, `"https://example.com/"`)
		var v map[string]json.RawMessage
		if json.Unmarshal([]byte(code), &v) != nil {
			continue // prose, or the sketch of an answer
		}
		in := code
		if _, ok := v["steps"]; !ok {
			step := ""
			for k := range v {
				if lookup(k) != nil {
					step = k
				}
			}
			if step == "" {
				continue
			}
			in = `{"steps":[` + code + `]}`
		}
		if !strings.Contains(in, "openTab") && !strings.Contains(in, `"tab"`) {
			in = `{"tab":"t1",` + in[1:]
		}
		read++
		_, err := Parse([]byte(in))
		require.NoError(t, err, code)
	}
	require.Greater(t, read, 15)
}
