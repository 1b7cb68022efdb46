package scores

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

var nan = math.NaN()

// parseFloat reads a decimal number. Hexadecimal ones, infinities and underscores, which strconv takes too, are none.
func parseFloat(s string) (float64, error) {
	s = strings.TrimSuffix(s, "%")
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && strings.IndexByte("+-.eE", c) < 0 {
			return 0, errors.New("not a number")
		}
	}
	return strconv.ParseFloat(s, 64)
}
