package setup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testConsole is a console whose output can be read.
func testConsole(out *strings.Builder) *Console { return &Console{out: out} }

func TestFamily(t *testing.T) {
	for _, tt := range []struct{ name, goos, release, want string }{
		{"Debian", "linux", "PRETTY_NAME=\"Debian GNU/Linux 13\"\nID=debian\n", Debian},
		{"Ubuntu says like Debian", "linux", "ID=ubuntu\nID_LIKE=debian\n", ubuntu},
		{"Mint is like Ubuntu first", "linux", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", ubuntu},
		{"Rocky", "linux", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", fedora},
		{"Arch", "linux", "ID=arch\n", Arch},
		{"no file", "linux", "", unknown},
		{"an id inside another word", "linux", "VARIANT_ID=debian\nBUILD_ID=arch\n", unknown},
		{"macOS", "darwin", "", macos},
		{"Windows", "windows", "ID=debian", windows},
	} {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, family(tt.goos, tt.release)) })
	}
}

func TestEveryNeedHasAdvice(t *testing.T) {
	for _, m := range []Machine{{GOOS: "linux", Family: Debian}, {GOOS: "linux", Family: ubuntu},
		{GOOS: "linux", Family: fedora}, {GOOS: "linux", Family: Arch}, {GOOS: "linux", Family: unknown},
		{GOOS: "darwin", Family: macos}, {GOOS: "windows", Family: windows}} {
		for _, n := range slices.Concat(TestNeeds(m), WineNeeds(), []Need{DisplayNeed()}) {
			require.NotEmpty(t, n.Advice(m.Family), "%s on %s", n.Name, m.Family)
		}
	}
	require.Equal(t, "apt-get install chromium-browser fonts-liberation", ChromeNeed().Advice(ubuntu))
}

func missingNeed() Need {
	return Need{Name: "a unicorn", Why: "the test wants one", apt: []string{"unicorn"},
		elsewhere: map[string]string{"": "raise one"},
		Probe:     func(context.Context, *Dev) (string, error) { return "", errors.New("none in sight") }}
}

func TestSetUp(t *testing.T) {
	env := func(string) string { return "" }
	t.Run("says what to do where there is no apt-get", func(t *testing.T) {
		var out strings.Builder
		d := &Dev{Console: testConsole(&out), Machine: Machine{Family: Arch, env: env}}
		err := d.SetUp(t.Context(), []Need{missingNeed()}, true)
		require.EqualError(t, err, "this machine lacks:\n  a unicorn (the test wants one): none in sight\n      raise one")
		require.Contains(t, out.String(), "missing  a unicorn")
	})
	t.Run("installs nothing without leave and without a person", func(t *testing.T) {
		var out strings.Builder
		t.Setenv("PATH", "") // no sudo either
		d := &Dev{Console: testConsole(&out), Machine: Machine{Family: Debian, env: env}}
		require.EqualError(t, d.SetUp(t.Context(), []Need{missingNeed()}, true), "as root, run: apt-get install unicorn")
	})
	t.Run("is content where nothing is missing", func(t *testing.T) {
		var out strings.Builder
		d := &Dev{Console: testConsole(&out), Machine: Machine{Family: Debian, env: env}}
		met := Need{Name: "air", Probe: func(context.Context, *Dev) (string, error) { return "plenty", nil }}
		require.NoError(t, d.SetUp(t.Context(), []Need{met}, false))
		require.Contains(t, out.String(), "found    air")
	})
}

func TestLines(t *testing.T) {
	var got []string
	l := &Lines{each: func(s string) { got = append(got, s) }}
	for _, part := range []string{"one\ntw", "o\r\n", "three"} {
		n, err := l.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, []string{"one", "two"}, got)
	require.Equal(t, "one\ntwo\r\nthree", l.Text())
	require.Equal(t, "b\nc", Tail("a\nb\nc\n", 2))
}
