package assets_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/assets"
)

func TestIcon(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	require.NoError(t, err)
	require.Equal(t, 512, img.Bounds().Dx())
	require.Equal(t, 512, img.Bounds().Dy())
	_, _, _, corner := img.At(0, 0).RGBA()
	_, _, _, middle := img.At(256, 300).RGBA()
	require.Zero(t, corner, "the corners are transparent")
	require.EqualValues(t, 0xffff, middle)

	drawing, err := os.ReadFile("icon.svg") // the source of the PNG
	require.NoError(t, err)
	decoder := xml.NewDecoder(bytes.NewReader(drawing))
	for {
		if _, err = decoder.Token(); err != nil {
			break
		}
	}
	require.True(t, errors.Is(err, io.EOF), "icon.svg is not well-formed: %v", err)
}

// Every file that a page names must be in the site, and nothing may name another
// host: the first start works without a network.
func TestDemoIsWholeAndOffline(t *testing.T) {
	site := assets.Demo()
	link := regexp.MustCompile(`\s(?:href|src|action)="([^"]*)"`)
	elsewhere := regexp.MustCompile(`(?i)(?:https?:)?//[a-z0-9]|@import|url\(`)
	pages := 0
	err := fs.WalkDir(site, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(body), `xmlns="http://www.w3.org/2000/svg"`, "")
		require.Empty(t, elsewhere.FindString(text), "%s names another host", name)
		if path.Ext(name) != ".html" {
			return nil
		}
		pages++
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.HasPrefix(target, "mailto:") {
				continue
			}
			_, err := fs.Stat(site, path.Join(path.Dir(name), target))
			require.NoError(t, err, "%s links to %q", name, target)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 6, pages, "four pages and two frames")
}

// A page that changes on its own would never settle, and no two captures of it
// would be equal.
func TestDemoIsStill(t *testing.T) {
	site := assets.Demo()
	moving := regexp.MustCompile(`setInterval|requestAnimationFrame|new Date|Date\.now|Math\.random|performance\.now|@keyframes|animation:|transition:`)
	scripts := 0
	for _, glob := range []string{"js/*.js", "css/*.css", "frames/*"} {
		names, err := fs.Glob(site, glob)
		require.NoError(t, err)
		for _, name := range names {
			scripts++
			body, err := fs.ReadFile(site, name)
			require.NoError(t, err)
			require.Empty(t, moving.FindString(string(body)), name)
		}
	}
	require.Greater(t, scripts, 8)
}
