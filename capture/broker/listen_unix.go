//go:build !windows

package broker

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// maxSocket is the longest path of a socket, in bytes: 104 with its end on macOS, 108
// on Linux.
const maxSocket = 103

// socket is where the broker of a home folder listens.
func socket(home string) (string, error) {
	path := filepath.Join(home, "broker.sock")
	if len(path) <= maxSocket {
		return path, nil
	}
	dir, err := temp()
	if err != nil {
		return "", err
	}
	key, err := homeKey(home)
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "broker-"+key+".sock"), nil
}

// temp is this user's own folder among the temporary ones, mode 0700. It is made where
// it is missing; one that another user has made, or may write to, is refused.
func temp() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("refscope-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	if !st.IsDir() || !ok || int(sys.Uid) != os.Getuid() || st.Mode().Perm()&0o022 != 0 {
		return "", fmt.Errorf("%s is not a folder of yours alone: remove it, or set $TMPDIR to one that is", dir)
	}
	return dir, nil
}

// listen makes the socket. The lock is held: an existing one is stale.
func listen(home string) (l net.Listener, token string, remove func(), err error) {
	path, err := socket(home)
	if err != nil {
		return nil, "", nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, "", nil, err
	}
	u, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, "", nil, err
	}
	// The folder is the user's own, so nobody was let in between.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = u.Close()
		return nil, "", nil, err
	}
	u.SetUnlinkOnClose(false) // remove has done it, and the next one's must stay
	return u, "", func() { _ = os.Remove(path) }, nil
}

// dial connects to the broker of a home folder.
func dial(ctx context.Context, home string) (c net.Conn, token string, err error) {
	path, err := socket(home)
	if err != nil {
		return nil, "", err
	}
	var d net.Dialer
	c, err = d.DialContext(ctx, "unix", path)
	return c, "", err
}
