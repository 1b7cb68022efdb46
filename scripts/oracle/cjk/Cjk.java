import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.cjk.CJKAnalyzer;
import org.apache.lucene.analysis.tokenattributes.*;

/** What Lucene's CJKAnalyzer makes of chosen texts, of random ones and of the sentences of a file, a line each: see ../README.md. */
public final class Cjk {
  static final String[] CHOSEN = {
    "", "東京都に行きました。", "中国人民", "中", "中 国", "中a国", "我是中国人,you are 英国人", "ラーメン", "らーめん", "スーパーマーケット", "ｶﾞｷﾞｸﾞ", "ﾊﾟﾊﾟ ﾊﾞ ｱﾞ", "ﾞｶ", "ＡＢＣ１２３",
    "Ｔｈｅ ｔｈｅ The cats' www s t", "한국어 문서", "한", "한국어를", "대한민국 만세", "a한국", "한국a", "韓国語한국어", "𠮷野家", "𠀀𠀁𠀂", "が゙か\u3099", "時々〆切", "１２３円", "3.14度", "東京_大阪", "東京・大阪",
    "東京\u200d大阪", "e\u0301東", "東\u0301京", "ヴァイオリンとﾋﾟｱﾉ", "ไทย中文", "日本語とEnglishのmixed text", "가나다 \u1100\u1161\u11a8", "ㄱㄴㄷ", "ｱｲｳｴｵ", "ﾡﾢﾣ", "〇一二三", "㈱日本", "ヽヾゝゞ", "ー", "ーー", "アー", "あー", "😀東京😀",
  };
  static final String[] ALPHABET = {
    "東", "京", "国", "中", "人", "𠮷", "々", "〇", "あ", "い", "が", "ん", "っ", "ゝ", "ア", "カ", "ガ", "ン", "ー", "ヽ", "ｱ", "ｶ", "ﾊ", "ｳ", "ﾞ", "ﾟ", "ｰ", "･", "한", "국", "어", "가", "\u1100", "\u1161", "ㄱ", "a", "b", "the", "X", "Ａ", "ｂ", "１", "1", "2",
    ".", ",", "'", "_", "。", "、", "・", " ", " ", " ", "\u3000", "\u0301", "\u3099", "\u200d", "ไ", "é", "😀", "-", "İ", "ß", "Σ",
  };

  static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c)) b.append(String.format("\\u%04x", (int) c));
      else b.append(c);
    }
    return b.append('"').toString();
  }

  static final String KANA = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";
  static final String[] FOREIGN = {"BM25", "ＢＭ２５", "𠮷野家", "３．１４％", "the", "O'Neill", "ﾗﾝｷﾝｸﾞ", "ランキング", "검색エンジン", "がん", "no. 7", "𪜈𠀀", "ｗｗｗ", "2026年"};

  /** A sentence with foreign words between its characters, its Katakana half as wide and its digits and Latin letters twice. */
  static String mixed(String sentence, Random random) {
    StringBuilder b = new StringBuilder();
    for (char c : sentence.toCharArray()) {
      if (random.nextInt(9) == 0) b.append(FOREIGN[random.nextInt(FOREIGN.length)]);
      if (KANA.indexOf(c) >= 0) b.append((char) (0xff66 + KANA.indexOf(c)));
      else if (c > 0x20 && c < 0x7f) b.append((char) (c - 0x20 + 0xff00));
      else b.append(c);
    }
    return b.toString();
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    List<String> texts = new ArrayList<>(List.of(CHOSEN));
    Random random = new Random(7);
    for (int i = 0; i < 1500; i++) {
      StringBuilder b = new StringBuilder();
      for (int n = 1 + random.nextInt(14); n > 0; n--) b.append(ALPHABET[random.nextInt(ALPHABET.length)]);
      texts.add(b.toString());
    }
    texts.add("カ".repeat(300) + "国");
    List<String> sentences = Files.readAllLines(Path.of(args[0]));
    texts.addAll(sentences);
    for (int i = 0; i < sentences.size(); i += 2) texts.add(mixed(sentences.get(i), random));
    try (CJKAnalyzer analyzer = new CJKAnalyzer()) {
      for (String text : texts) {
        StringJoiner tokens = new StringJoiner(",", "[", "]");
        try (TokenStream s = analyzer.tokenStream("x", text)) {
          CharTermAttribute term = s.addAttribute(CharTermAttribute.class);
          s.reset();
          while (s.incrementToken()) tokens.add(quote(term.toString()));
          s.end();
        }
        out.println("{\"text\":" + quote(text) + ",\"tokens\":" + tokens + "}");
      }
      StringJoiner stop = new StringJoiner(" ");
      new TreeSet<>(analyzer.getStopwordSet().stream().map(w -> new String((char[]) w)).toList()).forEach(stop::add);
      System.err.println(stop);
    }
    out.flush();
  }
}
