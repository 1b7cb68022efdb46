package gateway

import (
	"strconv"
	"strings"
)

// ClientOf returns who is counted as one client for an address as text: of IPv4 the address, of IPv6 the network of 64
// bits, which is what one customer is given; "unknown" for what is no address.
func ClientOf(address string) string {
	address, _, _ = strings.Cut(address, "%")
	if i := strings.LastIndexByte(address, ':'); i > 0 && strings.Contains(address[i:], ".") { // ::ffff:192.0.2.1
		address = address[i+1:]
	}
	if !strings.Contains(address, ":") {
		parts := strings.Split(address, ".")
		for _, p := range parts {
			if n, err := strconv.ParseUint(p, 10, 8); err != nil || strconv.FormatUint(n, 10) != p {
				return "unknown"
			}
		}
		if len(parts) != 4 {
			return "unknown"
		}
		return address
	}
	head, tail, short := strings.Cut(address, "::")
	groups := strings.Split(head, ":")
	if head == "" {
		groups = nil
	}
	rest := strings.Split(tail, ":")
	if tail == "" {
		rest = nil
	}
	if n := len(groups) + len(rest); n > 8 || !short && n != 8 || short && n == 8 {
		return "unknown"
	}
	for len(groups)+len(rest) < 8 {
		groups = append(groups, "0")
	}
	groups = append(groups, rest...)
	out := ""
	for i, g := range groups {
		n, err := strconv.ParseUint(g, 16, 16)
		if err != nil || len(g) > 4 {
			return "unknown"
		}
		if i < 4 {
			out += strconv.FormatUint(n, 16) + ":"
		}
	}
	return out + ":/64"
}
