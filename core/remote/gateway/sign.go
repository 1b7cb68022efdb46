package gateway

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/sha256"
)

// signed returns the headers by which Amazon's services know who asks: Signature Version 4
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). The secret is
// "ID:KEY" or "ID:KEY:TOKEN".
func signed(service, secret, url string, body []byte, now time.Time) [][2]string {
	id, key, _ := strings.Cut(secret, ":")
	key, token, _ := strings.Cut(key, ":")
	_, rest, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	path, query, _ := strings.Cut(path, "?")
	region := regionOf(host)
	at := now.UTC().Format("20060102T150405Z")
	scope := at[:8] + "/" + region + "/" + service + "/aws4_request"
	heads := [][2]string{{"host", host}, {"x-amz-date", at}}
	if token != "" {
		heads = append(heads, [2]string{"x-amz-security-token", token})
	}
	var canonical, names strings.Builder
	for i, h := range heads {
		fmt.Fprintf(&canonical, "%s:%s\n", h[0], h[1])
		if i > 0 {
			names.WriteByte(';')
		}
		names.WriteString(h[0])
	}
	request := strings.Join([]string{"POST", "/" + encodedAgain(path), query, canonical.String(), names.String(),
		sha256.Hex(body)}, "\n")
	text := strings.Join([]string{"AWS4-HMAC-SHA256", at, scope, sha256.Hex([]byte(request))}, "\n")
	sum := mac("AWS4"+key, at[:8])
	for _, part := range []string{region, service, "aws4_request", text} {
		sum = mac(string(sum[:]), part)
	}
	authorization := fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s", id, scope,
		names.String(), hex.EncodeToString(sum[:]))
	return append(slices.Clone(heads[1:]), [2]string{"Authorization", authorization})
}

// regionOf is the region that a host of Amazon names, us-east-1 where it names none.
func regionOf(host string) string {
	before, _, _ := strings.Cut(host, ".amazonaws.")
	before = strings.TrimSuffix(before, ".vpce")
	region := before[strings.LastIndexByte(before, '.')+1:]
	if strings.Contains(region, "-") && strings.ContainsAny(region, "123456789") && region != before {
		return region
	}
	return "us-east-1"
}

// encodedAgain is a path as the signature has it: what was sent, percent-encoded once more but for "/".
func encodedAgain(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
