// Package apikey finds the keys of the vendors' APIs: in the environment, as the vendors' own
// tools do, or in the keyring of the operating system (Secret Service, Keychain, Windows
// Credential Manager). Refscope keeps a key nowhere else. Begin with [Of] and [Vendor.Find];
// [Vendor.Store], [Vendor.Delete] and [Stored] manage the keyring.
package apikey

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/refscope/refscope/snapshot/text"
	"github.com/refscope/refscope/snapshot/wire"
	"github.com/zalando/go-keyring"
)

// service names this program in the keyring.
const service = "refscope"

// maxKey is the most bytes of a key: what the Windows Credential Manager takes.
const maxKey = 2560

// ErrNone: neither the environment nor the keyring has the key.
var ErrNone = errors.New("there is no key")

// Vendor is a vendor of models, and how its API takes a key.
type Vendor struct {
	Name string // on the command line and in the keyring
	wire.Credential
}

// Vendors lists those whose keys can be stored.
func Vendors() []Vendor {
	return []Vendor{
		{"openai", wire.CredentialOf(wire.OpenAIChat)},
		{"anthropic", wire.CredentialOf(wire.Anthropic)},
		{"gemini", wire.CredentialOf(wire.Gemini)},
	}
}

// Of is the vendor of a dialect of package wire; compatible endpoints speak that of OpenAI.
func Of(dialect string) Vendor {
	all := Vendors()
	switch dialect {
	case wire.Anthropic:
		return all[1]
	case wire.Gemini:
		return all[2]
	}
	return all[0]
}

// Named is the vendor of that name; false where there is none.
func Named(name string) (Vendor, bool) {
	for _, v := range Vendors() {
		if v.Name == name {
			return v, true
		}
	}
	return Vendor{}, false
}

// Find is the key: that of the environment, else that of the keyring. It returns ErrNone where
// neither has one, and what is wrong with the keyring where it cannot be read.
func (v Vendor) Find(ctx context.Context) (string, error) {
	if key := os.Getenv(v.Variable); key != "" {
		return key, nil
	}
	return v.Keyring(ctx)
}

// FromEnvironment reports whether the environment has the key, which comes before that of the keyring.
func (v Vendor) FromEnvironment() bool { return os.Getenv(v.Variable) != "" }

// Keyring is the key that the keyring has, ErrNone where it has none.
func (v Vendor) Keyring(ctx context.Context) (string, error) {
	var key string
	err := call(ctx, func() (err error) {
		key, err = keyring.Get(service, v.Name)
		return err
	})
	return key, err
}

// Store puts a key into the keyring, in the place of the one before.
func (v Vendor) Store(ctx context.Context, key string) error {
	switch {
	case key == "":
		return errors.New("the key is empty")
	case len(key) > maxKey:
		return fmt.Errorf("the key has more than %d bytes", maxKey)
	case text.Line(key) != key:
		return errors.New("the key has a line break or another character that cannot be in a header")
	}
	return call(ctx, func() error { return keyring.Set(service, v.Name, key) })
}

// Delete takes the key out of the keyring, ErrNone where it has none.
func (v Vendor) Delete(ctx context.Context) error {
	return call(ctx, func() error { return keyring.Delete(service, v.Name) })
}

// Stored lists the vendors whose keys are in the keyring.
func Stored(ctx context.Context) ([]Vendor, error) {
	var out []Vendor
	for _, v := range Vendors() {
		switch _, err := v.Keyring(ctx); {
		case err == nil:
			out = append(out, v)
		case !errors.Is(err, ErrNone):
			return nil, err
		}
	}
	return out, nil
}

// call runs one call of the keyring's library, which takes no context and may wait until a
// person unlocks the keyring. A call that ctx ends early ends with the program.
func call(ctx context.Context, do func() error) error {
	if !reachable() {
		return noKeyring("there is no D-Bus session")
	}
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case <-ctx.Done():
		return fmt.Errorf("waiting for the keyring: %w", context.Cause(ctx))
	case err := <-done:
		switch {
		case err == nil:
			return nil
		case errors.Is(err, keyring.ErrNotFound):
			return ErrNone
		}
		return noKeyring(text.Line(err.Error()))
	}
}

func noKeyring(why string) error {
	return fmt.Errorf("the keyring of the operating system cannot be used: %s", why)
}

// reachable reports whether a keyring can be there. On Linux the library would otherwise start
// a message bus, which outlives the program and has no keyring.
func reachable() bool {
	if runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus"))
	return err == nil
}
