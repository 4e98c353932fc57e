package payload

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot/testneed"
)

// TestCurlSendsTheBytes runs the command and looks at what arrives.
func TestCurlSendsTheBytes(t *testing.T) {
	testneed.Program(t, "curl", "Debian: apt-get install curl")
	got, key := make(chan string, 1), make(chan string, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			b = []byte(err.Error())
		}
		got <- string(b)
		key <- r.Header.Get("x-api-key")
	}))
	defer srv.Close()
	for name, body := range map[string]string{
		"plain":   `{"a":1}`,
		"quotes":  `{"it's":"\"$HOME\" ` + "`id`" + ` %s !! ''"}`,
		"newline": "{\n}\n\n",
		"unicode": `{"é":"漢字"}`,
	} {
		t.Run(name, func(t *testing.T) {
			text, err := Curl("anthropic", "claude-x", []byte(body), "unused.json")
			require.NoError(t, err)
			cmd := exec.Command("sh", "-c", strings.Replace(text, "https://api.anthropic.com/v1/messages", srv.URL, 1))
			cmd.Env = []string{"ANTHROPIC_API_KEY=k 1", "PATH=/usr/bin:/bin"}
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, body, <-got)
			require.Equal(t, "k 1", <-key)
		})
	}
}

func TestCurl(t *testing.T) {
	long, err := Curl("openai-chat", "", []byte(strings.Repeat("x", MaxCurlBody+1)), "it's.json")
	require.NoError(t, err)
	require.Contains(t, long, `--data-binary @'it'\''s.json'`)
	_, err = Curl("wraith", "", nil, "")
	require.ErrorContains(t, err, "nothing to send")
	_, err = Curl("gemini", "a/../b?", nil, "")
	require.ErrorContains(t, err, "cannot stand in an address")
	for _, d := range Dialects() {
		if _, _, ok := endpoint(d, "m"); ok {
			_, err := Curl(d, "", []byte("{}"), "f")
			require.NoError(t, err, d)
		}
	}
}
