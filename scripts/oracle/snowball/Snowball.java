import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.analysis.*;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.tartarus.snowball.SnowballStemmer;

/** Lucene's stems of every n-th word of Snowball's vocabularies, and its terms of a sentence a language: see ../README.md. */
public final class Snowball {
  static final String[] LANGUAGES = {"danish", "dutch", "finnish", "italian", "portuguese"};
  static final String[] SENTENCES = {
    "Havnens arbejdere nedlagde arbejdet, fordi skibene ikke blev lastet i tide; ØRESTADS færger ventede.",
    "De havenarbeiders legden het werk neer omdat de schepen niet op tijd geladen werden; 's-Hertogenbosch wachtte op één veerboot.",
    "Sataman työntekijät lopettivat työnsä, koska laivoja ei lastattu ajoissa; HELSINGISSÄ lautat odottivat.",
    "I lavoratori del porto hanno incrociato le braccia perché le navi non venivano caricate in tempo; l'unità dei TRAGHETTI aspettava.",
    "Os trabalhadores do porto pararam o trabalho porque os navios não eram carregados a tempo; as EMBARCAÇÕES esperavam.",
  };

  static String name(String language) {
    return Character.toUpperCase(language.charAt(0)) + language.substring(1);
  }

  static String terms(String language, String text) throws IOException {
    StandardTokenizer source = new StandardTokenizer();
    source.setReader(new StringReader(text));
    StringBuilder b = new StringBuilder();
    try (TokenStream s = new SnowballFilter(new LowerCaseFilter(source), name(language))) {
      CharTermAttribute term = s.addAttribute(CharTermAttribute.class);
      for (s.reset(); s.incrementToken(); ) b.append(b.length() > 0 ? " " : "").append(term);
      s.end();
    }
    return b.toString();
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 4) throw new Error("usage: Snowball.java VOCABULARIES NTH STEMS TERMS");
    int nth = Integer.parseInt(args[1]);
    try (Writer stems = new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(Path.of(args[2]))), StandardCharsets.UTF_8);
        Writer terms = Files.newBufferedWriter(Path.of(args[3]))) {
      for (int i = 0; i < LANGUAGES.length; i++) {
        String language = LANGUAGES[i];
        SnowballStemmer s = (SnowballStemmer) Class.forName("org.tartarus.snowball.ext." + name(language) + "Stemmer")
            .getDeclaredConstructor().newInstance();
        List<String> words = Files.readAllLines(Path.of(args[0], language, "voc.txt"));
        for (int w = 0; w < words.size(); w += nth) {
          s.setCurrent(words.get(w));
          s.stem();
          stems.write(language + "\t" + words.get(w) + "\t" + s.getCurrent() + "\n");
        }
        terms.write(language + "\t" + SENTENCES[i] + "\t" + terms(language, SENTENCES[i]) + "\n");
      }
    }
  }
}
