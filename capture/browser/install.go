package browser

import (
	"os"
	"runtime"
	"strings"
)

// Advice is how a person installs a browser on a system: the rest of a sentence, and the command in it to copy, ""
// where there is none.
type Advice struct{ Text, Command string }

// InstallAdvice is how a browser is installed on this system.
func InstallAdvice() Advice {
	release := ""
	if runtime.GOOS == "linux" {
		for _, name := range []string{"/etc/os-release", "/usr/lib/os-release"} { // freedesktop.org, os-release
			if b, err := os.ReadFile(name); err == nil {
				release = string(b)
				break
			}
		}
	}
	return adviceFor(runtime.GOOS, release)
}

// packages are the commands that install Chromium, by the ID of a distribution or of one that it derives from.
// Ubuntu's own package is a stub for snap, so it names that.
var packages = []struct{ id, command string }{
	{"ubuntu", "sudo snap install chromium"},
	{"debian", "sudo apt-get install chromium"},
	{"fedora", "sudo dnf install chromium"},
	{"rhel", "sudo dnf install chromium"},
	{"centos", "sudo dnf install chromium"},
	{"arch", "sudo pacman -S chromium"},
	{"suse", "sudo zypper install chromium"},
	{"opensuse", "sudo zypper install chromium"},
	{"alpine", "sudo apk add chromium"},
	{"void", "sudo xbps-install chromium"},
	{"gentoo", "sudo emerge www-client/chromium"},
	{"nixos", "nix-env -iA nixos.chromium"},
}

// adviceFor is the advice for an operating system, as Go names it, and the text of its os-release. ID is tried
// first, then ID_LIKE, which lists what it derives from, the closest first.
func adviceFor(system, release string) Advice {
	command := func(c string) Advice { return Advice{"install it with: " + c, c} }
	switch system {
	case "darwin":
		return command("brew install --cask google-chrome")
	case "windows":
		return command("winget install Google.Chrome")
	}
	var ids []string
	for _, key := range []string{"ID=", "ID_LIKE="} {
		for line := range strings.Lines(release) {
			if v, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok {
				ids = append(ids, strings.Fields(strings.Trim(v, `"'`))...)
			}
		}
	}
	for _, id := range ids {
		for _, p := range packages {
			if id == p.id || strings.HasPrefix(id, p.id+"-") {
				return command(p.command)
			}
		}
	}
	return Advice{Text: "install Chrome, Chromium or Edge with the system's package manager, or from google.com/chrome"}
}
