package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Input is where runs, judgments and other files come from: dropped, pasted, or made on the open collection.
type Input struct {
	app  *state.App
	runs *Runs
	view *View

	Pasted  string // text as typed
	Pasting bool   // text was pasted: the field for more is open
}

// PasteGrades compares a list of grades, as analysis.ReadGrades reads it, and opens the tab that checks numbers; false
// where the text is none. Several lines without "|" are files: judgments can consist of numbers too.
func (in *Input) PasteGrades(text string) bool {
	if text = strings.TrimSpace(text); strings.Contains(text, "\n") && !strings.Contains(text, "|") {
		return false
	}
	g, err := analysis.ReadGrades(text)
	if err != nil {
		return false
	}
	in.view.wanted = TabCheck
	n := strconv.Itoa(len(in.runs.Setting.Files) + 1)
	in.add(textFiles(in.app, "grades-"+n+".qrels", g.Qrels(), "grades-"+n+".run", g.Run()))
	return true
}

// add takes files that were dropped, chosen or pasted, and shows the Compare screen.
func (in *Input) add(list []message.File) {
	in.app.Notices.Problem = nil
	if in.app.Settings.Screen != share.Compare {
		in.app.Go(share.Compare)
	}
	have := in.runs.Setting.Files
	total := 0
	for _, f := range have {
		total += f.Size
	}
	var taken, over []message.File
	var big []string
	for _, f := range list {
		f.Name = strings.ToValidUTF8(f.Name, "\ufffd")
		switch {
		case len(have)+len(taken) >= MaxFiles:
			over = append(over, f)
		case f.Size > in.runs.Limit() || total+f.Size > in.runs.Together():
			big = append(big, f.Name+" ("+say.Bytes(int64(f.Size))+")")
		default:
			total += f.Size
			taken = append(taken, f)
		}
	}
	switch {
	case len(over) > 0:
		in.app.Notices.Problem = &message.Problem{Where: message.Few(over),
			What: "Up to " + strconv.Itoa(MaxFiles) + " files are open at once; " +
				say.Count(len(over), "more was", "more were") + " not added.",
			Do: "Remove files that you do not need, or compare these separately."}
	case len(big) > 0:
		in.app.Notices.Problem = &message.Problem{Where: say.Few(big, 5),
			What: "This is more than fits into the memory of this device, " + say.Bytes(int64(in.runs.Limit())) +
				" a file and " + say.Bytes(int64(in.runs.Together())) + " together. Larger files were not read.",
			Do: "Cut the runs to the first 1,000 documents a query (gzip does not help), or use `rankbox compare` " +
				"on the command line, which reads 1 GiB of a file, and more with -max-bytes 20GiB."}
	}
	if len(taken) == 0 {
		in.app.View.Draw()
		return
	}
	in.runs.change(func(s *message.Setting) {
		if s.Here() || s.Link != "" && hasQrels(taken) {
			*s = message.Setting{}
		}
		s.Files = append(s.Files, taken...)
		s.Search = in.openSystems()
	})
}

// openSystems are the systems that are open in Search: they answer the queries of a golden set.
func (in *Input) openSystems() (out []string) {
	if r := in.app.Figures.Report; r != nil && !in.app.Figures.Stale() {
		return ofReport(r).Matrix.Systems
	}
	if o := in.app.Engine.Opened; o != nil {
		return state.DefaultsOf(o)
	}
	return nil
}

// hasQrels guesses by the name whether judgments are among the files: they begin a new comparison.
func hasQrels(list []message.File) bool {
	return slices.ContainsFunc(list, func(f message.File) bool {
		return strings.Contains(strings.ToLower(f.Name), "qrel")
	})
}

// Type takes the text of the field for pasted runs.
func (in *Input) Type(text string) {
	in.Pasted = strings.ToValidUTF8(text, "\ufffd")
	in.app.View.Draw()
}

// Paste takes text as a file.
func (in *Input) Paste(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	in.Pasted, in.Pasting = "", true
	if in.PasteGrades(text) {
		return
	}
	in.add([]message.File{in.app.Browser.Text("pasted.txt", text)})
}

// textFiles are files of texts, given as names and texts in turn.
func textFiles(a *state.App, pairs ...string) (out []message.File) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, a.Browser.Text(pairs[i], pairs[i+1]))
	}
	return out
}

// Clear takes everything out, and opens the panel for other runs.
func (in *Input) Clear() {
	in.runs.change(func(s *message.Setting) { *s = message.Setting{} })
	in.runs.Adding = true
	in.app.View.Draw()
}

// Toggle opens the panel in which runs are added, or closes it.
func (in *Input) Toggle() {
	if in.runs.standing != nil { // it is below the board
		in.view.Tab = TabBoard
	} else {
		in.runs.Adding = !in.runs.Adding
	}
	in.app.View.Draw()
	if in.runs.Adding || in.runs.standing != nil {
		in.app.View.FocusOn("read-title")
	}
}

// UseExample compares three systems on the open collection.
func (in *Input) UseExample() {
	if in.app.Settings.Screen != share.Compare {
		in.app.Go(share.Compare)
	}
	in.runs.change(func(s *message.Setting) { *s = message.Setting{Example: true} })
}

// UseOpen compares the systems that are open in Search, on the open collection.
func (in *Input) UseOpen() {
	var s message.Setting
	if r := in.app.Figures.Report; r != nil && !in.app.Figures.Stale() {
		s = ofReport(r)
	} else {
		s.Matrix.Systems = state.Defaults
		if o := in.app.Engine.Opened; o != nil {
			s.Matrix.Systems = state.DefaultsOf(o)
		}
		s.Matrix.Baseline = s.Matrix.Systems[0]
	}
	in.use(s, nil)
}

// use compares systems of the open collection; look is what is looked at first, nil for the usual.
func (in *Input) use(s message.Setting, look *packed.View) {
	if in.app.Settings.Screen != share.Compare {
		in.app.Go(share.Compare)
	}
	in.view.arriving = look
	in.runs.change(func(now *message.Setting) { *now = s })
}
