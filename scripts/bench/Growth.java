import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.*;

/**
 * Lucene over a growth collection: Growth TEXTS QUERIES INDEX. TEXTS has a document a line, QUERIES a query a line, INDEX is a folder that it
 * makes. Prints the seconds of indexing, then a line a query: its median in nanoseconds over the passes, and the best 10 documents.
 */
public final class Growth {
  public static void main(String[] args) throws Exception {
    BM25Similarity similarity = new BM25Similarity(0.9f, 0.4f);
    Directory directory = MMapDirectory.open(Path.of(args[2]));
    long start = System.nanoTime();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setSimilarity(similarity).setRAMBufferSizeMB(512);
    try (IndexWriter writer = new IndexWriter(directory, config); var lines = Files.newBufferedReader(Path.of(args[0]))) {
      for (String line; (line = lines.readLine()) != null; ) {
        Document d = new Document();
        d.add(new TextField("text", line, Field.Store.NO));
        writer.addDocument(d);
      }
      writer.forceMerge(1);
    }
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    out.println((System.nanoTime() - start) / 1e9);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity);
      searcher.setQueryCache(null);
      List<Query> queries = new ArrayList<>();
      for (String line : Files.readAllLines(Path.of(args[1]))) {
        Map<String, Integer> words = new LinkedHashMap<>();
        for (String word : line.split(" ")) words.merge(word, 1, Integer::sum);
        BooleanQuery.Builder b = new BooleanQuery.Builder();
        for (var w : words.entrySet()) {
          Query term = new TermQuery(new Term("text", w.getKey()));
          b.add(w.getValue() > 1 ? new BoostQuery(term, w.getValue()) : term, BooleanClause.Occur.SHOULD);
        }
        queries.add(b.build());
      }
      final int warm = 3, passes = 5;
      long[][] took = new long[queries.size()][passes];
      TopDocs[] best = new TopDocs[queries.size()];
      for (int pass = -warm; pass < passes; pass++) {
        for (int i = 0; i < queries.size(); i++) {
          long begin = System.nanoTime();
          best[i] = searcher.search(queries.get(i), 10);
          if (pass >= 0) took[i][pass] = System.nanoTime() - begin;
        }
      }
      for (int i = 0; i < queries.size(); i++) {
        Arrays.sort(took[i]);
        StringBuilder line = new StringBuilder().append(took[i][passes / 2]);
        for (ScoreDoc d : best[i].scoreDocs) line.append(' ').append(d.doc);
        out.println(line);
      }
    }
    out.flush();
  }
}
