package message_test

import (
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	replies = append([]message.Reply{{ID: 23, Kind: message.Analyse,
		Answer: &message.Analysed{Parts: []string{analysis.Luck}, Problem: "no figure",
			Checked: &analysis.Checked{Run: 1, Name: "B b", Measure: "P@5", Headline: "h", Why: "w", Answer: "ranx",
				More: 3, Fits: true, Tools: []analysis.ToolFigure{{Tool: "ranx", Version: "1", As: "precision@5",
					Value:      0.4,
					Difference: -0.1, Queries: 2, Fits: true}},
				Changed: []analysis.ChangedQuery{{Query: "q", Ours: 0.5, Theirs: 0.4, Why: "ties"}}},
			Sections: []analysis.Section{{Name: "places", Part: analysis.Luck, Title: "Places", Sentence: "A is 1st.",
				Notes: []string{"n"},
				Tables: []analysis.Table{{Caption: "c", Columns: []string{"Run", "Place"},
					Rows: [][]analysis.Cell{{analysis.Words("A"), analysis.Whole(1)}}}}}}}}}, replies...)
	requests = append(requests,
		message.Request{ID: 14, Kind: message.Analyse, Question: &message.AskAnalyse{Parts: []string{analysis.Slice},
			Claim: "P@5 0.4"}})
}
