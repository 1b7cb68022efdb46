package qr

// draw places codewords in the modules of a version, with the best of the eight masks.
func draw(data []byte, v int) *Code {
	c := &Code{Version: v, Size: 17 + 4*v}
	c.dark, c.fixed = make([]bool, c.Size*c.Size), make([]bool, c.Size*c.Size)
	c.patterns()
	c.zigzag(interleave(data, v))
	best, least := 0, 0
	for m := range 8 {
		c.mask(m)
		c.format(m)
		if p := c.penalty(); m == 0 || p < least {
			best, least = m, p
		}
		c.mask(m) // masking twice cancels out
	}
	c.mask(best)
	c.format(best)
	return c
}

// set sets a function module, which carries no data.
func (c *Code) set(x, y int, dark bool) {
	c.dark[y*c.Size+x], c.fixed[y*c.Size+x] = dark, true
}

// patterns draws the function patterns of a version: timing, finders, alignment, version.
func (c *Code) patterns() {
	for i := range c.Size {
		c.set(6, i, i%2 == 0)
		c.set(i, 6, i%2 == 0)
	}
	for _, at := range [][2]int{{3, 3}, {c.Size - 4, 3}, {3, c.Size - 4}} {
		for dy := -4; dy <= 4; dy++ {
			for dx := -4; dx <= 4; dx++ {
				x, y := at[0]+dx, at[1]+dy
				if d := max(dx, -dx, dy, -dy); x >= 0 && y >= 0 && x < c.Size && y < c.Size {
					c.set(x, y, d != 2 && d != 4)
				}
			}
		}
	}
	along := c.alignment()
	for i, x := range along {
		for j, y := range along {
			if last := len(along) - 1; i == 0 && j == 0 || i == 0 && j == last || i == last && j == 0 {
				continue
			}
			for dy := -2; dy <= 2; dy++ {
				for dx := -2; dx <= 2; dx++ {
					c.set(x+dx, y+dy, max(dx, -dx, dy, -dy) != 1)
				}
			}
		}
	}
	c.format(0) // reserves the modules
	if c.Version < 7 {
		return
	}
	rest := c.Version
	for range 12 {
		rest = rest<<1 ^ (rest>>11)*0x1F25
	}
	bits := c.Version<<12 | rest
	for i := range 18 {
		dark := bits>>i&1 != 0
		a, b := c.Size-11+i%3, i/3
		c.set(a, b, dark)
		c.set(b, a, dark)
	}
}

// alignment returns the coordinates of alignment pattern centres, for both axes.
func (c *Code) alignment() []int {
	if c.Version == 1 {
		return nil
	}
	n := c.Version/7 + 2
	step := (c.Version*8 + n*3 + 5) / (n*4 - 4) * 2
	out := make([]int, n)
	out[0] = 6
	for i, at := n-1, c.Size-7; i > 0; i, at = i-1, at-step {
		out[i] = at
	}
	return out
}

// format writes the level, which is 0 for M, and the mask, twice.
func (c *Code) format(mask int) {
	rest := mask
	for range 10 {
		rest = rest<<1 ^ (rest>>9)*0x537
	}
	bits := (mask<<10 | rest) ^ 0x5412
	bit := func(i int) bool { return bits>>i&1 != 0 }
	for i := range 6 {
		c.set(8, i, bit(i))
	}
	c.set(8, 7, bit(6))
	c.set(8, 8, bit(7))
	c.set(7, 8, bit(8))
	for i := 9; i < 15; i++ {
		c.set(14-i, 8, bit(i))
	}
	for i := range 8 {
		c.set(c.Size-1-i, 8, bit(i))
	}
	for i := 8; i < 15; i++ {
		c.set(8, c.Size-15+i, bit(i))
	}
	c.set(8, c.Size-8, true)
}

// zigzag writes the codewords in two-module columns from the right, alternately up and down.
func (c *Code) zigzag(data []byte) {
	i := 0
	for right := c.Size - 1; right >= 1; right -= 2 {
		if right == 6 {
			right = 5
		}
		for step := range c.Size {
			for j := range 2 {
				x, y := right-j, step
				if (right+1)&2 == 0 {
					y = c.Size - 1 - step
				}
				if at := y*c.Size + x; !c.fixed[at] && i < 8*len(data) {
					c.dark[at] = data[i/8]>>(7-i%8)&1 != 0
					i++
				}
			}
		}
	}
}

// mask inverts the data modules of a mask pattern.
func (c *Code) mask(m int) {
	for y := range c.Size {
		for x := range c.Size {
			on := false
			switch m {
			case 0:
				on = (x+y)%2 == 0
			case 1:
				on = y%2 == 0
			case 2:
				on = x%3 == 0
			case 3:
				on = (x+y)%3 == 0
			case 4:
				on = (x/3+y/2)%2 == 0
			case 5:
				on = x*y%2+x*y%3 == 0
			case 6:
				on = (x*y%2+x*y%3)%2 == 0
			case 7:
				on = ((x+y)%2+x*y%3)%2 == 0
			}
			if at := y*c.Size + x; on && !c.fixed[at] {
				c.dark[at] = !c.dark[at]
			}
		}
	}
}

// penalty rates how hard a code is to read: runs, blocks, lookalikes of finders, and imbalance of dark and light.
func (c *Code) penalty() int {
	sum, dark := 0, 0
	const like, turned = 0b10111010000, 0b00001011101
	for _, across := range []bool{true, false} {
		for i := range c.Size {
			run, was, window := 0, false, 0
			for j := range c.Size {
				d := c.Dark(j, i)
				if !across {
					d = c.Dark(i, j)
				}
				if j == 0 || d != was {
					run, was = 0, d
				}
				if run++; run == 5 {
					sum += 3
				} else if run > 5 {
					sum++
				}
				window = window << 1 & 0x7FF
				if d {
					window |= 1
				}
				if j >= 10 && (window == like || window == turned) {
					sum += 40
				}
				if across && d {
					dark++
				}
			}
		}
	}
	for y := range c.Size - 1 {
		for x := range c.Size - 1 {
			if d := c.Dark(x, y); d == c.Dark(x+1, y) && d == c.Dark(x, y+1) && d == c.Dark(x+1, y+1) {
				sum += 3
			}
		}
	}
	all := c.Size * c.Size
	off := max(20*dark-10*all, 10*all-20*dark)
	return sum + off/all*10
}
