package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNotFound is the error of [Find] where no Chrome is installed.
var ErrNotFound = errors.New("no Chrome or Chromium found")

// Find is the path of the browser to start: the one named, else $CHROME_PATH,
// else the first Chrome, Chromium or Edge in $PATH and the usual folders. Its
// error says what to do; it wraps [ErrNotFound] where nothing is installed.
func Find(named string) (string, error) {
	if named == "" {
		named = os.Getenv("CHROME_PATH")
	}
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("chrome at %q cannot be started (%w): name the program itself with --chrome or $CHROME_PATH", named, reason(err))
		}
		return path, nil
	}
	for _, c := range candidates() {
		if path, err := exec.LookPath(c); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: install chromium (Debian, Ubuntu: apt-get install chromium) or name it with --chrome", ErrNotFound)
}

// reason strips exec's repetition of the file name.
func reason(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func candidates() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"google-chrome", "chromium",
		}
	case "windows":
		var list []string
		for _, base := range []string{os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"), os.Getenv("LocalAppData")} {
			if base == "" {
				continue
			}
			list = append(list,
				filepath.Join(base, `Google\Chrome\Application\chrome.exe`),
				filepath.Join(base, `Chromium\Application\chrome.exe`),
				filepath.Join(base, `Microsoft\Edge\Application\msedge.exe`))
		}
		return append(list, "chrome.exe", "msedge.exe")
	}
	return []string{
		"google-chrome", "google-chrome-stable", "chromium", "chromium-browser",
		"chrome", "microsoft-edge", "/snap/bin/chromium", "/usr/bin/chromium",
	}
}
