package overlay

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// leastDistance is the least difference of two kinds, in CIEDE2000 units, to any eye. Two patches that lie apart are
// told from each other from about 5 on.
const leastDistance = 12

// sights are how colours look to eyes that lack a kind of cones, as matrices of linear RGB at full strength (Machado,
// Oliveira and Fernandes 2009).
func sights() map[string][3][3]float64 {
	return map[string][3][3]float64{
		"usual": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216},
			{-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
			{-0.011820, 0.042940, 0.968881}},
		"tritanopia": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602},
			{0.004733, 0.691367, 0.303900}},
	}
}

// TestKindsForAllEyes: the colours of kinds in the window, which are the same in its three themes, are told from each
// other by people with each kind of colour blindness, and white digits are read on all of them.
func TestKindsForAllEyes(t *testing.T) {
	list := PaletteCalm.colors()
	for sight, m := range sights() {
		for i, a := range list {
			require.GreaterOrEqual(t, contrast(a.color, digitColor), 4.5, a.word)
			for _, b := range list[:i] {
				if a.color == b.color { // a choice is a field, a menu is pressed like a button
					continue
				}
				d := distance(labOf(a.color, m), labOf(b.color, m))
				require.GreaterOrEqual(t, d, float64(leastDistance), "%s and %s, %s", a.word, b.word, sight)
			}
		}
	}
	// The measure itself, by published pairs (Sharma, Wu and Dalal 2005), and by colours that only some eyes tell
	// apart.
	require.InDelta(t, 2.0425, distance([3]float64{50, 2.6772, -79.7751}, [3]float64{50, 0, -82.7485}), 1e-4)
	require.InDelta(t, 22.8977, distance([3]float64{50, 2.5, 0}, [3]float64{61, -5, 29}), 1e-4)
	require.InDelta(t, 31.9030, distance([3]float64{50, 2.5, 0}, [3]float64{56, -27, -3}), 1e-4)
	blue, violet := color.RGBA{0x1a, 0x5f, 0xc4, 255}, color.RGBA{0x6a, 0x4b, 0xb8, 255}
	deutan, usual := sights()["deuteranopia"], sights()["usual"]
	require.Less(t, distance(labOf(blue, deutan), labOf(violet, deutan)), 3.0)
	require.Greater(t, distance(labOf(blue, usual), labOf(violet, usual)), 12.0)
}

// labOf is a colour as an eye sees it, in CIE L*a*b* (D65).
func labOf(c color.RGBA, sight [3][3]float64) [3]float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	times := func(m [3][3]float64, v [3]float64) (out [3]float64) {
		for i, row := range m {
			out[i] = row[0]*v[0] + row[1]*v[1] + row[2]*v[2]
		}
		return out
	}
	rgb := times(sight, [3]float64{linear(c.R), linear(c.G), linear(c.B)})
	for i := range rgb {
		rgb[i] = min(1, max(0, rgb[i]))
	}
	xyz := times([3][3]float64{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
		{0.0193339, 0.1191920, 0.9503041}}, rgb)
	for i, white := range [3]float64{0.95047, 1, 1.08883} {
		if v := xyz[i] / white; v > 216.0/24389 {
			xyz[i] = math.Cbrt(v)
		} else {
			xyz[i] = (24389.0/27*v + 16) / 116
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// distance is CIEDE2000 of two colours in L*a*b*.
func distance(p, q [3]float64) float64 {
	rad := func(deg float64) float64 { return deg * math.Pi / 180 }
	far := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	g := 1 + 0.5*(1-far((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2))
	polar := func(v [3]float64) (c, h float64) {
		if h = math.Atan2(v[2], g*v[1]) * 180 / math.Pi; h < 0 {
			h += 360
		}
		return math.Hypot(g*v[1], v[2]), h
	}
	c1, h1 := polar(p)
	c2, h2 := polar(q)
	dh, h := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		dh, h = 0, h1+h2
	case math.Abs(dh) > 180:
		dh -= math.Copysign(360, dh)
		h += math.Copysign(180, 180-h)
	}
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	t := 1 - 0.17*math.Cos(rad(h-30)) + 0.24*math.Cos(rad(2*h)) + 0.32*math.Cos(rad(3*h+6)) -
		0.2*math.Cos(rad(4*h-63))
	dl := (q[0] - p[0]) / (1 + 0.015*(l-50)*(l-50)/math.Sqrt(20+(l-50)*(l-50)))
	dc := (c2 - c1) / (1 + 0.045*c)
	dH := 2 * math.Sqrt(c1*c2) * math.Sin(rad(dh/2)) / (1 + 0.015*c*t)
	turn := -2 * far(c) * math.Sin(rad(60*math.Exp(-((h-275)/25)*((h-275)/25))))
	return math.Sqrt(dl*dl + dc*dc + dH*dH + turn*dc*dH)
}
