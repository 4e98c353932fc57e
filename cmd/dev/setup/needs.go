package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Need is one thing that the window or its test cannot do without.
type Need struct {
	Name      string            // "a C compiler"
	Why       string            // what it is for
	apt       []string          // packages on Debian, and on Ubuntu unless ubuntu is given
	ubuntu    []string          // packages on Ubuntu where they differ
	elsewhere map[string]string // what to do by family; "" for any other
	Probe     func(ctx context.Context, d *Dev) (found string, err error)
}

// packages are the ones to install on this family.
func (n Need) packages(family string) []string {
	if family == ubuntu && n.ubuntu != nil {
		return n.ubuntu
	}
	return n.apt
}

// Advice is what to do about a missing need on this family.
func (n Need) Advice(family string) string {
	if packages := n.packages(family); (family == Debian || family == ubuntu) && len(packages) > 0 {
		return "apt-get install " + strings.Join(packages, " ")
	}
	if text, ok := n.elsewhere[family]; ok {
		return text
	}
	return n.elsewhere[""]
}

func compilerNeed() Need {
	return Need{
		Name: "a C compiler", Why: "the window is drawn through OpenGL, by cgo",
		apt: []string{"gcc", "libc6-dev"},
		elsewhere: map[string]string{
			fedora: "dnf install gcc", Arch: "pacman -S gcc", macos: "xcode-select --install",
			windows: "install MSYS2 from msys2.org, then: pacman -S mingw-w64-ucrt-x86_64-gcc, and put its bin " +
				"folder in PATH",
			"": "install gcc or clang",
		},
		Probe: probeCompiler,
	}
}

func headersNeed() Need {
	all := func(family string) string { return strings.Join(develNames(family), " ") }
	return Need{
		Name: "the GL, X11 and Wayland headers", Why: "GLFW opens the window with them",
		apt: append([]string{"pkg-config"}, develNames(Debian)...),
		elsewhere: map[string]string{
			fedora: "dnf install pkgconf " + all(fedora), Arch: "pacman -S pkgconf " + all(Arch),
			"": "install pkg-config and the development files of " + strings.Join(develNames(unknown), ", "),
		},
		Probe: probeHeaders,
	}
}

// ChromeNeed is a Chrome or Chromium.
func ChromeNeed() Need {
	download := "install Chrome from google.com/chrome, or Chromium"
	return Need{
		Name: "Chrome or Chromium", Why: "pages are read from it",
		apt: []string{"chromium", "chromium-sandbox", "fonts-liberation"}, ubuntu: []string{"chromium-browser",
			"fonts-liberation"},
		elsewhere: map[string]string{fedora: "dnf install chromium", Arch: "pacman -S chromium", macos: download,
			windows: download, "": download},
		Probe: ProbeChrome,
	}
}

// DisplayNeed is a screen to open the window on, which nobody can install.
func DisplayNeed() Need {
	return Need{
		Name: "a display", Why: "a window needs one; without, use refscopectl",
		elsewhere: map[string]string{"": "start this in a graphical session, or set DISPLAY (from afar: ssh -X)"},
		Probe: func(_ context.Context, d *Dev) (string, error) {
			if d.Machine.GOOS != "linux" {
				return "the desktop", nil
			}
			if display := d.Machine.env("DISPLAY"); display != "" {
				return "DISPLAY=" + display, nil
			}
			return "", errors.New("DISPLAY is not set")
		},
	}
}

// WindowNeeds are those of building and opening the window.
func WindowNeeds(m Machine) []Need {
	needs := []Need{compilerNeed()}
	if m.GOOS == "linux" {
		needs = append(needs, headersNeed())
	}
	return append(needs, ChromeNeed())
}

// TestNeeds are those of the whole test, which brings a display of its own.
func TestNeeds(m Machine) []Need {
	needs := WindowNeeds(m)
	if m.GOOS != "linux" {
		return needs
	}
	programs := func(names ...string) func(context.Context, *Dev) (string, error) {
		return func(context.Context, *Dev) (string, error) {
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
		Need{
			Name: "zstd, curl and patch",
			Why:  "tests give them what was written, to prove that it is what it claims to be",
			apt:  []string{"zstd", "curl", "patch"}, Probe: programs("zstd", "curl", "patch"),
			elsewhere: map[string]string{"": "install zstd, curl and patch"},
		},
		Need{
			Name: "tesseract", Why: "the readability benchmark reads marks back with it",
			apt:   []string{"tesseract-ocr"},
			Probe: programs("tesseract"), elsewhere: map[string]string{fedora: "dnf install tesseract",
				Arch: "pacman -S tesseract tesseract-data-eng", "": "install Tesseract OCR with its English data"},
		},
		Need{
			Name: "Xvfb", Why: "the window test opens a real window on a display in memory",
			apt: []string{"xvfb"}, Probe: programs("Xvfb"),
			elsewhere: map[string]string{fedora: "dnf install xorg-x11-server-Xvfb", Arch: "pacman -S xorg-server-xvfb",
				"": "install Xvfb"},
		},
		Need{
			Name: "a software GL driver", Why: "a display in memory has no graphics card",
			apt: []string{"libgl1-mesa-dri"}, Probe: probeMesa,
			elsewhere: map[string]string{fedora: "dnf install mesa-dri-drivers", Arch: "pacman -S mesa",
				"": "install Mesa's DRI drivers"},
		},
		Need{
			Name: "xdotool and ImageMagick", Why: "the window test clicks, and looks at the screen",
			apt: []string{"xdotool", "imagemagick"}, Probe: programs("xdotool", "import"),
			elsewhere: map[string]string{fedora: "dnf install xdotool ImageMagick",
				Arch: "pacman -S xdotool imagemagick",
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
	return CompileBy(ctx, cc, source, args...)
}

// CompileBy passes a C text to this compiler.
func CompileBy(ctx context.Context, cc []string, source string, args ...string) (string, error) {
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
func probeCompiler(ctx context.Context, _ *Dev) (string, error) {
	dir, err := os.MkdirTemp("", "refscope-cc-")
	if err != nil {
		return "", fmt.Errorf("try the C compiler: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a stray temporary folder does no harm
	out, err := compile(ctx, "#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n", "-x", "c", "-", "-o",
		filepath.Join(dir, "probe"))
	if err != nil {
		return "", errors.New(FirstLine(out, err))
	}
	cc, err := compiler(ctx)
	return strings.Join(cc, " "), err
}

// ProbeChrome looks where refscope itself looks (capture/browser).
func ProbeChrome(_ context.Context, d *Dev) (string, error) {
	if named := d.Machine.env("CHROME_PATH"); named != "" {
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
		if base := d.Machine.env(folder); base != "" {
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
func probeMesa(context.Context, *Dev) (string, error) {
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

// FirstLine is the first line of a tool's output, or else its error.
func FirstLine(out string, err error) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return err.Error()
}

// WineNeeds are those of the stage wine, which is skipped where one is missing: no other stage needs them.
func WineNeeds() []Need {
	return []Need{
		{
			Name: "Wine", Why: "it runs programs for Windows", apt: []string{"wine", "wine64"},
			elsewhere: map[string]string{fedora: "dnf install wine", Arch: "pacman -S wine", "": "install Wine"},
			Probe: func(context.Context, *Dev) (string, error) {
				if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
					return "", errors.New("programs for Windows on amd64 run under Wine on Linux with such a processor")
				}
				return WineProgram()
			},
		},
		{
			Name: "MinGW-w64", Why: "it compiles the window for Windows", apt: []string{"gcc-mingw-w64-x86-64"},
			elsewhere: map[string]string{fedora: "dnf install mingw64-gcc", Arch: "pacman -S mingw-w64-gcc",
				"": "install the MinGW-w64 compiler"},
			Probe: func(context.Context, *Dev) (string, error) { return exec.LookPath(MinGW) },
		},
	}
}

// MinGW is the C compiler for Windows.
const MinGW = "x86_64-w64-mingw32-gcc"

// WineProgram is Wine's loader of 64-bit programs. Debian's script before it speaks of 32-bit ones at every start.
func WineProgram() (string, error) {
	for _, name := range []string{"/usr/lib/wine/wine64", "wine64", "wine"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no wine64 in PATH")
}
