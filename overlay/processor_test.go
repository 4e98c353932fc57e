package overlay

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/overlay/codec"
	"github.com/refscope/refscope/overlay/vision"
	"github.com/refscope/refscope/snapshot/testneed"
)

// digestsTo names, in the environment of another build of this test, the file that
// takes its digests.
const digestsTo = "REFSCOPE_DIGESTS"

// digests are one line for every picture that this package and vision make of the
// layouts: its name and the SHA-256 of its decoded pixels, or of its manifest.
func digests(t testing.TB) string {
	t.Helper()
	var lines []string
	note := func(name string, pix []byte) { lines = append(lines, fmt.Sprintf("%s %x\n", name, sha256.Sum256(pix))) }
	layouts := pages()
	layouts["shop"] = shopPage()
	for _, name := range []string{"nested cards n=200", "prose", "shop"} {
		p := layouts[name]
		img := p.picture(t, 1.5)
		size := img.Rect.Size()
		for row, view := range map[string]View{"gpt-4o": ViewQA, "qwen3-vl": ViewModel} {
			m, ok := vision.Lookup(row)
			require.True(t, ok)
			to := m.Fit(size, vision.Auto)
			s := NewScene(p.c, to, Options{View: view})
			out := vision.Resize(img, to)
			s.Draw(out)
			data, err := codec.EncodePNG(out, true)
			require.NoError(t, err)
			back, err := codec.DecodePNG(data)
			require.NoError(t, err)
			manifest, err := json.Marshal(s.Manifest("x.png"))
			require.NoError(t, err)
			note(name+" for "+row, back.Pix)
			note(name+" for "+row+", manifest", manifest)
		}
		s := NewScene(p.c, size, Options{})
		pyramid, frame := NewPyramid(img), image.NewRGBA(image.Rect(0, 0, 601, 407))
		for _, cam := range []Camera{{Scale: 0.437, X: 3.7, Y: -11.2}, {Scale: 0.91, X: 100.3, Y: 7.9},
			{Scale: 1.7, X: 333.1, Y: 70.7, Density: 2}} {
			Compose(frame, pyramid, s, cam, Layers{true, true, true, true}, ground)
			note(fmt.Sprintf("%s, frame at %g", name, cam.Scale), frame.Pix)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestDigests: the same pixels with one, two and eight processors, and twice.
func TestDigests(t *testing.T) {
	want := digests(t)
	if file := os.Getenv(digestsTo); file != "" {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		return
	}
	if testing.Short() {
		return
	}
	for _, n := range []int{1, 2, 8} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			require.Equal(t, want, digests(t), "with %d processors", n)
		}()
	}
}

// TestOtherProcessor builds these tests for processors with fused multiply-adds, which
// round once where others round twice, and runs them: the golden pictures of this package,
// of atlas and of vision must hold there, and every digest must be the same. amd64 v3 fuses
// as arm64 does, and runs without an emulator.
func TestOtherProcessor(t *testing.T) {
	testneed.Long(t, "it builds the tests for another processor")
	if os.Getenv(digestsTo) != "" {
		testneed.Extra(t, "this is the run of the other processor")
	}
	if runtime.GOARCH != "amd64" {
		testneed.Missing(t, "the second processor is amd64 v3, and this is "+runtime.GOARCH)
	}
	dir := t.TempDir()
	for _, tt := range []struct{ pkg, goldens string }{
		{"./atlas", "^TestText$"},
		{"./vision", "^(TestResizeGolden|TestVectors)$"},
		{".", "^(TestDraw|TestManifestAndLegend|TestComposeGolden|TestRedact|TestRescue|TestDigests)$"},
	} {
		bin := filepath.Join(dir, "test"+strings.Trim(tt.pkg, "./")+".exe") // for Windows, which asks for it
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", bin, tt.pkg)
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOAMD64=v3")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
		cmd := exec.CommandContext(t.Context(), bin, "-test.run", tt.goldens)
		cmd.Dir = tt.pkg
		cmd.Env = append(os.Environ(), digestsTo+"="+filepath.Join(dir, "digests"))
		out, err = cmd.CombinedOutput()
		if strings.Contains(string(out), "This program can only be run on AMD64 processors") {
			testneed.Missing(t, "this processor is older than amd64 v3")
		}
		require.NoError(t, err, "%s: %s", tt.pkg, out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "digests"))
	require.NoError(t, err)
	require.Equal(t, digests(t), string(got))
}
