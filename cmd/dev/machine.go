package main

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// Families of systems that are distinguished because their packages have other names.
const (
	debian  = "Debian"
	ubuntu  = "Ubuntu"
	fedora  = "Fedora"
	arch    = "Arch"
	macos   = "macOS"
	windows = "Windows"
	unknown = "this system"
)

// machine is the system that dev runs on.
type machine struct {
	goos   string // as in GOOS
	family string // one of the constants above
	root   bool   // may install packages without sudo
	env    func(string) string
}

func thisMachine() machine {
	release, _ := os.ReadFile("/etc/os-release") // absent outside Linux
	return machine{goos: runtime.GOOS, family: family(runtime.GOOS, string(release)), root: isRoot(), env: os.Getenv}
}

// apt reports whether packages come with apt-get.
func (m machine) apt() bool { return m.family == debian || m.family == ubuntu }

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
			return debian
		case "fedora", "rhel", "centos":
			return fedora
		case "arch":
			return arch
		}
	}
	return unknown
}
