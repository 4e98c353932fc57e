package launch

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/refscope/refscope/capture/export"
)

// nodeJS is what programs of Node.js load before their own code.
//
//go:embed node.cjs
var nodeJS []byte

const nodeOptions = "NODE_OPTIONS"

// NodeEnv is NODE_OPTIONS as NAME=VALUE, what it holds already and one word more, by which a program of Node.js gives a
// Chrome that it drives through a pipe a debugging port as well, so that [Browsers] finds it. (Playwright for Python,
// Java and .NET drives Chrome by such a program too.) The file that is loaded stays in the home folder: the command may
// leave programs behind that start others.
func NodeEnv(home string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(home, runningDir))
	if err != nil {
		return "", fmt.Errorf("the home folder: %w", err)
	}
	name := filepath.Join(dir, fmt.Sprintf("node-%.8x.cjs", sha256.Sum256(nodeJS)))
	if there, err := os.ReadFile(name); err != nil || !bytes.Equal(there, nodeJS) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("making the folder of taps: %w", err)
		}
		if err := export.WritePrivate(name, nodeJS); err != nil {
			return "", err
		}
	}
	// Quotes and backslashes as Node.js reads them; a path of Windows may have slashes as well.
	word := `--require "` + strings.ReplaceAll(filepath.ToSlash(name), `"`, `\"`) + `"`
	if own := os.Getenv(nodeOptions); own != "" {
		word = own + " " + word
	}
	return nodeOptions + "=" + word, nil
}
