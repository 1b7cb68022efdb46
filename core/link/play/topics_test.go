package play

import (
	"strings"
	"testing"
)

// The message lists the valid letters: as many as subtopics.
func TestALetterBeyondTheSubtopicsIsRefusedWithTheLast(t *testing.T) {
	last := string(rune('a' + MaxTopics - 1))
	if _, err := readGrade("1" + last); err != nil {
		t.Error(err)
	}
	beyond := string(rune('a' + MaxTopics))
	if _, err := readGrade("1" + beyond); err == nil || !strings.Contains(err.Error(), "letters a to "+last+" for") {
		t.Error(err)
	}
}
