package turn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/refscope/refscope/snapshot/text"
)

// ErrNotTurn: the text does not have the form of a turn's address.
var ErrNotTurn = errors.New("not the address of a turn: write SESSION#N or the path of a turn folder")

// Address is one turn of one session.
type Address struct {
	Dir string // the session folder, or the session file
	N   int
}

// String is the address in the form DIR#N, which ParseTarget reads.
func (a Address) String() string {
	dir := a.Dir
	if !strings.ContainsAny(dir, separators) {
		dir = "./" + dir // else it would be the name of a session
	}
	return fmt.Sprintf("%s#%d", dir, a.N)
}

// separators are the characters that make a text a path.
const separators = "/" + string(filepath.Separator)

// ParseTarget reads the address of a turn: SESSION#N, for a session in home;
// DIR#N, where DIR is the path of a session folder and holds a separator; FILE#N,
// where FILE is the path of a session file and ends in [Extension]; or the path of
// a turn folder, DIR/turns/NNNN. It does not look at the disk, so it
// cannot distinguish "shop.example#3" the session from the URL without a scheme: a
// caller that takes both sees whether the session exists.
//
// It fails with [ErrNotTurn] where the text has none of these forms.
func ParseTarget(home, s string) (Address, error) {
	if strings.Contains(s, "://") || strings.ContainsRune(s, 0) {
		return Address{}, fmt.Errorf("%.80q is %w", s, ErrNotTurn)
	}
	// A '#' without a number behind it is a character of a path.
	if at := strings.LastIndexByte(s, '#'); at > 0 {
		if n, ok := parseNumber(s[at+1:]); ok {
			return namedTurn(home, s[:at], n)
		}
	}
	path := filepath.Clean(s)
	n, ok := parseTurnDir(filepath.Base(path))
	up := filepath.Dir(path)
	if !ok || filepath.Base(up) != turnsDir {
		return Address{}, fmt.Errorf("%.80q is %w", s, ErrNotTurn)
	}
	return Address{filepath.Dir(up), n}, nil
}

func namedTurn(home, name string, n int) (Address, error) {
	if strings.ContainsAny(name, separators) || IsFileName(name) {
		return Address{filepath.Clean(name), n}, nil
	}
	if err := CheckName(name); err != nil {
		return Address{}, fmt.Errorf("%w (%w)", err, ErrNotTurn)
	}
	return Address{SessionDir(home, name), n}, nil
}

// IsFileName reports whether a name ends as session files do, in upper or lower
// case.
func IsFileName(name string) bool {
	return len(name) > len(Extension) && strings.EqualFold(name[len(name)-len(Extension):], Extension)
}

func parseNumber(s string) (int, bool) {
	if s == "" || len(s) > 9 || s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// SessionDir is the folder of the session with that name, which must have passed
// [CheckName].
func SessionDir(home, name string) string { return filepath.Join(home, "sessions", name) }

// SessionNames are the sessions of a home folder, by name.
func SessionNames(home string) ([]string, error) {
	entries, err := os.ReadDir(SessionDir(home, ""))
	var names []string
	for _, e := range entries {
		if CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// CheckName reports whether a session may have that name: 1 to 64 letters and
// digits of ASCII, '-', '_' and '.', with a letter or digit first and neither '.'
// nor [Extension] last, and none of the names that Windows keeps for devices. Names come from
// people and programs, never from pages.
func CheckName(name string) error {
	bad := func(why string) error {
		return fmt.Errorf("session name %.80q: %s; use letters, digits, '-', '_' and '.', such as shop-1", name, why)
	}
	if name == "" {
		return bad("it is empty")
	}
	if len(name) > 64 {
		return bad("it is longer than 64 characters")
	}
	for i := range len(name) {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '-' && c != '_' && c != '.') {
			return bad(fmt.Sprintf("it must not have %q at position %d", rune(c), i+1))
		}
	}
	if IsFileName(name) {
		return bad("it ends like the name of a session file")
	}
	if strings.HasSuffix(name, ".") {
		return bad("it must not end with a dot")
	}
	if text.IsDevice(name) {
		return bad("Windows keeps it for a device")
	}
	return nil
}
