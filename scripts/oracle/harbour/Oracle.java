import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.*;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.sandbox.search.CombinedFieldQuery;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.*;
import org.apache.lucene.store.*;
import org.apache.lucene.util.*;

/**
 * Lucene's own figures for a small collection, with one index of the fields contents (title, a space, text), title and text: see README.md.
 * Arguments: a file of documents and one of queries (id, TAB, title, TAB, text; id, TAB, text; UTF-8, no line feeds inside), and a folder to write to.
 */
public final class Oracle {
  static final Analyzer ENGLISH = new Analyzer() {
    @Override protected TokenStreamComponents createComponents(String field) {
      Tokenizer t = new StandardTokenizer();
      TokenStream s = new StopFilter(new LowerCaseFilter(new EnglishPossessiveFilter(t)), EnglishAnalyzer.ENGLISH_STOP_WORDS_SET);
      return new TokenStreamComponents(t, new PorterStemFilter(s));
    }
  };

  static List<String> tokens(String text) throws IOException {
    List<String> out = new ArrayList<>();
    try (TokenStream s = ENGLISH.tokenStream("contents", text)) {
      CharTermAttribute term = s.addAttribute(CharTermAttribute.class);
      s.reset();
      while (s.incrementToken()) out.add(term.toString());
      s.end();
    }
    return out;
  }

  static String quote(String s) {
    return "\"" + s.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  static PrintWriter open(String folder, String name) throws IOException {
    Path p = Paths.get(folder, name);
    Files.createDirectories(p.getParent());
    return new PrintWriter(Files.newBufferedWriter(p, StandardCharsets.UTF_8));
  }

  static Query flat(List<String> tokens) {
    Map<String, Integer> count = new LinkedHashMap<>();
    for (String t : tokens) count.merge(t, 1, Integer::sum);
    BooleanQuery.Builder b = new BooleanQuery.Builder();
    count.forEach((t, n) -> {
      Query q = new TermQuery(new Term("contents", t));
      b.add(n == 1 ? q : new BoostQuery(q, n), BooleanClause.Occur.SHOULD);
    });
    return b.build();
  }

  static Query bm25f(List<String> tokens, float title) {
    Map<String, Integer> count = new LinkedHashMap<>();
    for (String t : tokens) count.merge(t, 1, Integer::sum);
    BooleanQuery.Builder b = new BooleanQuery.Builder();
    count.forEach((t, n) -> {
      Query q = new CombinedFieldQuery.Builder().addField("title", title).addField("text", 1).addTerm(new BytesRef(t)).build();
      b.add(n == 1 ? q : new BoostQuery(q, n), BooleanClause.Occur.SHOULD);
    });
    return b.build();
  }

  static void json(Explanation e, StringBuilder out) {
    out.append("{\"value\":").append(e.getValue()).append(",\"description\":").append(quote(e.getDescription())).append(",\"details\":[");
    String comma = "";
    for (Explanation d : e.getDetails()) {
      out.append(comma);
      json(d, out);
      comma = ",";
    }
    out.append("]}");
  }

  public static void main(String[] args) throws Exception {
    String to = args[2];
    List<String[]> docs = new ArrayList<>(), queries = new ArrayList<>();
    for (String l : Files.readAllLines(Paths.get(args[0]), StandardCharsets.UTF_8)) docs.add(l.split("\t", -1));
    for (String l : Files.readAllLines(Paths.get(args[1]), StandardCharsets.UTF_8)) queries.add(l.split("\t", -1));

    Directory dir = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(ENGLISH);
    config.setSimilarity(new BM25Similarity());
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    try (IndexWriter w = new IndexWriter(dir, config)) {
      for (String[] d : docs) {
        Document doc = new Document();
        doc.add(new StringField("id", d[0], Field.Store.YES));
        doc.add(new SortedDocValuesField("order", new BytesRef(d[0])));
        doc.add(new Field("contents", d[1] + " " + d[2], type));
        doc.add(new Field("title", d[1], type));
        doc.add(new Field("text", d[2], type));
        w.addDocument(doc);
      }
      w.forceMerge(1);
    }
    IndexReader reader = DirectoryReader.open(dir);
    LeafReader leaf = reader.leaves().get(0).reader();

    try (PrintWriter out = open(to, "totals.json")) {
      out.print("{");
      String comma = "";
      for (String field : new String[] {"contents", "title", "text"}) {
        Terms t = leaf.terms(field);
        double avg = (double) t.getSumTotalTermFreq() / t.getDocCount();
        out.printf(Locale.ROOT, "%s\"%s\":{\"documents\":%d,\"documents_with_field\":%d,\"distinct_terms\":%d,\"sum_total_term_freq\":%d,\"sum_doc_freq\":%d,\"avgdl_double\":%s,\"avgdl_float32\":%s}",
            comma, field, leaf.maxDoc(), t.getDocCount(), t.size(), t.getSumTotalTermFreq(), t.getSumDocFreq(), Double.toString(avg), Float.toString((float) avg));
        comma = ",";
      }
      out.println("}");
    }
    try (PrintWriter out = open(to, "vocabulary.tsv")) {
      TermsEnum e = leaf.terms("contents").iterator();
      for (BytesRef t = e.next(); t != null; t = e.next()) out.print(t.utf8ToString() + "\t" + e.docFreq() + "\t" + e.totalTermFreq() + "\n");
    }
    try (PrintWriter out = open(to, "doclengths.tsv")) {
      NumericDocValues norms = leaf.getNormValues("contents");
      for (int d = 0; d < docs.size(); d++) {
        int n = tokens(docs.get(d)[1] + " " + docs.get(d)[2]).size();
        norms.advanceExact(d);
        byte norm = (byte) norms.longValue();
        out.print(docs.get(d)[0] + "\t" + n + "\t" + SmallFloat.byte4ToInt(norm) + "\t" + (norm & 0xff) + "\n");
      }
    }
    try (PrintWriter out = open(to, "queries.jsonl")) {
      for (String[] q : queries) {
        StringJoiner j = new StringJoiner(",");
        for (String t : tokens(q[1])) j.add(quote(t));
        out.print("{\"id\":" + quote(q[0]) + ",\"tokens\":[" + j + "]}\n");
      }
    }

    Map<String, Similarity> models = new LinkedHashMap<>();
    models.put("flat.bm25.k0.9-b0.4", new BM25Similarity(0.9f, 0.4f));
    models.put("flat.bm25.k1.2-b0.75", new BM25Similarity(1.2f, 0.75f));
    models.put("flat.ql-dirichlet.mu1000", new LMDirichletSimilarity(1000));
    models.put("flat.ql-jm.lambda0.1", new LMJelinekMercerSimilarity(0.1f));
    for (int title : new int[] {1, 3}) {
      models.put("bm25f-title" + title + "-text1.bm25.k0.9-b0.4", new BM25Similarity(0.9f, 0.4f));
      models.put("bm25f-title" + title + "-text1.bm25.k1.2-b0.75", new BM25Similarity(1.2f, 0.75f));
    }
    Sort order = new Sort(SortField.FIELD_SCORE, new SortField("order", SortField.Type.STRING));
    for (Map.Entry<String, Similarity> m : models.entrySet()) {
      IndexSearcher s = new IndexSearcher(reader);
      s.setSimilarity(m.getValue());
      try (PrintWriter out = open(to, "runs/" + m.getKey() + ".run")) {
        for (String[] q : queries) {
          List<String> t = tokens(q[1]);
          Query query = m.getKey().startsWith("flat") ? flat(t) : bm25f(t, m.getKey().contains("title3") ? 3 : 1);
          TopFieldDocs top = s.search(query, 100, order, true);
          int rank = 0;
          for (ScoreDoc d : top.scoreDocs)
            out.print(q[0] + " Q0 " + s.storedFields().document(d.doc).get("id") + " " + ++rank + " " + Float.toString(d.score) + " " + m.getKey() + "\n");
        }
      }
    }
    IndexSearcher s = new IndexSearcher(reader);
    s.setSimilarity(new BM25Similarity(0.9f, 0.4f));
    try (PrintWriter out = open(to, "explain.json")) {
      int[] ranks = {1, 2, 3, 4, 5, 6, 8, 10, 13, 21, 34, 55, 89};
      String comma = "[";
      for (int i = 0; i < ranks.length; i++) {
        String[] q = queries.get(i * 3);
        for (String form : new String[] {"flat", "bm25f title^3 text^1"}) {
          Query query = form.equals("flat") ? flat(tokens(q[1])) : bm25f(tokens(q[1]), 3);
          TopFieldDocs top = s.search(query, 100, order, true);
          ScoreDoc d = top.scoreDocs[Math.min(ranks[i], top.scoreDocs.length) - 1];
          StringBuilder tree = new StringBuilder();
          json(s.explain(query, d.doc), tree);
          out.print(comma + "\n{\"query\":" + quote(q[1]) + ",\"form\":" + quote(form) + ",\"doc_id\":" + quote(s.storedFields().document(d.doc).get("id"))
              + ",\"k1\":0.9,\"b\":0.4,\"score\":" + d.score + ",\"explanation\":" + tree + "}");
          comma = ",";
        }
      }
      out.println("\n]");
    }
  }
}
