//go:build cgo

package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.design/x/clipboard"
)

// imageClipboard puts pictures on the desktop's clipboard, which Fyne's own holds text
// only. The desktop is asked for it when it is first needed.
type imageClipboard struct {
	once sync.Once
	err  error
}

// write puts a PNG on the clipboard. It stays there while the program runs, or until
// something else is copied.
func (c *imageClipboard) write(png []byte) error {
	c.once.Do(func() {
		if err := clipboard.Init(); err != nil {
			line, _, _ := strings.Cut(err.Error(), "\n") // advice for developers follows
			c.err = fmt.Errorf("the desktop's clipboard cannot be used: %w", errors.New(line))
		}
	})
	if c.err == nil {
		clipboard.Write(clipboard.FmtImage, png)
	}
	return c.err
}
