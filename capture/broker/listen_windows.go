package broker

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
)

// where is HOME/broker.json: the port on loopback, and the token that proves that a
// client may read this user's files.
type where struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

const whereName = "broker.json"

// temp is this user's own folder among the temporary ones; on Windows those are the
// user's already.
func temp() (string, error) {
	dir := filepath.Join(os.TempDir(), "refscope")
	return dir, os.MkdirAll(dir, 0o700)
}

func listen(home string) (l net.Listener, token string, remove func(), err error) {
	l, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", nil, err
	}
	w := where{l.Addr().String(), rand.Text()}
	b, err := json.Marshal(w)
	if err != nil {
		_ = l.Close()
		return nil, "", nil, err
	}
	path := filepath.Join(home, whereName)
	tmp := path + ".new"
	if err = os.WriteFile(tmp, b, 0o600); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = l.Close()
		return nil, "", nil, err
	}
	return l, w.Token, func() { _ = os.Remove(path) }, nil
}

func dial(ctx context.Context, home string) (c net.Conn, token string, err error) {
	b, err := os.ReadFile(filepath.Join(home, whereName))
	if err != nil {
		return nil, "", err
	}
	var w where
	if err := json.Unmarshal(b, &w); err != nil {
		return nil, "", err
	}
	var d net.Dialer
	c, err = d.DialContext(ctx, "tcp", w.Address)
	return c, w.Token, err
}
