package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// need is one thing that the window or its test cannot do without.
type need struct {
	name      string            // "a C compiler"
	why       string            // what it is for
	apt       []string          // packages on Debian, and on Ubuntu unless ubuntu is given
	ubuntu    []string          // packages on Ubuntu where they differ
	elsewhere map[string]string // what to do by family; "" for any other
	probe     func(ctx context.Context, d *dev) (found string, err error)
}

// packages are the ones to install on this family.
func (n need) packages(family string) []string {
	if family == ubuntu && n.ubuntu != nil {
		return n.ubuntu
	}
	return n.apt
}

// advice is what to do about a missing need on this family.
func (n need) advice(family string) string {
	if packages := n.packages(family); (family == debian || family == ubuntu) && len(packages) > 0 {
		return "apt-get install " + strings.Join(packages, " ")
	}
	if text, ok := n.elsewhere[family]; ok {
		return text
	}
	return n.elsewhere[""]
}

func compilerNeed() need {
	return need{
		name: "a C compiler", why: "the window is drawn through OpenGL, by cgo",
		apt: []string{"gcc", "libc6-dev"},
		elsewhere: map[string]string{
			fedora: "dnf install gcc", arch: "pacman -S gcc", macos: "xcode-select --install",
			windows: "install MSYS2 from msys2.org, then: pacman -S mingw-w64-ucrt-x86_64-gcc, and put its bin " +
				"folder in PATH",
			"": "install gcc or clang",
		},
		probe: probeCompiler,
	}
}

func headersNeed() need {
	all := func(family string) string { return strings.Join(develNames(family), " ") }
	return need{
		name: "the GL, X11 and Wayland headers", why: "GLFW opens the window with them",
		apt: append([]string{"pkg-config"}, develNames(debian)...),
		elsewhere: map[string]string{
			fedora: "dnf install pkgconf " + all(fedora), arch: "pacman -S pkgconf " + all(arch),
			"": "install pkg-config and the development files of " + strings.Join(develNames(unknown), ", "),
		},
		probe: probeHeaders,
	}
}

func chromeNeed() need {
	download := "install Chrome from google.com/chrome, or Chromium"
	return need{
		name: "Chrome or Chromium", why: "pages are read from it",
		apt: []string{"chromium", "chromium-sandbox", "fonts-liberation"}, ubuntu: []string{"chromium-browser",
			"fonts-liberation"},
		elsewhere: map[string]string{fedora: "dnf install chromium", arch: "pacman -S chromium", macos: download,
			windows: download, "": download},
		probe: probeChrome,
	}
}

func displayNeed() need {
	return need{
		name: "a display", why: "a window needs one; without, use refscopectl",
		elsewhere: map[string]string{"": "start this in a graphical session, or set DISPLAY (from afar: ssh -X)"},
		probe: func(_ context.Context, d *dev) (string, error) {
			if d.machine.goos != "linux" {
				return "the desktop", nil
			}
			if display := d.machine.env("DISPLAY"); display != "" {
				return "DISPLAY=" + display, nil
			}
			return "", errors.New("DISPLAY is not set")
		},
	}
}

// windowNeeds are those of building and opening the window.
func windowNeeds(m machine) []need {
	needs := []need{compilerNeed()}
	if m.goos == "linux" {
		needs = append(needs, headersNeed())
	}
	return append(needs, chromeNeed())
}

// testNeeds are those of the whole test, which brings a display of its own.
func testNeeds(m machine) []need {
	needs := windowNeeds(m)
	if m.goos != "linux" {
		return needs
	}
	programs := func(names ...string) func(context.Context, *dev) (string, error) {
		return func(context.Context, *dev) (string, error) {
			var found []string
			for _, name := range names {
				path, err := exec.LookPath(name)
				if err != nil {
					return "", fmt.Errorf("no %s in PATH", name)
				}
				found = append(found, path)
			}
			return strings.Join(found, ", "), nil
		}
	}
	return append(needs,
		need{
			name: "zstd, curl and patch",
			why:  "tests give them what was written, to prove that it is what it claims to be",
			apt:  []string{"zstd", "curl", "patch"}, probe: programs("zstd", "curl", "patch"),
			elsewhere: map[string]string{"": "install zstd, curl and patch"},
		},
		need{
			name: "tesseract", why: "the readability benchmark reads marks back with it",
			apt:   []string{"tesseract-ocr"},
			probe: programs("tesseract"), elsewhere: map[string]string{fedora: "dnf install tesseract",
				arch: "pacman -S tesseract tesseract-data-eng", "": "install Tesseract OCR with its English data"},
		},
		need{
			name: "Xvfb", why: "the window test opens a real window on a display in memory",
			apt: []string{"xvfb"}, probe: programs("Xvfb"),
			elsewhere: map[string]string{fedora: "dnf install xorg-x11-server-Xvfb", arch: "pacman -S xorg-server-xvfb",
				"": "install Xvfb"},
		},
		need{
			name: "a software GL driver", why: "a display in memory has no graphics card",
			apt: []string{"libgl1-mesa-dri"}, probe: probeMesa,
			elsewhere: map[string]string{fedora: "dnf install mesa-dri-drivers", arch: "pacman -S mesa",
				"": "install Mesa's DRI drivers"},
		},
		need{
			name: "xdotool and ImageMagick", why: "the window test clicks, and looks at the screen",
			apt: []string{"xdotool", "imagemagick"}, probe: programs("xdotool", "import"),
			elsewhere: map[string]string{fedora: "dnf install xdotool ImageMagick",
				arch: "pacman -S xdotool imagemagick",
				"":   "install xdotool and ImageMagick"},
		},
	)
}

// compiler is the C compiler that go build would call, with its arguments.
func compiler(ctx context.Context) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "CC").Output()
	if err != nil {
		return nil, fmt.Errorf("go env CC: %w", err)
	}
	words := strings.Fields(string(out))
	if len(words) == 0 {
		return nil, errors.New("go env CC is empty")
	}
	return words, nil
}

// compile passes a C text to the compiler.
func compile(ctx context.Context, source string, args ...string) (string, error) {
	cc, err := compiler(ctx)
	if err != nil {
		return "", err
	}
	return compileBy(ctx, cc, source, args...)
}

// compileBy passes a C text to this compiler.
func compileBy(ctx context.Context, cc []string, source string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, cc[0], slices.Concat(cc[1:], args)...)
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("no %s in PATH", cc[0])
	}
	return string(out), err
}

// probeCompiler builds a program: a compiler without the C library's files, as a
// bare gcc package leaves it, would not do.
func probeCompiler(ctx context.Context, _ *dev) (string, error) {
	dir, err := os.MkdirTemp("", "refscope-cc-")
	if err != nil {
		return "", fmt.Errorf("try the C compiler: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a stray temporary folder does no harm
	out, err := compile(ctx, "#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n", "-x", "c", "-", "-o",
		filepath.Join(dir, "probe"))
	if err != nil {
		return "", errors.New(firstLine(out, err))
	}
	cc, err := compiler(ctx)
	return strings.Join(cc, " "), err
}

// probeChrome looks where refscope itself looks (capture/browser).
func probeChrome(_ context.Context, d *dev) (string, error) {
	if named := d.machine.env("CHROME_PATH"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("CHROME_PATH is %s: %w", named, err)
		}
		return path, nil
	}
	candidates := []string{
		"google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome",
		"microsoft-edge", "/snap/bin/chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", "chrome.exe", "msedge.exe",
	}
	for _, folder := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
		if base := d.machine.env(folder); base != "" {
			candidates = append(candidates, filepath.Join(base, `Google\Chrome\Application\chrome.exe`),
				filepath.Join(base, `Chromium\Application\chrome.exe`), filepath.Join(base,
					`Microsoft\Edge\Application\msedge.exe`))
		}
	}
	for _, candidate := range candidates {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", errors.New("not in PATH nor in the usual places")
}

// probeMesa looks for the software rasterizer: one library of its own up to Mesa 24,
// part of libgallium from then on.
func probeMesa(context.Context, *dev) (string, error) {
	for _, pattern := range []string{
		"/usr/lib/*/dri/swrast_dri.so", "/usr/lib/dri/swrast_dri.so", "/usr/lib64/dri/swrast_dri.so",
		"/usr/lib/*/libgallium-*.so", "/usr/lib/libgallium-*.so", "/usr/lib64/libgallium-*.so",
	} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return found[0], nil
		}
	}
	return "", errors.New("no swrast_dri.so and no libgallium")
}

// firstLine is the first line of a tool's output, or else its error.
func firstLine(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return err.Error()
}
