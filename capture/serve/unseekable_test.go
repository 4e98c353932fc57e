package serve_test

import "io/fs"

// unseekable hides that the files of a file system can seek, as in an archive.
type unseekable struct{ fs.FS }

func (u unseekable) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return struct{ fs.File }{file}, nil
}
