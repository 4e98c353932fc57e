package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFeaturesOfTheCallerAreAddedToOurs(t *testing.T) {
	for name, forget := range map[string]bool{"a profile that is kept": false, "one that is thrown away": true} {
		t.Run(name, func(t *testing.T) {
			flags := startFlags([]string{"lang=de", "--disable-features=One,Two", "disable-features=Three",
				"enable-features=WebMCP"}, forget)
			require.Contains(t, flags, "lang=de")
			require.Contains(t, flags, "disable-features="+unneeded+",One,Two,Three")
			require.Contains(t, flags, "enable-features="+needed+",WebMCP")
			require.NotContains(t, flags, "--disable-features=One,Two", "Chrome heeds only one of them")
			require.NotContains(t, flags, "enable-features=WebMCP")
			if forget {
				require.Subset(t, flags, forgetfulFlags())
			}
		})
	}
}
