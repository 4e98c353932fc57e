package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Browser is a browser that was started here and outlives the command. Each has a file of
// its own, chrome/PORT.json, which is written before the browser starts: one that runs is
// known, even if the list of tabs is lost.
type Browser struct {
	PID int `json:"pid"` // 0 before it is started
	// Endpoint is the WebSocket address of its DevTools, which no other start has.
	Endpoint string `json:"endpoint,omitempty"`
	Profile  string `json:"profile"` // folder
	// Kept: the profile stays when the browser ends.
	Kept     bool      `json:"kept,omitempty"`
	Headless bool      `json:"headless"`
	Started  time.Time `json:"started"`
	// Default: it is the browser of commands that name none.
	Default bool `json:"default,omitempty"`
}

func (r *Registry) chrome(names ...string) string {
	return filepath.Join(append([]string{r.home, "chrome"}, names...)...)
}

// Profile is where the throw-away profile of the browser at an address of this machine is.
func (r *Registry) Profile(address string) string { return r.chrome("profile-" + portOf(address)) }

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address) // addresses of browsers have one
	return port
}

// Browsers are the browsers that were started from this home, by HOST:PORT. Files that
// are no record are passed over: they start no browser and end none.
func (r *Registry) Browsers() map[string]Browser {
	out := map[string]Browser{}
	files, _ := filepath.Glob(r.chrome("*.json")) // the pattern is right
	for _, name := range files {
		port, err := strconv.ParseUint(filepath.Base(name[:len(name)-len(".json")]), 10, 16)
		if err != nil {
			continue
		}
		var b Browser
		if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &b) == nil {
			out[net.JoinHostPort("127.0.0.1", strconv.FormatUint(port, 10))] = b
		}
	}
	return out
}

// Record notes a browser at an address of this machine.
func (r *Registry) Record(address string, b Browser) error {
	text, err := json.MarshalIndent(b, "", " ")
	if err == nil {
		err = os.MkdirAll(r.chrome(), 0o700)
	}
	if err == nil {
		err = r.write(r.chrome(portOf(address)+".json"), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("recording the browser at %s: %w", address, err)
	}
	return nil
}

// Forget removes the record of a browser that has ended.
func (r *Registry) Forget(address string) error {
	err := os.Remove(r.chrome(portOf(address) + ".json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forgetting the browser at %s: %w", address, err)
	}
	return nil
}

// Default is the address of the browser of commands that name none: that of the one which
// was started for them, else a free one, which the next command finds too. taken reports
// whether another browser than the recorded one answers at an address.
func (r *Registry) Default(ctx context.Context, taken func(string, Browser) bool) (string, error) {
	unlock, err := r.lock(ctx, lockName)
	if err != nil {
		return "", fmt.Errorf("locking the list of browsers: %w", err)
	}
	defer unlock()
	for address, b := range r.Browsers() {
		if !b.Default {
			continue
		}
		if !taken(address, b) {
			return address, nil
		}
		if err := r.Forget(address); err != nil {
			return "", err
		}
	}
	address, err := FreeAddress(ctx)
	if err != nil {
		return "", err
	}
	return address, r.Record(address, Browser{Default: true, Profile: r.Profile(address)})
}

// FreeAddress is a HOST:PORT of this computer where nobody listens, for a browser that is started next. The port is
// below those that systems give to connections and servers by themselves (RFC 6335 and Linux's ip_local_port_range),
// so that none of these has it before the browser does.
func FreeAddress(ctx context.Context) (string, error) {
	var err error
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(20_000+rand.IntN(12_000)))
		var l net.Listener
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address); err != nil {
			continue
		}
		if err = l.Close(); err == nil {
			return address, nil
		}
	}
	return "", fmt.Errorf("looking for a free port for the browser: %w", err)
}
