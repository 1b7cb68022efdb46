package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTemporary(t *testing.T) {
	base := t.TempDir()
	for _, v := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(v, base)
	}
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	leave := func(name, pid string, old time.Duration) string {
		dir := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Join(dir, "profile"), 0o777); err != nil {
			t.Fatal(err)
		}
		if pid != "" {
			if err := os.WriteFile(filepath.Join(dir, owner), []byte(pid), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		when := time.Now().Add(-old)
		if err := os.Chtimes(dir, when, when); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	cases := []struct {
		name  string
		dir   string
		stays bool
	}{
		{"of a run that ended", leave(temporaries+"killed", strconv.Itoa(ended.Process.Pid), 0), false},
		{"half removed", leave(temporaries+"half", "", time.Hour), false},
		{"being made", leave(temporaries+"new", "", 0), true},
		{"of a run that goes on", leave(temporaries+"on", strconv.Itoa(os.Getpid()), time.Hour), true},
		{"of something else", leave("rankbox-e2e", "", time.Hour), true},
	}
	var out bytes.Buffer
	p := newProject("/a/clone", &out)
	remove, err := p.temporary()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if _, err := os.Stat(c.dir); (err == nil) != c.stays {
			t.Errorf("the folder %s: %v\n%s", c.name, err, out.String())
		}
	}
	one := os.TempDir()
	if filepath.Dir(one) != base || len(filepath.Base(one)) > 24 {
		t.Errorf("temporary files go to %s", one)
	}
	if err := os.WriteFile(filepath.Join(one, "left"), nil, 0o666); err != nil {
		t.Fatal(err)
	}

	t.Setenv("TMPDIR", base) // as a second run in the clone has it while the first goes on
	removeToo, err := p.temporary()
	if err != nil {
		t.Fatal(err)
	}
	two := os.TempDir()
	if two != one+"-2" {
		t.Errorf("a second run has %s, the first %s", two, one)
	}
	removeToo()
	remove()
	for _, dir := range []string{one, two} {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s stays: %v", dir, err)
		}
	}

	t.Setenv("TMPDIR", base)
	if remove, err = p.temporary(); err != nil {
		t.Fatal(err)
	}
	defer remove()
	if os.TempDir() != one {
		t.Errorf("the same clone has %s this time, and had %s", os.TempDir(), one)
	}
}

func TestAvailable(t *testing.T) {
	const head = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n"
	for _, c := range []struct {
		name, text string
		want       int64
		ok         bool
	}{
		{"Linux", head + "/dev/vda         263174212 40222222  55555555      43% /\n", 55555555 << 10, true},
		{"a name with a space", head + "map auto_home 100 10 90 10% /home of all\n", 90 << 10, true},
		{"a full disk", head + "tmpfs 100 100 0 100% /tmp\n", 0, true},
		{"no line", head, 0, false},
		{"nothing", "", 0, false},
		{"no figure", head + "overlay - - - - /\n", 0, false},
		{"not a number", head + "overlay - - many 5% /\n", 0, false},
	} {
		if got, ok := available(c.text); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestRoomIsRead holds that what df of this machine prints is understood, where there is one.
func TestRoomIsRead(t *testing.T) {
	if _, err := exec.LookPath("df"); err != nil {
		t.Skip("df is not installed")
	}
	out, err := newProject(t.TempDir(), os.Stderr).run(context.Background(), nil, "df", "-Pk", ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := available(string(out)); !ok {
		t.Errorf("not understood: %s", strings.TrimSpace(string(out)))
	}
}
