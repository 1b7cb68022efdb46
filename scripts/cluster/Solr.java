import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/** A node of Solr with an empty core, collection, that ranks as bm25 of Rankbox and has vectors of 384 numbers: folder, port, seconds until it stops. */
public class Solr {
  static final String SCHEMA = """
      <schema name="rankbox" version="1.6">
        <similarity class="solr.BM25SimilarityFactory"><float name="k1">0.9</float><float name="b">0.4</float></similarity>
        <fieldType name="string" class="solr.StrField"/>
        <fieldType name="long" class="solr.LongPointField" docValues="true"/>
        <fieldType name="english" class="solr.TextField"><analyzer class="org.apache.lucene.analysis.en.EnglishAnalyzer"/></fieldType>
        <fieldType name="vector" class="solr.DenseVectorField" vectorDimension="384" similarityFunction="dot_product"/>
        <field name="id" type="string" indexed="true" stored="true" required="true"/>
        <field name="_version_" type="long" indexed="false" stored="false"/>
        <field name="title" type="string" indexed="false" stored="true"/>
        <field name="text" type="string" indexed="false" stored="true"/>
        <field name="all" type="english" indexed="true" stored="false"/>
        <field name="vector" type="vector" indexed="true" stored="false"/>
        <uniqueKey>id</uniqueKey>
      </schema>
      """;
  static final String CONFIG = """
      <config>
        <luceneMatchVersion>9.12</luceneMatchVersion>
        <schemaFactory class="ClassicIndexSchemaFactory"/>
        <updateHandler class="solr.DirectUpdateHandler2"/>
        <requestHandler name="/query" class="solr.SearchHandler"/>
      </config>
      """;

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath(), conf = home.resolve("collection/conf");
    Files.createDirectories(conf);
    Files.writeString(home.resolve("solr.xml"), "<solr></solr>");
    Files.writeString(home.resolve("collection/core.properties"), "name=collection\n");
    Files.writeString(conf.resolve("schema.xml"), SCHEMA);
    Files.writeString(conf.resolve("solrconfig.xml"), CONFIG);
    System.setProperty("solr.jetty.host", "127.0.0.1");
    System.setProperty("jetty.host", "127.0.0.1");
    JettySolrRunner node = new JettySolrRunner(home.toString(), JettyConfig.builder().setContext("/solr").setPort(Integer.parseInt(args[1])).build());
    node.start();
    System.out.println(node.getBaseUrl());
    Thread.sleep(1000L * Integer.parseInt(args[2]));
    node.stop();
  }
}
