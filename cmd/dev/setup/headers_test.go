package setup

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/refscope/refscope/snapshot/testneed"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table of development packages says who has what the window's build includes and links, no more and no less: an
// upgrade of Fyne or GLFW that includes something new, or nothing of a package any more, fails here.
func TestDevelopmentPackagesAreThoseOfTheModules(t *testing.T) {
	if runtime.GOOS != "linux" {
		testneed.Extra(t, "the packages are those of Linux")
	}
	testneed.Program(t, "gcc", "Debian: apt-get install gcc libc6-dev")
	var out strings.Builder
	d := &Dev{Console: testConsole(&out), Root: testneed.Repository(t)}
	wants, err := d.cgoWants(t.Context())
	require.NoError(t, err)
	dpkg, _ := exec.LookPath("dpkg")
	used := map[string]bool{}
	for _, w := range wants {
		assert.NotEqual(t, "_cgo_export.h", w.name, "cgo writes it")
		p, known := develPackageOf(w.name)
		if known {
			used[p.debian] = true
		}
		if dpkg == "" || !strings.HasSuffix(w.at, ".h") {
			continue
		}
		// Debian's own list of files is the proof that the table names the right package.
		owner, err := exec.CommandContext(t.Context(), dpkg, "-S", w.at).Output()
		if err != nil {
			continue // a header that no package of Debian brought
		}
		name, _, _ := strings.Cut(string(owner), ":")
		switch {
		case !known:
			name = strings.TrimSuffix(name, "-cross")
			assert.True(t, strings.HasPrefix(name, "libc6-dev") || strings.HasPrefix(name, "linux-libc-dev") ||
				strings.HasPrefix(name, "libgcc-"), "%s is in %s: the table lacks it", w.name, name)
		case name != "x11proto-dev" && name != "libglx-dev": // libx11-dev and libgl-dev bring them
			assert.Equal(t, p.debian, name, w.name)
		}
	}
	for _, p := range develPackages() {
		assert.True(t, used[p.debian], "nothing is included or linked of %s", p.debian)
	}
	require.Greater(t, len(wants), 40)
}

// Each missing header is named with its package, whether the machine has others or not.
func TestWhatTheBuildLacksIsSaidInOneGo(t *testing.T) {
	if runtime.GOOS != "linux" {
		testneed.Extra(t, "the packages are those of Linux")
	}
	testneed.Program(t, "gcc", "Debian: apt-get install gcc libc6-dev")
	testneed.Program(t, "pkg-config", "Debian: apt-get install pkg-config")
	t.Setenv("CC", "gcc -nostdinc") // no header at all
	t.Setenv("PKG_CONFIG_LIBDIR", t.TempDir())
	var out strings.Builder
	d := &Dev{Console: testConsole(&out), Root: testneed.Repository(t), Machine: Machine{Family: Debian}}
	_, err := probeHeaders(t.Context(), d)
	require.ErrorContains(t, err, "EGL/egl.h (libegl-dev)")
	require.ErrorContains(t, err, "X11/extensions/Xrandr.h (libxrandr-dev)")
	require.ErrorContains(t, err, "gl (libgl-dev)")
	require.ErrorContains(t, err, "wayland-client (libwayland-dev)")
}
