package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// Names of throw-away profiles and of the lock that their owner holds.
const (
	profilePrefix = "refscope-chrome-"
	profileLock   = "refscope.lock"
)

// profileAge is how old a profile without an owner is before it is removed: a new one is
// made first and locked then.
const profileAge = time.Minute

// forgetful turns off what a profile would keep of the pages: Chrome would remember what
// captures redact, such as a typed card number.
const forgetful = `{
	"autofill": {"profile_enabled": false, "credit_card_enabled": false},
	"credentials_enable_service": false, "credentials_enable_autosignin": false,
	"profile": {"password_manager_enabled": false, "password_manager_leak_detection": false},
	"payments": {"can_make_payment_enabled": false},
	"search": {"suggest_enabled": false},
	"session": {"restore_on_startup": 5}
}`

// forgetfulFlags do the same for what no preference turns off: nothing of the pages is
// cached on the disk, and a crash leaves no picture of the memory.
func forgetfulFlags() []string {
	return []string{"disk-cache-size=1", "media-cache-size=1", "disable-breakpad", "no-pings"}
}

// forget turns the features off in a profile that Chrome has not used yet.
func forget(profile string) error {
	dir := filepath.Join(profile, "Default")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the browser's profile: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Preferences"), []byte(forgetful), 0o600); err != nil {
		return fmt.Errorf("making the browser's profile: %w", err)
	}
	return nil
}

// longestSocket is how long the path of a socket may be: 104 bytes on macOS, 108 on Linux, with
// the zero at its end. Chrome appends to its temporary folder about 45 of them.
const longestSocket = 104

const (
	socketOf     = "/.org.chromium.Chromium.123456/SingletonSocket"
	socketInside = "/tmp" + socketOf // from the profile
)

// temporary is the environment that keeps what Chrome puts into the folder for temporary files
// within its profile, where it goes with the profile: a browser that is killed, as most are,
// leaves its socket behind. nil where the path would be too long for a socket.
func temporary(profile string) []string {
	dir, err := filepath.Abs(filepath.Join(profile, "tmp"))
	if err != nil || len(dir)+len(socketOf) >= longestSocket ||
		os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	return []string{"TMPDIR=" + dir}
}

// profileParent is the folder for profiles that are thrown away: that for temporary files, or /tmp where a socket of
// Chrome in it would have a path that is too long, with which Chrome ends at once and says nothing.
func profileParent(temp string) string {
	const short = "/tmp"
	if len(temp)+len("/"+profilePrefix+"1234567890"+socketInside) < longestSocket || runtime.GOOS == "windows" {
		return temp
	}
	if info, err := os.Stat(short); err != nil || !info.IsDir() {
		return temp
	}
	return short
}

// throwAway makes a profile that lasts as long as this program keeps it, and removes
// those whose program is gone. remove ends it.
func throwAway(ctx context.Context) (dir string, remove func(), err error) {
	parent := profileParent(os.TempDir())
	sweepProfiles(ctx, parent)
	if dir, err = os.MkdirTemp(parent, profilePrefix+"*"); err != nil { // mode 0700
		return "", nil, fmt.Errorf("making the browser's profile: %w", err)
	}
	lock := flock.New(filepath.Join(dir, profileLock))
	remove = func() {
		_ = lock.Close() // it goes with the folder
		RemoveProfile(context.WithoutCancel(ctx), dir)
	}
	if _, err = lock.TryLock(); err == nil {
		err = forget(dir)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}

// sweepProfiles removes the throw-away profiles in a folder whose program was killed.
func sweepProfiles(ctx context.Context, parent string) {
	list, _ := filepath.Glob(filepath.Join(parent, profilePrefix+"*")) // the pattern is right
	for _, dir := range list {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < profileAge {
			continue
		}
		lock := flock.New(filepath.Join(dir, profileLock))
		if mine, err := lock.TryLock(); err != nil || !mine {
			continue // it is in use, or another user's
		}
		_ = lock.Close()
		RemoveProfile(ctx, dir)
	}
}

// RemoveProfile removes a profile folder. Helpers of a browser that has just ended may
// still write there, so it is tried for a while; what stays then is swept later.
func RemoveProfile(ctx context.Context, dir string) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if err := os.RemoveAll(dir); err == nil || errors.Is(err, fs.ErrPermission) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
