package turn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// errSeal: the bytes are not those that were written.
var errSeal = errors.New("its checksum does not match: it was cut off or changed")

func crc(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// sealLine is v as one line of JSON, closed by a checksum and a line break. v
// must encode to an object with at least one member.
func sealLine(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	b = b[:len(b)-1]
	return fmt.Appendf(b, ",\"crc\":\"%08x\"}\n", crc(b)), nil
}

// sealFile is v as indented JSON for people, closed by a checksum.
func sealFile(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(b, []byte("\n}"))
	return fmt.Appendf(b, ",\n  \"crc\": \"%08x\"\n}\n", crc(b)), nil
}

// unseal checks the checksum of what sealLine or sealFile made and decodes it.
// The checksum holds no comma, so the last comma is the one in front of it.
func unseal(b []byte, v any) error {
	i := bytes.LastIndexByte(b, ',')
	if i < 0 {
		return errSeal
	}
	var tail struct {
		CRC string `json:"crc"`
	}
	if json.Unmarshal(append([]byte{'{'}, b[i+1:]...), &tail) != nil || tail.CRC != fmt.Sprintf("%08x", crc(b[:i])) {
		return errSeal
	}
	return json.Unmarshal(b, v)
}
