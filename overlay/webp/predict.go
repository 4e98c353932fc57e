package webp

// tileBits is the side of a tile with one predictor, 2^5 px.
const tileBits = 5

// The predictors that are tried for a tile (Predictor Transform): left, above, the mean
// of both, and the one of both that the gradient selects.
var predictors = [...]uint32{1, 2, 7, 11}

// subtractGreen takes green from red and blue: what is grey becomes green alone.
func subtractGreen(px []uint32) {
	for i, p := range px {
		g := p >> 8 & 255
		px[i] = p&0xff00ff00 | (p>>16-g)&255<<16 | (p-g)&255
	}
}

// predict is the residual of each px after its prediction, channel by
// channel modulo 256, and an image with each tile's predictor in green, so many
// across.
func predict(px []uint32, width, height int) (residue, modes []uint32, across int) {
	const side = 1 << tileBits
	across = (width + side - 1) / side
	residue = make([]uint32, len(px))
	for top := 0; top < height; top += side {
		for left := 0; left < width; left += side {
			best, least := uint32(0), -1
			for _, mode := range predictors {
				cost := 0
				for y := top; y < min(top+side, height); y++ {
					for x := left; x < min(left+side, width); x++ {
						i := y*width + x
						if left := minus(px[i], prediction(px, i, x, y, width, mode)); left != 0 {
							cost += weight(left)
						}
					}
					if least >= 0 && cost >= least {
						break
					}
				}
				if least < 0 || cost < least {
					best, least = mode, cost
				}
			}
			modes = append(modes, 0xff000000|best<<8)
			for y := top; y < min(top+side, height); y++ {
				for x := left; x < min(left+side, width); x++ {
					i := y*width + x
					residue[i] = minus(px[i], prediction(px, i, x, y, width, best))
				}
			}
		}
	}
	return residue, modes, across
}

// prediction is the px that a mode predicts at i; the first row and column have modes
// of their own.
func prediction(px []uint32, i, x, y, width int, mode uint32) uint32 {
	switch {
	case i == 0:
		return 0xff000000
	case y == 0:
		return px[i-1]
	case x == 0:
		return px[i-width]
	}
	left, above := px[i-1], px[i-width]
	switch mode {
	case 1:
		return left
	case 2:
		return above
	case 7:
		return (left^above)&0xfefefefe>>1 + left&above
	}
	// 11: the neighbour that is nearer to left + above - corner.
	corner := px[i-width-1]
	toLeft, toAbove := 0, 0
	for shift := 0; shift < 32; shift += 8 {
		l, a, c := int(left>>shift&255), int(above>>shift&255), int(corner>>shift&255)
		toLeft += max(a-c, c-a)
		toAbove += max(l-c, c-l)
	}
	if toLeft < toAbove {
		return left
	}
	return above
}

// minus takes b from a, channel by channel modulo 256: two channels at a time, with
// ones between them to borrow from.
func minus(a, b uint32) uint32 {
	const even, odd = 0x00ff00ff, 0xff00ff00
	return (even+a&odd-b&odd)&odd | (odd+a&even-b&even)&even
}

// weight is about how much a residue costs: its channels' distances from zero.
func weight(p uint32) (sum int) {
	for ; p != 0; p >>= 8 {
		v := int(p & 255)
		sum += min(v, 256-v) + 4
	}
	return sum
}
