package workspace

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// A workspace in which nobody clicked has no click log, also if the log is asked for.
func TestWithoutClicksNoLogIsExported(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	b.edit(t, 1, Edit{Kind: SetName, Text: "n"})
	plain := export(t, b.w)
	logged, err := b.w.ExportWithClicks()
	must(t, err)
	if !bytes.Equal(plain, logged) {
		t.Error("the export has a click log that holds nothing")
	}
	b.edit(t, 2, Edit{Kind: SetClick, Spec: "c", Text: click})
	logged, err = b.w.ExportWithClicks()
	must(t, err)
	if !bytes.Equal(plain, export(t, b.w)) || !bytes.Contains(logged, []byte(clicksName)) {
		t.Error("a click is in the plain export, or not in the one with clicks")
	}
}

// A later version may fill more fields of an edit than this one: every text may be as long as a text is.
func TestAnEditThatUsesEveryTextIsRead(t *testing.T) {
	text := strings.Repeat("\x01", MaxText)
	e := Edit{Stamp: Stamp{1, "a", 1}, Kind: SetGrade, Layer: "mine", Query: strings.Repeat("q", MaxID),
		Document: strings.Repeat("d", MaxID), Grade: 1, Spec: strings.Repeat("\x01", MaxID), Text: text,
		Description: text, Narrative: text, Author: text}
	edits, lost := ReadJournal(AppendRecord(nil, &e))
	if len(lost) > 0 || len(edits) != 1 || edits[0] != e {
		t.Errorf("%d edits, %v", len(edits), lost)
	}
}

// How long a record may be is part of the format: a version that read shorter ones only would lose edits.
func TestARecordHasUpTo1592320Bytes(t *testing.T) {
	short := valid(SetName)
	body := string(short.appendJSON(nil))
	for n, ok := range map[int]bool{1592320: true, 1592321: false} {
		line := body + strings.Repeat(" ", n-len("00000000 ")-len(body))
		edits, _ := ReadJournal(fmt.Appendf(nil, "%08x %s\n", crcOf([]byte(line)), line))
		if (len(edits) == 1) != ok {
			t.Errorf("a record of %d bytes is read: %v", n, !ok)
		}
	}
}
