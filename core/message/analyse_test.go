package message_test

import (
	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	replies = append([]message.Reply{{ID: 23, Kind: message.Analyse, Answer: &message.Analysed{Parts: []string{analysis.Luck}, Problem: "no figure",
		Sections: []analysis.Section{{Name: "places", Part: analysis.Luck, Title: "Places", Sentence: "A is 1st.", Notes: []string{"n"},
			Tables: []analysis.Table{{Caption: "c", Columns: []string{"Run", "Place"}, Rows: [][]analysis.Cell{{analysis.Words("A"), analysis.Whole(1)}}}}}}}}}, replies...)
	requests = append(requests, message.Request{ID: 14, Kind: message.Analyse, Question: &message.AskAnalyse{Parts: []string{analysis.Slice}, Claim: "P@5 0.4"}})
}
