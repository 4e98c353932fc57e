package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAdviceFor(t *testing.T) {
	tests := []struct{ name, system, release, want string }{
		{"Debian", "linux", "PRETTY_NAME=\"Debian\"\nID=debian\n", "sudo apt-get install chromium"},
		{"Ubuntu", "linux", "ID=ubuntu\nID_LIKE=debian\n", "sudo snap install chromium"},
		{"Mint is an Ubuntu", "linux", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "sudo snap install chromium"},
		{"Fedora", "linux", "ID=fedora\n", "sudo dnf install chromium"},
		{"Rocky is a RHEL", "linux", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "sudo dnf install chromium"},
		{"openSUSE", "linux", "ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n", "sudo zypper install chromium"},
		{"Manjaro is an Arch", "linux", "ID=manjaro\nID_LIKE=arch\n", "sudo pacman -S chromium"},
		{"an unknown Linux", "linux", "ID=homemade\n", ""},
		{"no os-release", "linux", "", ""},
		{"macOS", "darwin", "", "brew install --cask google-chrome"},
		{"Windows", "windows", "", "winget install Google.Chrome"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := adviceFor(tt.system, tt.release)
			require.Equal(t, tt.want, got.Command)
			require.Contains(t, got.Text, tt.want)
			if tt.system != "linux" {
				require.NotContains(t, got.Text, "apt-get")
			}
		})
	}
}
