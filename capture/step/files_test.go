package step_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/refscope/refscope/capture/step/stepdef"
	"github.com/stretchr/testify/require"
)

// outside is a folder with a secret, and one beside it that an agent may use, with a link
// from this one to that.
func outside(t *testing.T) (secret, root string) {
	t.Helper()
	dir := t.TempDir()
	root = filepath.Join(dir, "root")
	require.NoError(t, os.MkdirAll(root, 0o700))
	secret = filepath.Join(dir, "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte("Canary-5Kp"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(root, "link.txt")))
	require.NoError(t, os.Symlink(dir, filepath.Join(root, "up")))
	require.NoError(t, os.WriteFile(filepath.Join(root, "mine.txt"), []byte("mine"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "page.html"),
		[]byte(`<!doctype html><title>Mine</title><iframe src="../secret.txt"></iframe><a id=go href="../secret.txt">go</a>`), 0o600))
	return secret, root
}

// An agent reads and writes no file of the machine unless a folder was opened to it, and then
// only what really lies below it.
func TestLocalFilesAreClosed(t *testing.T) {
	secret, root := outside(t)
	b := on(t, `<input type=file id=f>`)
	refused := func(why string, steps ...string) {
		t.Helper()
		for _, s := range steps {
			a := b.Run("[" + s + "]")
			require.Equal(t, "AccessDeniedError", a.Steps[0].Subtype, s+a.Raw)
			require.Contains(t, a.Steps[0].Error, why, s)
			require.NotContains(t, a.Raw, "Canary-5Kp", s)
		}
	}
	reads := []string{
		fmt.Sprintf(`{"goto":"file://%s"}`, secret), fmt.Sprintf(`{"goto":" FI\nLE://localhost%s"}`, secret),
		fmt.Sprintf(`{"upload":{"selector":"#f","files":[%q]}}`, secret),
	}
	writes := []string{
		fmt.Sprintf(`{"screenshot":{"path":"%s/../a.png"}}`, root), fmt.Sprintf(`{"pdf":"%s/../a.pdf"}`, root),
		`{"screenshot":"../a.png"}`, `{"pdf":"./../a.pdf"}`,
	}
	refused("--files DIR", reads...)
	refused("--files DIR", writes...)
	refused("--files DIR", fmt.Sprintf(`{"goto":"file://%s/page.html"}`, root), fmt.Sprintf(`{"pdf":"%s/a.pdf"}`, root),
		fmt.Sprintf(`{"upload":{"selector":"#f","files":["%s/none"]}}`, filepath.Dir(root)))
	refused("about:blank", `{"goto":"chrome://version"}`, `{"goto":"devtools://devtools/bundled/inspector.html"}`,
		fmt.Sprintf(`{"goto":"view-source:file://%s"}`, secret), `{"goto":"about:version"}`)
	a := b.Run(`[{"goto":"javascript:document.title='ran'"}]`)
	require.Equal(t, "AccessDeniedError", a.Steps[0].Subtype, a.Raw)
	require.NotEqual(t, `"ran"`, string(b.Eval("document.title")))

	b.Allow(root)
	refused("--files", reads...)
	refused("--files", writes...)
	refused("--files", fmt.Sprintf(`{"upload":{"selector":"#f","files":["%s/link.txt"]}}`, root),
		fmt.Sprintf(`{"goto":"file://%s/link.txt"}`, root), fmt.Sprintf(`{"goto":"file://%s/%%75p/secret.txt"}`, root),
		fmt.Sprintf(`{"screenshot":"%s/up/a.png"}`, root))
	require.Equal(t, "ok", b.Run(fmt.Sprintf(`[{"upload":{"selector":"#f","files":["%s/mine.txt"]}},{"pdf":"%[1]s/a.pdf"},{"screenshot":"%[1]s/a.png"}]`, root)).Status)
	refused("overwrite:true", fmt.Sprintf(`{"pdf":"%s/a.pdf"}`, root), fmt.Sprintf(`{"screenshot":"%s/a.png"}`, root))
	require.Equal(t, "ok", b.Run(fmt.Sprintf(`[{"pdf":{"path":"%s/a.pdf","overwrite":true}}]`, root)).Status)

	// A page below the root leads no further: not by a frame, not by a link.
	a = b.Run(fmt.Sprintf(`[{"goto":"file://%s/page.html"},{"snapshot":true}]`, root))
	require.Equal(t, "ok", a.Status, a.Raw)
	require.Equal(t, "Mine", a.Context.Title)
	require.NotContains(t, a.Raw, "Canary-5Kp")
	a = b.Run(`[{"click":"#go"},{"wait":{"ms":300}},{"pageFunction":"() => document.documentElement.outerHTML"}]`)
	require.NotContains(t, a.Raw, "Canary-5Kp")
	require.NoFileExists(t, filepath.Join(filepath.Dir(root), "a.png"))
	require.NoFileExists(t, filepath.Join(filepath.Dir(root), "a.pdf"))
}

// The session's folder takes new files, and keeps those that it has.
func TestFilesOfTheSession(t *testing.T) {
	f := stepdef.Files{Folder: filepath.Join(t.TempDir(), "pictures"), Session: t.TempDir()}
	for range 2 {
		path, err := f.Output("a.png", false)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(f.Folder, "a.png"), path)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	held := filepath.Join(f.Session, "deep", "b.png")
	_, err := f.Output(held, false)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(held, nil, 0o600))
	for _, over := range []bool{false, true} {
		_, err = f.Output(held, over)
		require.ErrorContains(t, err, "there is a file already")
	}
}
