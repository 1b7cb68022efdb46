package main

import (
	"os/exec"
	"strings"
	"testing"
)

func TestHelpAndMisspelledWords(t *testing.T) {
	for _, c := range []struct {
		args     string
		code     int
		out, err string
	}{
		{"help eval", 0, "usage: rankbox eval QRELS RUN", ""},
		{"help compare statistics", 0, "usage: rankbox compare statistics", ""},
		{"eval -h", 0, "Measure a run, by default like trec_eval", ""},
		{"help limits", 0, "-max-json-queries", ""},
		{"--version", 0, "rankbox ", ""},
		{"-version", 0, "rankbox ", ""},
		{"evl", 2, "", `unknown command "evl"; did you mean eval?`},
		{"help serach", 2, "", "did you mean search?"},
		{"zzzzzzzz", 2, "", "rankbox help lists them"},
		{"compare -baselin x", 2, "", "unknown flag -baselin; did you mean -baseline?"},
		{"completion tcsh", 2, "", "want rankbox completion bash|zsh|fish|powershell"},
		{"", 2, "", "rankbox help COMMAND"},
	} {
		code, out, errs := call("", strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) {
			t.Errorf("rankbox %s: exit %d\n%s\n%s", c.args, code, out, errs)
		}
	}
	if _, out, _ := call("", "eval", "-h"); strings.Contains(out, "max-bytes") || !strings.Contains(out, "help limits") {
		t.Errorf("the help of eval lists limits:\n%s", out)
	}
}

// Every command has help of its own with a line of usage.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, x := range commands {
		if code, out, errs := call("", "help", x.name); code != 0 ||
			!strings.HasPrefix(out, "usage: rankbox "+x.name) && x.name != "compare" {
			t.Errorf("rankbox help %s: exit %d\n%s\n%s", x.name, code, out, errs)
		}
	}
}

// The script completes in a real bash.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is absent")
	}
	_, script, _ := call("", "completion", "bash")
	for words, want := range map[string]string{
		"rankbox ev": "eval", "rankbox eval -po": "-policy", "rankbox search -s": "-s", "rankbox help": "help",
		"rankbox eval qr": "",
	} {
		fields := strings.Fields(words)
		out, err := exec.Command(bash, "-c", script+"\nCOMP_WORDS=("+words+"); COMP_CWORD="+
			string(rune('0'+len(fields)-1))+"; _rankbox; echo ${COMPREPLY[@]}").CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || !strings.Contains(" "+got+" ", " "+want+" ") &&
			got != want {
			t.Errorf("%s: %q, %v, want %q", words, got, err, want)
		}
	}
}
