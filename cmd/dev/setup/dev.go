// Package setup is what every task of cmd/dev stands on: the terminal, the machine with what it has and lacks, and
// programs that are started and ended with all their children. A task gets a [Dev], a stage of the test a [Test]; what
// a task needs of the machine is a list of [Need], each with a probe that tries the real thing, which [Dev.SetUp]
// installs on Debian and Ubuntu, after asking, and describes elsewhere.
//
// Start with [Dev.SetUp], [Dev.Output] and [Command].
package setup

import (
	"fmt"

	"github.com/refscope/refscope/snapshot/testneed/guard"
)

// Tags are the build tags of everything that contains the window. migrated_fynedo declares
// to Fyne that the program keeps to its threading rule; without it every refresh parses
// a stack trace to find out.
const Tags = "migrated_fynedo"

// Dev is the environment of a task.
type Dev struct {
	*Console
	Root    string // the repository
	Machine Machine
	Guard   *guard.Guard // ends what was started where this program is killed
	beside  bool         // the status line is another's, see Beside
}

// Beside is the environment of work that goes on beside a stage: it leaves the status line to that.
func (d *Dev) Beside() *Dev {
	beside := *d
	beside.beside = true
	return &beside
}

// Status shows how far long work is.
func (d *Dev) Status(format string, args ...any) {
	if !d.beside {
		d.Console.Status(format, args...)
	}
}

// UsageError is a wrong call: exit 2.
type UsageError struct{ error }

// Usagef is a [UsageError] with this text.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }
