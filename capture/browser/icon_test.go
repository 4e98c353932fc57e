package browser

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The browser asks each site once for an icon that no page names: no page is charged with it.
func TestTheBrowsersOwnIconIsNoRequestOfThePage(t *testing.T) {
	ev := func(url, kind, by string) *requestStart {
		e := &requestStart{RequestID: "1", Type: kind}
		e.Request.URL, e.Initiator.Type = url, by
		return e
	}
	require.True(t, ownIcon(ev("http://127.0.0.1/favicon.ico", "Other", "other")))
	for _, e := range []*requestStart{ev("http://127.0.0.1/favicon.ico", "Image", "parser"), ev("http://127.0.0.1/a/favicon.ico", "Other", "other"),
		ev("http://127.0.0.1/favicon.ico?v=2", "Other", "other"), ev("http://127.0.0.1/x#/favicon.ico", "Other", "other")} {
		require.False(t, ownIcon(e), e.Request.URL)
	}
}

// A page is as quiet while its tab's icon is fetched as it is without: it was waited for as for its own requests.
func TestATabsIconIsNotWaitedFor(t *testing.T) {
	for _, c := range []struct {
		kind, by, fragment string
		flying             int
	}{{"Other", "other", "", 0}, {"Other", "other", "#blur", 1}, {"Other", "parser", "", 1}, {"Image", "other", "", 1}} {
		e := &requestStart{RequestID: "1", Type: c.kind}
		e.Request.URL, e.Request.Fragment, e.Initiator.Type = "http://127.0.0.1/img/mark.svg", c.fragment, c.by
		n := newTraffic()
		n.begin(e)
		flying, _, _ := n.state()
		require.Equal(t, c.flying, flying, "%+v", c)
	}
}
