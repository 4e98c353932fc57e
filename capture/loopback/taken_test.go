package loopback

import (
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A port that another program has is told from one that cannot be listened on, by the numbers of each system.
func TestTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, err = net.Listen("tcp", l.Addr().String())
	require.True(t, Taken(err), err)
	_, err = net.Listen("tcp", "192.0.2.1:0") // an address that no machine has
	require.Error(t, err)
	require.False(t, Taken(err), err)
	for number, is := range map[syscall.Errno]bool{10048: true, 10013: true, 10049: false, syscall.EADDRINUSE: false} {
		wrapped := fmt.Errorf("listen: %w", os.NewSyscallError("bind", number))
		require.Equal(t, is, taken(wrapped, "windows"), number)
	}
}
