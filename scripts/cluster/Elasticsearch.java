import org.codelibs.elasticsearch.runner.ElasticsearchClusterRunner;

/** A node of Elasticsearch on loopback: folder, port, seconds until it stops. */
public class Elasticsearch {
  public static void main(String[] args) throws Exception {
    ElasticsearchClusterRunner runner = new ElasticsearchClusterRunner();
    runner.onBuild((n, settings) -> {
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", args[1]);
      settings.put("discovery.type", "single-node");
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    runner.build(ElasticsearchClusterRunner.newConfigs().clusterName("rankbox").numOfNode(1).basePath(args[0]).disableESLogger());
    System.out.println("http://127.0.0.1:" + args[1]);
    Thread.sleep(1000L * Integer.parseInt(args[2]));
    runner.close();
  }
}
