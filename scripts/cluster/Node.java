import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One node of OpenSearch in a process of its own, so that it can be killed: folder, number, first port, number of nodes, and perhaps its plugins' classes. */
public class Node {
  public static void main(String[] args) throws Exception {
    int number = Integer.parseInt(args[1]), port = Integer.parseInt(args[2]), nodes = Integer.parseInt(args[3]);
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((n, settings) -> {
      settings.put("node.name", "node-" + number);
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", port + number);
      settings.put("transport.port", port + 100 + number);
      settings.put("cluster.initial_cluster_manager_nodes", "node-0");
      settings.putList("discovery.seed_hosts", seeds(port, nodes));
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
    });
    String plugins = args.length > 4 ? args[4] : "";
    runner.build(OpenSearchRunner.newConfigs().clusterName("rankbox").numOfNode(1).basePath(args[0]).pluginTypes(plugins).disableESLogger());
    Thread.currentThread().join();
  }

  static String[] seeds(int port, int nodes) {
    String[] out = new String[nodes];
    for (int i = 0; i < nodes; i++) out[i] = "127.0.0.1:" + (port + 100 + i);
    return out;
  }
}
