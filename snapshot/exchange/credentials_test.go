package exchange

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A word that stands for no key is no secret: it would be found in every text that has it.
func TestCredentials(t *testing.T) {
	for key, secret := range map[string]bool{"none": false, "dummy": false, "ollama": false, "EMPTY": false,
		"sk-abc": true, "letmein9": true, "sk-proj-1234567890": true, "abcdefgh": true} {
		got := Credentials(map[string][]string{"Authorization": {"Bearer " + key}}, nil)
		require.Len(t, got, map[bool]int{true: 1}[secret], key)
	}
}
