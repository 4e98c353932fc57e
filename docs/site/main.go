// Command site makes the documentation as a folder of static pages, from what is in the repository: the README is its
// first page, docs/README.md names the others in their order, and docs/reference is made of the code: the grammar of
// the formats and the layout of a session folder from package comments, the steps from their declared parameters, the
// schemas from the Go types.
//
//	go run ./docs/site -o out/docs        write the pages and check all links
//	go run ./docs/site -generate          rewrite docs/reference and docs/schemas
//
// Start with build, which reads the pages that links lead to, beginning at the README, and fails where one leads
// nowhere.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("o", filepath.Join("out", "docs"), "the folder to write to")
	root := flag.String("root", ".", "the repository")
	only := flag.Bool("generate", false, "rewrite docs/reference and docs/schemas and end")
	flag.Parse()
	if err := run(*root, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(root, out string, only bool) error {
	if only {
		files, err := written(root)
		if err != nil {
			return err
		}
		return write(root, files)
	}
	s, err := build(root)
	if err != nil {
		return err
	}
	if err := write(out, s.files); err != nil {
		return err
	}
	links, err := s.check()
	fmt.Printf("%d pages, %d other files, %d links: %s\n", s.pages, len(s.files)-s.pages, links,
		filepath.Join(out, "index.html"))
	return err
}

// write writes files below a folder.
func write(dir string, files map[string][]byte) error {
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, body, 0o644)); err != nil {
			return err
		}
	}
	return nil
}
