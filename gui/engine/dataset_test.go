package engine

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	batchroom "github.com/refscope/refscope/gui/batch"
	"github.com/refscope/refscope/gui/core"
)

// TestLiveOpensADataSet: a data set's folder is opened by its name as a session is, and lists its examples with what is
// wrong with them.
func TestLiveOpensADataSet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "images"), 0o700))
	img := image.NewRGBA(image.Rect(0, 0, 400, 200))
	for i := range 60 {
		img.Set(20+i, 30, color.RGBA{255, 0, 0, 255})
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "images", "a.png"), b.Bytes(), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "annotations.json"), []byte(`[
		{"img_filename": "a.png", "instruction": "Place order", "bbox": [10, 20, 100, 30], "data_type": "text", "data_source": "web"},
		{"img_filename": "a.png", "instruction": "Out\u202e", "bbox": [390, 20, 100, 30], "data_type": "text", "data_source": "web"}]`),
		0o600))
	live := New(Options{Home: t.TempDir(), Session: "window"})
	t.Cleanup(func() { require.NoError(t, live.Close()) })
	_, _, err := live.OpenSession(t.Context(), dir)
	var other *core.NotASession
	require.ErrorAs(t, err, &other)
	require.Equal(t, batchroom.Found{Dir: dir}, other.Open)

	set, err := live.Batch(t.Context(), dir)
	require.NoError(t, err)
	require.True(t, set.Examples)
	require.Equal(t, "data set as screenspot, 2 examples in 1 picture", set.Do)
	require.Equal(t, []any{"Place order", "images/a.png", "[10, 20, 100, 30]", 0},
		[]any{set.Rows[0].Label, set.Rows[0].Target, set.Rows[0].Outcome, set.Rows[0].Findings.Errors})
	require.NotContains(t, set.Rows[1].Label, "\u202e")
	require.Equal(t, 1, set.Rows[1].Findings.Errors)
	require.Contains(t, set.Rows[1].Breaches[0], "outside: ")
	pictures := live.BatchPictures(t.Context(), dir, []string{"0", "7"})
	require.LessOrEqual(t, pictures["0"].Bounds().Dx(), 160)
	require.Nil(t, pictures["7"])

	_, _, err = live.OpenSession(t.Context(), t.TempDir())
	require.ErrorContains(t, err, "is not a session folder")
}
