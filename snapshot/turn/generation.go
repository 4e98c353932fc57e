package turn

// snap is a snapshot that an agent asked for.
type snap struct {
	from int    // the highest number that agents had been told before it
	hash string // the state of the page that it showed
}

// Snapshot records that the last capture was assigned for a snapshot that an agent
// asked for, and gives its number, 1 for the session's first. from is the highest ref
// that agents had been told before; hash tells the state of the page, for
// [Ledger.SnapshotHash]. What an agent did not ask for is not recorded.
func (l *Ledger) Snapshot(turn, from int, hash string) (int, error) {
	n := len(l.snaps) + 1
	return n, l.note(line{K: kindSnap, T: turn, N: n, High: from, Hash: hash})
}

// Snapshots is how many snapshots agents have asked for in this session.
func (l *Ledger) Snapshots() int { return len(l.snaps) }

// SnapshotHash is the state of the page that snapshot n showed; false where there is no
// such snapshot.
func (l *Ledger) SnapshotHash(n int) (string, bool) {
	if n < 1 || n > len(l.snaps) {
		return "", false
	}
	return l.snaps[n-1].hash, true
}

// Generation is the number of the snapshot that first gave a ref, the 3 of s3e12; 1
// for what was numbered before the first. It never changes.
func (l *Ledger) Generation(ref int) int {
	n := len(l.snaps)
	for n > 1 && l.snaps[n-1].from >= ref {
		n--
	}
	return max(1, n)
}
