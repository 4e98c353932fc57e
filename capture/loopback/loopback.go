// Package loopback reaches this computer by the names that mean it, localhost and all that end in .localhost, without a
// resolver: a machine need not have an /etc/hosts, and no such name is ever asked of the network (RFC 6761, section
// 6.3). Chrome does the same, so an address that a tab shows is one that Refscope reaches too.
//
// [Transport] is for a client of HTTP, [Dial] for any other connection, [Serve] for a server of HTTP. All other names
// and addresses are the system's, as ever.
package loopback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"syscall"

	"github.com/refscope/refscope/snapshot/address"
)

// Addresses are those that a HOST:PORT with a name of this computer means, the one that most servers have first;
// nil where the host is no such name.
func Addresses(hostPort string) []string {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil || !address.IsLoopback(host) {
		return nil
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // an address already
	}
	return []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}
}

// Dial connects to HOST:PORT. Where nothing answers under either address of a name the error is that of the first.
func Dial(ctx context.Context, network, hostPort string) (net.Conn, error) {
	var d net.Dialer
	var first error
	for _, a := range Addresses(hostPort) {
		c, err := d.DialContext(ctx, network, a)
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return nil, first
	}
	return d.DialContext(ctx, network, hostPort)
}

// Transport is a new one, as http.DefaultTransport is, that dials with [Dial].
func Transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = Dial
	return t
}

// Taken reports whether the error of a server that wanted to listen is that another program has its port. Windows has
// numbers of its own for it, WSAEADDRINUSE and, where the other program wants the port for itself, WSAEACCES.
func Taken(err error) bool { return taken(err, runtime.GOOS) }

func taken(err error, system string) bool {
	var number syscall.Errno
	if system == "windows" && errors.As(err, &number) {
		return number == 10048 || number == 10013
	}
	return errors.Is(err, syscall.EADDRINUSE)
}

// listen listens for TCP at HOST:PORT, under the first of the addresses that a name means.
func listen(ctx context.Context, hostPort string) (net.Listener, error) {
	if a := Addresses(hostPort); a != nil {
		hostPort = a[0]
	}
	return (&net.ListenConfig{}).Listen(ctx, "tcp", hostPort)
}
