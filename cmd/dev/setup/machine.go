package setup

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// Families of systems that are distinguished because their packages have other names.
const (
	Debian  = "Debian"
	ubuntu  = "Ubuntu"
	fedora  = "Fedora"
	Arch    = "Arch"
	macos   = "macOS"
	windows = "Windows"
	unknown = "this system"
)

// Machine is the system that dev runs on.
type Machine struct {
	GOOS   string // as in GOOS
	Family string // one of the constants above
	Root   bool   // may install packages without sudo
	env    func(string) string
}

// ThisMachine is the one that the program runs on.
func ThisMachine() Machine {
	release, _ := os.ReadFile("/etc/os-release") // absent outside Linux
	return Machine{GOOS: runtime.GOOS, Family: family(runtime.GOOS, string(release)), Root: isRoot(), env: os.Getenv}
}

// Apt reports whether packages come with apt-get.
func (m Machine) Apt() bool { return m.Family == Debian || m.Family == ubuntu }

// family reads the distribution from the text of /etc/os-release (freedesktop.org,
// os-release: ID is the system, ID_LIKE lists what it derives from, closest first).
func family(goos, release string) string {
	switch goos {
	case "darwin":
		return macos
	case "windows":
		return windows
	}
	var id, like string
	for scanner := bufio.NewScanner(strings.NewReader(release)); scanner.Scan(); {
		key, value, _ := strings.Cut(strings.TrimSpace(scanner.Text()), "=")
		switch value = strings.Trim(value, `"'`); key {
		case "ID":
			id = value
		case "ID_LIKE":
			like = value
		}
	}
	for _, name := range strings.Fields(id + " " + like) {
		switch name {
		case "ubuntu":
			return ubuntu
		case "debian":
			return Debian
		case "fedora", "rhel", "centos":
			return fedora
		case "arch":
			return Arch
		}
	}
	return unknown
}
