package backend

// openSearch is OpenSearch 2 and later. kNN needs its k-NN plugin, hybrid its neural-search plugin; both are part of
// its distribution.
//
// Source: https://docs.opensearch.org/docs/latest/api-reference/search/
var openSearch = &Kind{
	Name:    "opensearch",
	Auth:    func(key string) (string, string) { return "Authorization", "Basic " + key },
	Inspect: luceneStats,
	Mapping: luceneMapping,
	Pin:     pinning("/_search/point_in_time", "pit_id"),
	Search: &Searching{
		Path: searchPath,
		Templates: map[Mode]string{
			BM25: lucene,
			KNN: `{"size":"$k","_source":["${id}"],"query":{"knn":{"${vector_field}":{"vector":"$vector",` +
				`"k":"$k"}}}}`,
			Hybrid: `{"size":"$k","_source":["${id}"],"query":{"hybrid":{"queries":[{"multi_match":{"query":"$query",` +
				`"fields":"$fields","type":"most_fields"}},{"knn":{"${vector_field}":{"vector":"$vector",` +
				`"k":"$candidates"}}}]}},` +
				`"search_pipeline":{"phase_results_processors":[{"normalization-processor":{"normalization":{"technique":"min_max"},"combination":{"technique":"arithmetic_mean"}}}]}}`,
		},
		Read:      luceneHits,
		Documents: luceneDocuments,
	},
}
