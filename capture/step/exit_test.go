package step_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What was typed into a password field is in no answer and in no file, wherever the page
// shows it after the field is gone: title, text, console, errors, dialogs.
func TestATypedSecretLeavesNowhere(t *testing.T) {
	const canary = "Canary-7Zq"
	b := on(t, `<label>Password <input type=password id=pw></label><p id=echo class=error>-</p><button id=go>Go</button>
		<script>pw.onchange = () => { window.v = pw.value; pw.remove(); document.title = 'Hi ' + v; echo.textContent = 'You are ' + v; console.log('got ' + v) }
		go.onclick = () => prompt('Is it ' + v + '?', v)</script>`)
	raw := b.Run(`[{"fill":{"selector":"#pw","value":"` + canary + `"}},{"inspect":true},{"goto":{"url":"#` + canary + `"}},{"pageFunction":"() => [document.title, v.length, v]"},{"console":true},{"snapshot":true}]`).Raw
	require.NotContains(t, raw, canary)
	require.Contains(t, raw, "Hi [redacted")
	for _, steps := range []string{
		`[{"click":{"selector":"#nothing","timeout":100}}]`,
		`[{"click":"#go"}]`,
		`[{"dialog":{"policy":"ask"}},{"click":"#go"}]`,
	} {
		a := b.Run(steps)
		require.NotContains(t, a.Raw, canary, steps)
		require.Contains(t, a.Raw, "[redacted", steps)
	}
	for _, dir := range []string{b.Opt.Store.Path(), b.Opt.Files} {
		require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			require.NotContains(t, string(data), canary, name)
			return err
		}))
	}
}
