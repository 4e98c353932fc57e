package loopback_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/refscope/refscope/capture/loopback"
	"github.com/stretchr/testify/require"
)

func TestAddresses(t *testing.T) {
	for hostPort, want := range map[string][]string{
		"localhost:80":          {"127.0.0.1:80", "[::1]:80"},
		"LOCALHOST.:http":       {"127.0.0.1:http", "[::1]:http"},
		"nobody.localhost:9222": {"127.0.0.1:9222", "[::1]:9222"},
		"127.0.0.1:80":          nil,
		"[::1]:80":              nil,
		"localhost":             nil, // no port
		"localhost.example:80":  nil,
		"notlocalhost:80":       nil,
		"":                      nil,
	} {
		require.Equal(t, want, loopback.Addresses(hostPort), hostPort)
	}
}

// nobody.localhost stands for localhost where no resolver knows it: no hosts file has it.
func TestNamesNeedNoResolver(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("%s: this machine has no such address: %v", address, err)
			continue
		}
		srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) })}}
		srv.Start()
		defer srv.Close()
		_, port, err := net.SplitHostPort(l.Addr().String())
		require.NoError(t, err)
		client := http.Client{Transport: loopback.Transport()}
		for _, host := range []string{"localhost", "nobody.localhost"} {
			res, err := client.Get("http://" + host + ":" + port + "/")
			require.NoError(t, err, address)
			body, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, host+":"+port, string(body), "the server is told the name, not the address")
		}
		client.CloseIdleConnections()
	}
}

func TestServe(t *testing.T) {
	s, err := loopback.Serve(t.Context(), "nobody.localhost:0", &http.Server{}, func(err error) { t.Error(err) })
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(s.Addr)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:"+port, s.Addr)
	c, err := loopback.Dial(t.Context(), "tcp", "localhost:"+port)
	require.NoError(t, err)
	require.NoError(t, c.Close())
	s.Close(t.Context())
	_, err = loopback.Dial(t.Context(), "tcp", "nobody.localhost:"+port)
	require.ErrorContains(t, err, "127.0.0.1:"+port)
}
