package gateway

import (
	"strings"
	"testing"
	"time"
)

// The signatures are those of botocore 1.40.0 (botocore.auth.SigV4Auth); the first is also post-vanilla of Amazon's own
// test suite.
func TestAmazonsSignature(t *testing.T) {
	const pair = "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	now := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	for _, c := range []struct{ service, secret, url, body, scope, headers, signature string }{
		{"service", pair, "https://example.amazonaws.com/", "", "us-east-1/service", "host;x-amz-date",
			"5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
		{"bedrock", pair,
			"https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2:0/invoke",
			`{"inputText":"a quay"}`, "us-east-1/bedrock", "host;x-amz-date",
			"8e3fe423c60fa9cf4473fc4ee11219e2fdae0deffc8b1870280fc9481e35161f"},
		{"bedrock", pair + ":TOKEN",
			"https://bedrock-runtime.eu-central-1.amazonaws.com/model/cohere.embed-english-v3/invoke", `{}`,
			"eu-central-1/bedrock", "host;x-amz-date;x-amz-security-token",
			"8779f5b47777391d4d02d4647b7f093fe348865afcf3cabb66b86ebfcaa82192"},
	} {
		heads := map[string]string{}
		for _, h := range signed(c.service, c.secret, c.url, []byte(c.body), now) {
			heads[h[0]] = h[1]
		}
		want := "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/" + c.scope + "/aws4_request, SignedHeaders=" +
			c.headers + ", Signature=" + c.signature
		if heads["Authorization"] != want || heads["x-amz-date"] != "20150830T123600Z" ||
			(heads["x-amz-security-token"] == "TOKEN") != strings.HasSuffix(c.secret, ":TOKEN") || heads["host"] != "" {
			t.Errorf("%s: %v\nwant %s", c.url, heads, want)
		}
	}
}

func TestRegionOf(t *testing.T) {
	for host, want := range map[string]string{
		"bedrock-runtime.eu-west-3.amazonaws.com":                 "eu-west-3",
		"bedrock-runtime.cn-north-1.amazonaws.com.cn":             "cn-north-1",
		"vpce-1a-2b.bedrock-runtime.us-west-2.vpce.amazonaws.com": "us-west-2",
		"example.amazonaws.com":                                   "us-east-1",
		"127.0.0.1:8080":                                          "us-east-1",
	} {
		if got := regionOf(host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}
