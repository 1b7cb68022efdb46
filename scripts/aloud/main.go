// Program aloud has every lesson of the built site read aloud by eSpeak NG, from its title to the sentence worth remembering, and prints how long
// that takes beside the minutes that a student is reckoned to need. Read is what a teacher would read out: prose, questions, their options and
// reasons, what to do on real data; not tables, sums, controls and exercises.
//
//	go run ./build site && go run ./scripts/aloud
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/wire"
)

// pace is how many words a minute are read: that of a lecture.
const pace = "150"

func main() {
	if err := read("dist/learn/lessons.bin"); err != nil {
		fmt.Fprintln(os.Stderr, "aloud:", err)
		os.Exit(1)
	}
}

func read(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	set := &lesson.Set{}
	if err := wire.Unmarshal(data, set); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Println("| lesson | words read | read aloud | reckoned whole |\n|---|---:|---:|---:|")
	for i := range set.Lessons {
		l := &set.Lessons[i]
		text := spoken(l)
		voice := map[string]string{"en": "en-gb"}[l.Lang]
		if voice == "" {
			voice = l.Lang
		}
		seconds, err := aloud(text, voice)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		whole := 0.0
		for _, m := range l.Takes() {
			whole += m
		}
		fmt.Printf("| %d %s (%s) | %d | %s | %s |\n", l.Number, l.Name, l.Lang, len(strings.Fields(text)), clock(seconds), clock(whole*60))
	}
	return nil
}

// spoken is a lesson as it is read out, a paragraph a line.
func spoken(l *lesson.Lesson) string {
	lines := []string{l.Title + "."}
	for _, step := range l.Steps {
		for _, b := range step {
			var text strings.Builder
			for _, s := range b.Spans {
				text.WriteString(s.Text)
			}
			switch b.Kind {
			case lesson.Text:
				lines = append(lines, text.String())
			case lesson.Question:
				lines = append(lines, text.String())
				for _, o := range b.Options {
					lines = append(lines, o.Text+".")
				}
				lines = append(lines, b.Note)
			case lesson.Link:
				lines = append(lines, b.Note)
			}
		}
	}
	return strings.Join(append(lines, l.Remember), "\n\n")
}

// aloud is how many seconds a voice takes to read a text.
func aloud(text, voice string) (float64, error) {
	var says bytes.Buffer
	c := exec.Command("espeak-ng", "-v", voice, "-s", pace, "--stdin", "--stdout")
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), &says, os.Stderr
	if err := c.Run(); err != nil {
		return 0, err
	}
	const head = 44 // of a WAV file; bytes 28 to 31 are the bytes a second
	wav := says.Bytes()
	if len(wav) < head || !bytes.HasPrefix(wav, []byte("RIFF")) {
		return 0, fmt.Errorf("espeak-ng wrote no sound")
	}
	return float64(len(wav)-head) / float64(binary.LittleEndian.Uint32(wav[28:])), nil
}

func clock(seconds float64) string {
	s := int(seconds + 0.5)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
