package lesson

// Lesson steps are split into slides that fit a screen of 1280 × 720 pixels with 24-pixel text.

// Slide is the blocks of a step that are shown together.
type Slide struct {
	Step     int
	Blocks   []int // indices in the step
	From, To int   // range of articles to judge; From = To = their number shows the result
	End      bool  // the summary
}

// Capacity of a slide in lines of text, and of a line in letters.
const (
	slideLines    = 15.5 // of 36 pixels
	textLetters   = 76   // of a text
	tableLetters  = 88   // of a caption
	cellLetters   = 62   // of the title and the term in a sum
	optionLetters = 62   // of an option on one line
	optionLines   = 1.6  // of an option of a question
	largeLines    = 8    // of texts that still fit when set 1.5 times as large
	judgedAtOnce  = 2
)

// blockLines estimates the lines of a block. A block that needs a slide to itself takes all lines.
func blockLines(b *Block) float64 {
	letters := 0
	for _, s := range b.Spans {
		letters += len(s.Text)
	}
	switch b.Kind {
	case Text, Link:
		return textLines(letters + len(b.Note))
	case Question:
		n := textLines(letters) + max(optionLines, textLines(len(b.Note)))
		for _, o := range b.Options {
			n += optionLines + float64(len(o.Text)/optionLetters)
		}
		return n
	case Table, Bars:
		n := float64(1.02*float64(len(b.Rows))) + 0.8 + float64((len(b.Note)+tableLetters-1)/tableLetters)
		for _, r := range b.Rows {
			if len(r) == 5 && len(r[1])+len(r[3]) > cellLetters { // of an unfolded sum
				n += 0.8
			}
		}
		return n
	}
	return slideLines
}

// textLines estimates the lines of running text with so many letters, including the space below.
func textLines(letters int) float64 {
	return float64(1.17*float64((letters+textLetters-1)/textLetters)) + 0.45
}

// Large reports whether a slide holds only a little text, which is then set large.
func (l *Lesson) Large(s Slide) bool {
	n := 0.0
	for _, j := range s.Blocks {
		b := &l.Steps[s.Step][j]
		if b.Kind != Text && b.Kind != Link {
			return false
		}
		n += blockLines(b)
	}
	return n <= largeLines
}

// Slides returns the slides of the lesson, in order.
func (l *Lesson) Slides() (out []Slide) {
	for i, step := range l.Steps {
		room := 0.0
		for j := range step {
			b := &step[j]
			if b.Kind == Judging {
				for at := 0; at < len(b.Rows); at += judgedAtOnce {
					out = append(out, Slide{Step: i, Blocks: []int{j}, From: at, To: min(len(b.Rows), at+judgedAtOnce)})
				}
				out = append(out, Slide{Step: i, Blocks: []int{j}, From: len(b.Rows), To: len(b.Rows)})
				room = 0
				continue
			}
			need := blockLines(b)
			if need > room {
				out = append(out, Slide{Step: i})
				room = slideLines
			}
			last := &out[len(out)-1]
			last.Blocks = append(last.Blocks, j)
			room -= need
		}
	}
	if n := len(l.Steps); n > 0 && len(out) > 0 {
		out = append(out, Slide{Step: out[len(out)-1].Step, End: true})
	}
	return out
}
