// Package apikeytest gives a test a keyring of its own: begin with [Keyring].
package apikeytest

import (
	"testing"

	"github.com/refscope/refscope/capture/agent/apikey"
	"github.com/zalando/go-keyring"
)

// Keyring gives the test an empty keyring in memory, and an environment without keys. The keyring stays in use for the
// rest of the test program.
func Keyring(t *testing.T) {
	t.Helper()
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	for _, v := range apikey.Vendors() {
		t.Setenv(v.Variable, "")
	}
}
