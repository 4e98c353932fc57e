package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"golang.org/x/term"
	"mvdan.cc/sh/v3/shell"

	"github.com/refscope/refscope/snapshot/text"
)

// What a terminal shows otherwise than a file: bold and colours, and a long text page by page.

// The codes of a terminal.
const (
	boldOn  = "\x1b[1m"
	redOn   = "\x1b[31m"
	greenOn = "\x1b[32m"
	amberOn = "\x1b[33m"
	allOff  = "\x1b[0m"
)

// coloured reports whether what is written to w may have colours: it is a terminal, and the variables that people set
// for all programs do not say otherwise (no-color.org, bixense.com/clicolors).
func coloured(w io.Writer) bool {
	force := os.Getenv("CLICOLOR_FORCE")
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case os.Getenv("CLICOLOR") == "0", os.Getenv("TERM") == "dumb":
		return false
	default:
		return Terminal(w)
	}
}

// The lines that have a colour or are bold: titles of help, severities of findings, sides of a difference.
var (
	titleLine = regexp.MustCompile(`(?m)^([A-Z][A-Za-z ]{2,40}:)( .*)?$`)
	severity  = regexp.MustCompile(`(?m)^(ERROR|WARNING)\b`)
	side      = regexp.MustCompile(`(?m)^[+-](?:[^+-].*)?$`)
)

// PaintHelp makes the titles of a help bold.
func PaintHelp(s string) string { return titleLine.ReplaceAllString(s, boldOn+"$1"+allOff+"$2") }

// PaintText colours the severities of findings.
func PaintText(s string) string {
	return severity.ReplaceAllStringFunc(s, func(word string) string {
		if word == "ERROR" {
			return boldOn + redOn + word + allOff
		}
		return boldOn + amberOn + word + allOff
	})
}

// PaintSides colours what came and what went in a difference.
func PaintSides(s string) string {
	return side.ReplaceAllStringFunc(s, func(line string) string {
		if line[0] == '+' {
			return greenOn + line + allOff
		}
		return redOn + line + allOff
	})
}

// Unpainted is the paint of a text that has no colours.
func Unpainted(s string) string { return s }

// Show prints a text for people: painted on a terminal, and page by page where it is longer than that. Page text in it
// cannot write to a terminal.
func (a *App) Show(ctx context.Context, s string, paint func(string) string) error {
	s = text.EscapeOnce(s)
	lines := strings.Count(s, "\n")
	if coloured(a.Stdout) {
		s = paint(s)
	}
	if f, ok := a.Stdout.(*os.File); ok && Terminal(f) {
		if _, height, err := term.GetSize(int(f.Fd())); err == nil && lines >= height {
			if done, err := byPage(ctx, f, s); done {
				return err
			}
		}
	}
	_, err := io.WriteString(a.Stdout, s)
	return err
}

// pager is the program that shows a long text, as its words: REFSCOPE_PAGER, PAGER, or less. None where a variable is
// empty or says cat.
func pager() []string {
	line := "less"
	for _, name := range []string{"PAGER", "REFSCOPE_PAGER"} {
		if value, set := os.LookupEnv(name); set {
			line = value
		}
	}
	words, err := shell.Fields(line, nil)
	if err != nil || len(words) == 0 || words[0] == "cat" {
		return nil
	}
	return words
}

// byPage shows a text in the pager, and reports whether there is one. A person who leaves it early ends nothing but it.
func byPage(ctx context.Context, to *os.File, s string) (bool, error) {
	if ctx == nil { // a tree of commands that was not run, such as that of man
		return false, nil
	}
	words := pager()
	if words == nil {
		return false, nil
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return false, nil
	}
	c := exec.CommandContext(ctx, program, words[1:]...)
	c.Stdin, c.Stdout, c.Stderr, c.Env = strings.NewReader(s), to, os.Stderr, os.Environ()
	if os.Getenv("LESS") == "" {
		c.Env = append(c.Env, "LESS=FRX") // ends by itself where all fits, shows colours, leaves the text on the screen
	}
	var left *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &left) {
		return false, nil // it could not begin: the text is printed
	}
	return true, nil
}
