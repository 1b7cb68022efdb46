import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.elasticsearch.common.text.Text;
import org.elasticsearch.index.rankeval.DiscountedCumulativeGain;
import org.elasticsearch.index.rankeval.EvaluationMetric;
import org.elasticsearch.index.rankeval.MeanReciprocalRank;
import org.elasticsearch.index.rankeval.PrecisionAtK;
import org.elasticsearch.index.rankeval.RatedDocument;
import org.elasticsearch.index.rankeval.RecallAtK;
import org.elasticsearch.index.shard.ShardId;
import org.elasticsearch.search.SearchHit;
import org.elasticsearch.search.SearchShardTarget;
import org.opensearchproject.Evaluation;
import org.opensearchproject.later.JudgmentThresholdCalculator;

/**
 * What Elasticsearch's and OpenSearch's own classes say of rankings. The file has a query a line: its name, the ids of
 * the hits and pairs id=rating, in three columns. Printed are tool, measure, its name there, query and value.
 * conventions_servers.py calls it.
 */
public class Servers {
  static final String[] TOOLS = {"Elasticsearch", "OpenSearch 3", "OpenSearch"};

  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      String[] columns = line.split("\t", -1);
      List<String> ids = columns[1].isEmpty() ? List.of() : List.of(columns[1].split(" "));
      List<RatedDocument> rated = new ArrayList<>();
      Map<String, String> ratings = new HashMap<>();
      for (String pair : columns[2].isEmpty() ? new String[0] : columns[2].split(" ")) {
        String[] both = pair.split("=");
        rated.add(new RatedDocument("i", both[0], Integer.parseInt(both[1])));
        ratings.put(both[0], both[1]);
      }
      SearchHit[] hits = new SearchHit[ids.size()];
      for (int i = 0; i < hits.length; i++) {
        hits[i] = new SearchHit(i, ids.get(i), new Text("_doc"), Map.of(), Map.of());
        hits[i].shard(new SearchShardTarget("n", new ShardId("i", "u", 0), null));
      }
      for (int k : new int[] {3, 5, 10}) {
        // The server asks for k hits.
        SearchHit[] first = java.util.Arrays.copyOf(hits, Math.min(k, hits.length));
        print("nDCG@" + k, "dcg (normalize, k=" + k + ")", columns[0], new DiscountedCumulativeGain(true, null, k), first, rated);
        print("DCG@" + k, "dcg (k=" + k + ")", columns[0], new DiscountedCumulativeGain(false, null, k), first, rated);
        print("P@" + k, "precision (k=" + k + ")", columns[0], new PrecisionAtK(1, false, k), first, rated);
        print("P(rel=2)@" + k, "precision (k=" + k + ", relevant_rating_threshold=2)", columns[0], new PrecisionAtK(2, false, k), first, rated);
        print("R@" + k, "recall (k=" + k + ")", columns[0], new RecallAtK(1, k), first, rated);
        print("RR@" + k, "mean_reciprocal_rank (k=" + k + ")", columns[0], new MeanReciprocalRank(1, k), first, rated);
        print(1, "nDCG@" + k, "NDCG@" + k, columns[0], Evaluation.calculateNDCGAtK(ids, ratings, k));
        print(1, "P@" + k, "Precision@" + k, columns[0], ids.isEmpty() ? 0 : Evaluation.calculatePrecisionAtK(ids, ratings, k));
        print(1, "AP@" + k, "MAP@" + k, columns[0], Evaluation.calculateMAPAtK(ids, ratings, k));
        double from = JudgmentThresholdCalculator.computeThreshold(ratings);
        print(2, "nDCG@" + k, "NDCG@" + k, columns[0], org.opensearchproject.later.Evaluation.calculateNDCGAtK(ids, ratings, k));
        print(2, "DCG@" + k, "DCG@" + k, columns[0], org.opensearchproject.later.Evaluation.calculateDCGAtK(ids, ratings, k));
        print(2, "P@" + k, "Precision@" + k, columns[0], org.opensearchproject.later.Evaluation.calculatePrecisionAtK(ids, ratings, k, from));
        print(2, "R@" + k, "Recall@" + k, columns[0], org.opensearchproject.later.Evaluation.calculateRecallAtK(ids, ratings, k, from));
        print(2, "AP@" + k, "MAP@" + k, columns[0], org.opensearchproject.later.Evaluation.calculateMAPAtK(ids, ratings, k, from));
        print(2, "RR@" + k, "MRR (size=" + k + ")", columns[0], org.opensearchproject.later.Evaluation.calculateReciprocalRank(ids, ratings, k, from));
      }
    }
  }

  static void print(String measure, String name, String query, EvaluationMetric metric, SearchHit[] hits, List<RatedDocument> rated) {
    print(0, measure, name, query, metric.evaluate(query, hits, rated).metricScore());
  }

  static void print(int tool, String measure, String name, String query, double value) {
    System.out.println(String.join("\t", TOOLS[tool], measure, name, query, Double.toString(value)));
  }
}
