package reference

// Privacy says what stays on a reader's device, what leaves it and when. Unlike the other pages it has no registry: it
// is the one place where this is written.
func Privacy() Page {
	said := func(id, title, brief string) Entry { return Entry{ID: id, Title: title, Brief: brief} }
	return Page{
		Path: "/privacy", Doc: "docs/privacy.md", Title: "Privacy",
		Description: "What Rankbox stores on your device, what leaves it and when, and how to delete it.",
		Intro: []Text{plain("Rankbox runs in your browser. There are no accounts, cookies, advertisements or visitor " +
			"statistics, and the page asks no other site for anything, unless this site names a server of its own " +
			"(an edge).")},
		Chapters: []Chapter{
			{ID: "stays", Title: "What stays on your device", Entries: []Entry{
				said("files", "Files that you drop", "Documents, queries, judgments, runs and scores are read by the "+
					"page and sent nowhere. Your documents and everything that you make over them (queries, grades, "+
					"notes, systems, reports) are stored by the browser, for this site alone."),
				said("typed", "Queries that you type", "They are answered here. Queries over your own documents, "+
					"and the documents' ids and titles, are not in the address either, so the browser's history "+
					"doesn't have them. The page stores your last query for a reload, until you delete the "+
					"collection."),
				said("clicks", "The click log", "Off until you turn it on, on Judge. It is stored with the workspace "+
					"and exported only if you ask for it. You can read it and delete it."),
				said("lessons", "Answers in lessons", "Your progress and your answers stay here until you hand them "+
					"in as a file or a text."),
				said("settings", "Settings", "Presenter view, keys and the like are stored by the browser, and files "+
					"of this site for use offline, with the collections that you keep."),
			}},
			{ID: "leaves", Title: "What leaves it, and when", Entries: []Entry{
				said("site", "Loading the site", "The host of these files sees which of them your browser asks for, "+
					"and your network address, as any web server does. It does not see what follows # in an address, "+
					"where links of Rankbox put their content. The page sends no referrer."),
				said("links", "Links and files that you share", "A link holds queries, settings and figures, never "+
					"your documents; one from Play holds the names in its list. A saved workspace holds your "+
					"documents if you include them. Nothing is uploaded: whoever gets the link or the file from you "+
					"has what is in it."),
				said("backends", "Systems that use a backend", "Only if this site has an edge and you choose such a "+
					"system. Then the query, and for a reranker or an embedding the texts to score, go to the edge "+
					"and from there to the service that it names. The page asks before the first call, and again "+
					"when the amount that it named is used up."),
				said("votes", "Votes in a class", "A phone sends the option that was chosen and a random number, so "+
					"that a second vote replaces the first. The edge stores counts. It deletes the room after a day."),
				said("edge", "What an edge logs", "A line for each request with ids, sizes and times, without text, "+
					"keys or network addresses. An operator can turn it off. See docs/edge.md."),
			}},
			{ID: "delete", Title: "Deleting it", Entries: []Entry{
				said("one", "A collection of your own", "All collections, Delete: its documents, queries, grades, "+
					"notes and reports are gone from everything that the browser stores for this site, second copies "+
					"included. Addresses in the browser's history have the collection's id and ids of judged queries. "+
					"The bytes of a deleted file stay on the disk until the browser or the system writes over them."),
				said("kept", "A collection of this site", "All collections, Remove: its files are off this device."),
				said("everything", "Everything", "Delete the data of this site in the settings of your browser."),
			}},
		},
	}
}
