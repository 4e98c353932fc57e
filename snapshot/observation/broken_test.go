package observation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/observation"
	"github.com/refscope/refscope/snapshot/wire"
)

// No text of a real request ends in the middle of a line. One that is cut within the name of its last line that has one
// does, whether the agent says something more after it or not; where the format does not show it, as Stagehand's, nothing
// is said.
func TestBrokenLine(t *testing.T) {
	for name, dialect := range map[string]string{"playwright": wire.OpenAIChat, "devtools": wire.OpenAIChat,
		"stagehand": wire.OpenAIResponses, "playwright-changes": wire.OpenAIChat} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			require.NoError(t, err)
			sections, err := wire.Sections(dialect, body)
			require.NoError(t, err)
			for _, text := range observation.Find(sections) {
				require.Empty(t, text.BrokenLine())
				if text.Format == observation.Stagehand {
					continue
				}
				for i := 3; i < len(text.Lines); i++ {
					l := text.Lines[i]
					at := strings.Index(text.Body()[l.Bytes[0]:l.Bytes[1]], l.Name)
					if len(l.Name) < 3 || at < 0 || !strings.Contains(text.Body()[l.Bytes[0]:l.Bytes[1]], `"`+l.Name) {
						continue
					}
					for _, more := range []string{"", "\n\nWhat do you do next?"} {
						cut := observation.Read(text.Body()[:l.Bytes[0]+at+2] + more)
						require.NotNil(t, cut)
						require.NotEmpty(t, cut.BrokenLine(), "cut in %q", l.Name)
					}
				}
			}
		})
	}
}
