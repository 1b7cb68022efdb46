package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/intake/scores/nugget"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// answerFile is answer.json of a lesson. Support names nuggets by their numbers, from 1.
type answerFile struct {
	Query   string
	Nuggets []struct {
		Text  string
		Vital bool
	}
	Sentences []struct {
		Text      string
		Citations []string // ids of articles
		Support   map[string]string
		Starts    bool
	}
}

// Answer is what a lesson's answer.json says, with the grades of what it cites.
func (d *lessonData) Answer(lesson string) (out figure.Answer, err error) {
	file := path.Join(lessonsIn, path.Base(lesson), "answer.json")
	data, err := os.ReadFile(file)
	if err != nil {
		return out, err
	}
	grades, err := d.judged("test")
	if err == nil {
		out, err = readAnswer(data, grades)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return out, err
}

// readAnswer reads answer.json. It refuses an article that is not judged, since a citation has to be right or wrong.
func readAnswer(data []byte, grades map[string]map[string]int32) (out figure.Answer, err error) {
	var f answerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return out, err
	}
	judged := grades[f.Query]
	if judged == nil {
		return out, fmt.Errorf("there is no query %q", f.Query)
	}
	if len(f.Nuggets) == 0 || len(f.Sentences) == 0 {
		return out, errors.New("an answer has nuggets and sentences")
	}
	for _, n := range f.Nuggets {
		out.Nuggets = append(out.Nuggets, figure.Fact{Text: n.Text, Vital: n.Vital})
	}
	var cited []string
	for i, s := range f.Sentences {
		to := figure.Sentence{Text: s.Text, Starts: s.Starts, Supports: make([]nugget.Support, len(f.Nuggets))}
		for _, id := range s.Citations {
			grade, ok := judged[id]
			if !ok {
				return out, fmt.Errorf("sentence %d cites %q, which is not judged for query %s", i+1, id, f.Query)
			}
			at := slices.Index(cited, id)
			if at < 0 {
				at = len(cited)
				cited, out.Grades = append(cited, id), append(out.Grades, float64(grade))
			}
			to.Cites = append(to.Cites, at)
		}
		for number, support := range s.Support {
			n, err := strconv.Atoi(number)
			as, ok := map[string]nugget.Support{"support": nugget.Full, "partial_support": nugget.Partial}[support]
			if err != nil || n < 1 || n > len(f.Nuggets) || !ok {
				return out, fmt.Errorf("sentence %d: support %q of nugget %q", i+1, support, number)
			}
			to.Supports[n-1] = as
		}
		out.Sentences = append(out.Sentences, to)
	}
	for id, grade := range judged {
		if grade > 0 && !slices.Contains(cited, id) {
			out.Grades = append(out.Grades, float64(grade))
		}
	}
	slices.Sort(out.Grades[len(cited):]) // in an order of their own: a map has none
	return out, nil
}
