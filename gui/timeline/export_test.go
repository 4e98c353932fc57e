package timeline

// What only the tests of this package name from outside.

type (
	ScanTurns   = scanTurns
	ScannedTurn = scannedTurn
)

var (
	Completions  = completions
	TurnsScanned = turnsScanned
)
