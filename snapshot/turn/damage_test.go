package turn

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/refscope/refscope/snapshot"
	"github.com/refscope/refscope/snapshot/testneed"
)

// TestDamage breaks one thing in a session of three turns. What is broken is
// said, and the other turns stay.
func TestDamage(t *testing.T) {
	ctx := context.Background()
	type session struct {
		path string
		docs []*turnDoc // of turns 1 to 3
	}
	part := func(s session, n int, role string) string {
		return filepath.Join(s.path, partsDir, s.docs[n-1].part(role).SHA256)
	}
	turnJSON := func(s session, n int) string { return filepath.Join(s.path, filepath.FromSlash(turnDir(n)), turnFile) }
	edit := func(t *testing.T, path string, f func([]byte) []byte) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, f(b), 0o600))
	}
	flip := func(b []byte) []byte { b[len(b)/2] ^= 4; return b }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	all := []int{1, 2, 3}
	for name, x := range map[string]struct {
		do     func(t *testing.T, s session)
		listed []int  // turns in the list
		loads  []int  // turns that load without error
		list   string // what List says, "" for nothing
		check  string // what Check says
		note   bool   // Check says it as a note
	}{
		"nothing": {func(t *testing.T, s session) {}, all, all, "", "", false},
		"picture missing": {func(t *testing.T, s session) { require.NoError(t, os.Remove(part(s, 2, rolePicture))) }, all,
			[]int{1, 3}, "its picture is missing", "turn 2: parts/", false},
		"capture missing": {func(t *testing.T, s session) { require.NoError(t, os.Remove(part(s, 3, roleCapture))) }, all,
			[]int{1, 2}, "its capture is missing", "its capture: it is missing", false},
		"base missing": {func(t *testing.T, s session) { require.NoError(t, os.Remove(part(s, 1, roleCapture))) }, all,
			[]int{3}, "the base of its capture is missing", "its base parts/", false},
		"picture flipped": {func(t *testing.T, s session) { edit(t, part(s, 2, rolePicture), flip) }, all, []int{1, 3}, "",
			"hash", false},
		"picture cut off": {func(t *testing.T, s session) { edit(t, part(s, 2, rolePicture), half) }, all, []int{1, 3}, "",
			"hash", false},
		"capture flipped": {func(t *testing.T, s session) { edit(t, part(s, 3, roleCapture), flip) }, all, []int{1, 2}, "",
			"its capture:", false},
		"capture cut off": {func(t *testing.T, s session) { edit(t, part(s, 3, roleCapture), half) }, all, []int{1, 2}, "",
			"cannot be unpacked", false},
		"capture empty": {func(t *testing.T, s session) {
			edit(t, part(s, 3, roleCapture),
				func([]byte) []byte { return nil })
		}, all, []int{1, 2}, "", "hash", false},
		"difference flipped": {func(t *testing.T, s session) { edit(t, part(s, 2, roleCapture), flip) }, all, []int{1, 3}, "",
			"turn 2: parts/", false},
		"turn.json missing": {func(t *testing.T, s session) { require.NoError(t, os.Remove(turnJSON(s, 2))) }, []int{1, 3},
			[]int{1, 3}, "turn 2: turns/0002/turn.json: it is missing", "turn 2: turns/0002/turn.json: it is missing", false},
		"turn.json flipped": {func(t *testing.T, s session) { edit(t, turnJSON(s, 2), flip) }, []int{1, 3}, []int{1, 3},
			"checksum", "checksum", false},
		"turn.json cut off": {func(t *testing.T, s session) { edit(t, turnJSON(s, 2), half) }, []int{1, 3}, []int{1, 3},
			"checksum", "checksum", false},
		"turn.json empty": {func(t *testing.T, s session) { edit(t, turnJSON(s, 2), func([]byte) []byte { return nil }) },
			[]int{1, 3}, []int{1, 3}, "checksum", "checksum", false},
		"turn.json of another": {func(t *testing.T, s session) {
			b, _ := os.ReadFile(turnJSON(s, 1))
			edit(t, turnJSON(s, 2), func([]byte) []byte { return b })
		}, []int{1, 3}, []int{1, 3}, "it is that of turn 1", "that of turn 1", false},
		"turn.json is a folder": {func(t *testing.T, s session) {
			require.NoError(t, os.Remove(turnJSON(s, 2)))
			require.NoError(t, os.Mkdir(turnJSON(s, 2), 0o700))
		}, []int{1, 3}, []int{1, 3}, "not a regular file", "not a regular file", false},
		"turn.json edited, resealed": {func(t *testing.T, s session) {
			d := *s.docs[1]
			d.Note = "forged"
			b, err := sealFile(d)
			require.NoError(t, err)
			edit(t, turnJSON(s, 2), func([]byte) []byte { return b })
		}, all, all, "", "not the one that the ledger names", false},
		"turn.json of a later version": {func(t *testing.T, s session) {
			b, err := sealFile(map[string]any{"format": "refscope.turn/2", "n": "two"})
			require.NoError(t, err)
			edit(t, turnJSON(s, 2), func([]byte) []byte { return b })
		}, []int{1, 3}, []int{1, 3}, "newer refscope", "newer refscope", false},
		"wrong size": {func(t *testing.T, s session) {
			d := *s.docs[1]
			d.Parts = append([]partDoc{}, d.Parts...)
			d.Parts[0].Size -= 10
			b, err := sealFile(d)
			require.NoError(t, err)
			edit(t, turnJSON(s, 2), func([]byte) []byte { return b })
		}, all, []int{1, 3}, "", "more than the", false},
		"an impossible size": {func(t *testing.T, s session) {
			d := *s.docs[1]
			d.Parts = append([]partDoc{}, d.Parts...)
			d.Parts[1].Size = maxPicture + 1
			b, err := sealFile(d)
			require.NoError(t, err)
			edit(t, turnJSON(s, 2), func([]byte) []byte { return b })
		}, []int{1, 3}, []int{1, 3}, "more than the", "more than the", false},
		"session.json flipped": {func(t *testing.T, s session) { edit(t, filepath.Join(s.path, sessionFile), half) }, all,
			all, "session.json: unexpected end", "session.json: unexpected end", false},
		"ledger missing": {func(t *testing.T, s session) { require.NoError(t, os.Remove(filepath.Join(s.path, ledgerFile))) },
			all, all, "", "ledger: it is missing", false},
		"ledger flipped": {func(t *testing.T, s session) { edit(t, filepath.Join(s.path, ledgerFile), flip) }, all, all, "",
			"ledger: line ", false},
		"ledger cut off": {func(t *testing.T, s session) {
			edit(t, filepath.Join(s.path, ledgerFile), func(b []byte) []byte { return b[:len(b)-9] })
		}, all, all, "", "turn 3: ledger: it has no line for this turn", false},
		"ledger of another session": {func(t *testing.T, s session) { require.NoError(t, freshLedger(Dir(s.path), "other")) },
			all, all, "", "it belongs to the session", false},
		"an orphan": {func(t *testing.T, s session) {
			edit(t, part(s, 1, rolePicture), func(b []byte) []byte {
				require.NoError(t, os.WriteFile(filepath.Join(s.path, partsDir, strings.Repeat("0", 64)), b, 0o600))
				return b
			})
		}, all, all, "", "no turn names this part", true},
		"a foreign part": {func(t *testing.T, s session) {
			require.NoError(t, os.WriteFile(filepath.Join(s.path, partsDir, ".DS_Store"), nil, 0o600))
		}, all, all, "", "it does not belong here", true},
		"a foreign turn": {func(t *testing.T, s session) {
			require.NoError(t, os.Mkdir(filepath.Join(s.path, turnsDir, "copy of 0001"), 0o700))
		}, all, all, "", "it does not belong here", true},
		"a leftover": {func(t *testing.T, s session) {
			require.NoError(t, os.Mkdir(filepath.Join(s.path, tmpDir, "turn-0004-X"), 0o700))
		}, all, all, "", "left this behind", true},
		"the last turn removed": {func(t *testing.T, s session) {
			require.NoError(t,
				os.RemoveAll(filepath.Dir(turnJSON(s, 3))))
		}, []int{1, 2}, []int{1, 2}, "", "turn 3 is not there", true},
		"a torn end of the ledger": {func(t *testing.T, s session) {
			edit(t, filepath.Join(s.path, ledgerFile), func(b []byte) []byte { return append(b, `{"k":"ref","s":`...) })
		}, all, all, "", "never finished", true},
		"a link out of the session": {func(t *testing.T, s session) {
			p := part(s, 2, rolePicture)
			b, err := os.ReadFile(p)
			require.NoError(t, err)
			out := filepath.Join(t.TempDir(), "out")
			require.NoError(t, os.WriteFile(out, b, 0o600))
			require.NoError(t, os.Remove(p))
			testneed.Symlink(t, out, p)
		}, all, []int{1, 3}, "", "escapes", false},
	} {
		t.Run(name, func(t *testing.T) {
			st, path := newSession(t)
			s := session{path: path}
			for i, p := range []pageSpec{{nodes: 200, seed: 1}, {nodes: 200, seed: 1, change: .02},
				{nodes: 60, seed: 2, loader: "L2"}} {
				_, err := appendPage(t, st, p, pngBytes(strings.Repeat("x", 100)+string(rune('a'+i))))
				require.NoError(t, err)
				d, _, err := st.readTurn(i + 1)
				require.NoError(t, err)
				s.docs = append(s.docs, d)
			}
			require.Equal(t, s.docs[0].part(roleCapture).SHA256, s.docs[1].part(roleCapture).Base,
				"turn 2 is a difference from turn 1")
			high := s.docs[2].Highest
			x.do(t, s)

			st, err := Open(Dir(path))
			require.NoError(t, err)
			list, damage, err := st.List(ctx)
			require.NoError(t, err)
			var ns []int
			for _, sum := range list {
				ns = append(ns, sum.N)
			}
			require.Equal(t, x.listed, ns)
			require.Equal(t, x.list != "", len(damage) > 0, "%v", damage)
			require.Contains(t, (&DamagedError{damage}).Error(), x.list)
			var loads []int
			for _, n := range all {
				rec, err := st.Load(ctx, n)
				if err == nil {
					loads = append(loads, n)
					require.NotEmpty(t, rec.Picture)
					continue
				}
				var d *DamagedError
				require.True(t, errors.As(err, &d) || errors.Is(err, ErrNoTurn), "%v", err)
				if strings.HasPrefix(name, "picture") {
					require.NotNil(t, rec, "the capture is there")
					require.Nil(t, rec.Picture)
				}
			}
			require.Equal(t, x.loads, loads)
			damage, err = st.Check(ctx)
			require.NoError(t, err)
			require.Equal(t, x.check == "" || x.note, Whole(damage), "%v", damage)
			require.Contains(t, (&DamagedError{damage}).Error(), x.check)

			// Whatever is broken, the next turn is whole and takes no number again.
			rec, err := appendPage(t, st, pageSpec{nodes: 80, seed: 3, loader: "L3"}, pngBytes("next"))
			if strings.HasPrefix(name, "session.json") {
				require.ErrorContains(t, err, "reading only")
				return
			}
			require.NoError(t, err)
			require.Equal(t, 4, rec.N)
			for i := range rec.Capture.Nodes {
				if rec.Capture.Nodes[i].Verdict.Kept() {
					require.Greater(t, rec.Capture.Nodes[i].Ref, high)
				}
			}
			_, err = st.Load(ctx, 4)
			require.NoError(t, err)
		})
	}
}

// TestDamageLine: what a session from elsewhere holds cannot reach a terminal.
func TestDamageLine(t *testing.T) {
	for _, d := range []Damage{{Path: "tmp/\x1b[2J"}, {Turn: 1, Why: "its \n\u202Enote"}, {Path: "a\xff"}} {
		for _, r := range d.String() {
			require.True(t, unicode.IsPrint(r), "%q", d.String())
		}
	}
	require.Equal(t, "turn 2: parts/ä: it is missing", Damage{Turn: 2, Path: "parts/ä", Why: "it is missing"}.String())
}

// TestHeal: a part that was damaged is written anew when a turn brings it again.
func TestHeal(t *testing.T) {
	s, path := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, pngBytes("logo"))
	require.NoError(t, err)
	p := filepath.Join(path, partsDir, hashOf(pngBytes("logo")))
	require.NoError(t, os.WriteFile(p, []byte("rust"), 0o600))
	_, err = appendPage(t, s, pageSpec{nodes: 20, seed: 1}, pngBytes("logo"))
	require.NoError(t, err)
	damage, err := s.Check(context.Background())
	require.NoError(t, err)
	require.Empty(t, damage)
}

// TestUnknownRole: a part of a role that this program does not know, as a later
// version will write, is verified and otherwise left alone.
func TestUnknownRole(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	_, err := appendPage(t, s, pageSpec{nodes: 20, seed: 1}, nil)
	require.NoError(t, err)
	payload := []byte(`{"what":"the agent was given"}`)
	file, err := new(compressor).compress(payload)
	require.NoError(t, err)
	name := filepath.Join(path, partsDir, hashOf(payload))
	require.NoError(t, os.WriteFile(name, file, 0o600))
	d, _, err := s.readTurn(1)
	require.NoError(t, err)
	d.Parts = append(d.Parts, partDoc{Role: "future", Type: "application/json", SHA256: hashOf(payload),
		Size: int64(len(payload))})
	b, err := sealFile(d)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(path, "turns", "0001", turnFile), b, 0o600))
	_, err = s.Load(ctx, 1)
	require.NoError(t, err)
	damage, err := s.Check(ctx)
	require.NoError(t, err)
	require.Len(t, damage, 1, "%v", damage) // the sum in the ledger
	require.NoError(t, os.WriteFile(name, file[:5], 0o600))
	damage, err = s.Check(ctx)
	require.NoError(t, err)
	require.Contains(t, (&DamagedError{damage}).Error(), `its "future"`)
}

// TestBombs: files that unpack to far more than they say, or point in circles.
func TestBombs(t *testing.T) {
	ctx := context.Background()
	s, path := newSession(t)
	write := func(name string, b []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(path, partsDir, name), b, 0o600))
	}
	r := &partReader{fs: s.fs}
	big := make([]byte, 64<<20)
	bomb, err := new(compressor).compress(big)
	require.NoError(t, err)
	require.Less(t, len(bomb), 1<<16)
	write(hashOf(big), bomb)
	_, err = r.read(hashOf(big), 1<<20, maxCapture)
	require.ErrorContains(t, err, "unpacks to more than")
	_, err = r.read(hashOf(big), 1<<40, maxCapture)
	require.ErrorContains(t, err, "more than the")

	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	circle := func(base string) []byte {
		d, err := patch([]byte("x"), bytes.Repeat([]byte("y"), 100), base)
		require.NoError(t, err)
		return d
	}
	write(a, circle(b))
	write(b, circle(a))
	_, err = r.read(a, 1, maxCapture)
	require.ErrorContains(t, err, "cannot be a base")

	deep := strings.Repeat(`{"a":`, 20000)
	_, err = decodeCapture([]byte(deep))
	require.Error(t, err)
	_, err = parseTurn([]byte(deep), 1)
	require.Error(t, err)
	_, _, err = s.List(ctx)
	require.NoError(t, err)
}

// TestValidate: captures that a view could stumble over.
func TestValidate(t *testing.T) {
	for name, spoil := range map[string]func(c *snapshot.Capture){
		"schema":           func(c *snapshot.Capture) { c.Schema = "refscope.capture/2" },
		"parent behind":    func(c *snapshot.Capture) { c.Nodes[1].Parent = 2 },
		"parent of itself": func(c *snapshot.Capture) { c.Nodes[1].Parent = 1 },
		"parent below":     func(c *snapshot.Capture) { c.Nodes[1].Parent = -2 },
		"index":            func(c *snapshot.Capture) { c.Nodes[1].I = 7 },
		"frame":            func(c *snapshot.Capture) { c.Nodes[1].Frame = 1 },
		"no frames":        func(c *snapshot.Capture) { c.Frames = nil },
		"frame's owner":    func(c *snapshot.Capture) { c.Frames[0].Owner = 99 },
		"frame's parent":   func(c *snapshot.Capture) { c.Frames[0].Parent = 0 },
		"same ref":         func(c *snapshot.Capture) { c.Nodes[1].Ref, c.Nodes[2].Ref = 3, 3 },
		"negative ref":     func(c *snapshot.Capture) { c.Nodes[1].Ref = -3 },
		"no tag":           func(c *snapshot.Capture) { c.Nodes[1].Tag = "" },
		"coverer":          func(c *snapshot.Capture) { i := 99; c.Nodes[1].Occlusion = &snapshot.Occlusion{Coverer: &i} },
		"point": func(c *snapshot.Capture) {
			c.Nodes[1].Occlusion = &snapshot.Occlusion{Points: [][3]float64{{0, 0, 1e300}}}
		},
		"run":      func(c *snapshot.Capture) { c.Nodes[1].Runs = []snapshot.Run{{Before: -2}} },
		"landmark": func(c *snapshot.Capture) { c.Page.Landmarks = []snapshot.Landmark{{Node: -1}} },
		"overlay":  func(c *snapshot.Capture) { c.Page.Overlays = []snapshot.Overlay{{Node: 99}} },
		"press":    func(c *snapshot.Capture) { i := -1; c.Page.Overlays = []snapshot.Overlay{{Press: &i}} },
	} {
		t.Run(name, func(t *testing.T) {
			c := genCapture(pageSpec{nodes: 10, seed: 1})
			require.NoError(t, validate(c))
			spoil(c)
			require.Error(t, validate(c))
		})
	}
}

// TestSessionFileFlips: each change of one bit of session.json is noticed, and a session of the first versions, whose
// file has no checksum, opens.
func TestSessionFileFlips(t *testing.T) {
	_, path := newSession(t)
	file := filepath.Join(path, sessionFile)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	damaged := func(b []byte) bool {
		require.NoError(t, os.WriteFile(file, b, 0o600))
		s, err := Open(Dir(path))
		if err != nil {
			return true
		}
		list, err := s.Check(t.Context())
		require.NoError(t, err)
		return len(list) > 0
	}
	require.False(t, damaged(whole))
	for i := range whole {
		for bit := range 8 {
			b := bytes.Clone(whole)
			b[i] ^= 1 << bit
			require.True(t, damaged(b), "bit %d of byte %d: %s", bit, i, b)
		}
	}
	old := regexp.MustCompile(`,\s*"crc": "[0-9a-f]{8}"`).ReplaceAll(whole, nil)
	require.NotEqual(t, whole, old)
	require.False(t, damaged(old))
}
