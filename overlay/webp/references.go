package webp

// References back (LZ77 Backward Reference): a run of px that occurred before is encoded
// as its length and the distance to its earlier start.
const (
	minMatch = 3
	maxMatch = 4096
	maxBack  = 1<<20 - 120
	hashBits = 16
	tries    = 12 // places that are looked at for each px
)

// references turns px into tokens, taking the longest run that is found at each.
func references(px []uint32, width int) []token {
	head := make([]int32, 1<<hashBits) // last place with that hash, plus one
	before := make([]int32, len(px))   // the place before it with the same one
	hash := func(i int) uint32 {
		return (px[i]*0x9e3779b1 ^ px[i+1]*0x85ebca6b ^ px[i+2]*0xc2b2ae35) >> (32 - hashBits)
	}
	enter := func(i int) {
		if i+minMatch <= len(px) {
			h := hash(i)
			before[i], head[h] = head[h], int32(i+1)
		}
	}
	var out []token
	for i := 0; i < len(px); {
		most, back := 0, 0
		try := func(from int) {
			if from < 0 || most > 0 && i+most < len(px) && px[from+most] != px[i+most] {
				return
			}
			n := 0
			for n < maxMatch && i+n < len(px) && px[from+n] == px[i+n] {
				n++
			}
			if n > most {
				most, back = n, i-from
			}
		}
		try(i - 1)
		try(i - width)
		if i+minMatch <= len(px) {
			at := int(head[hash(i)]) - 1
			for k := 0; k < tries && at >= 0 && i-at <= maxBack && most < maxMatch; k++ {
				try(at)
				at = int(before[at]) - 1
			}
		}
		if most < minMatch {
			enter(i)
			out = append(out, token{px: px[i]})
			i++
			continue
		}
		out = append(out, token{length: int32(most), distance: distanceCode(back, width)})
		// Of a long run the beginning is enough to be found again.
		for k := range min(most, 64) {
			enter(i + k)
		}
		i += most
	}
	return out
}

// distanceCode is the number for a distance in px: the nearest neighbours in the rows
// above have the first 120, of which those that pages use are enough.
func distanceCode(back, width int) int32 {
	switch back {
	case width:
		return 1
	case 1:
		return 2
	case width + 1:
		return 3
	case width - 1:
		return 4
	case 2 * width:
		return 5
	}
	return int32(back + 120)
}
