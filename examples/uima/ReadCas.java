import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.TreeMap;

import org.apache.uima.UIMAFramework;
import org.apache.uima.cas.CAS;
import org.apache.uima.cas.impl.XmiCasDeserializer;
import org.apache.uima.cas.impl.XmiCasSerializer;
import org.apache.uima.cas.text.AnnotationFS;
import org.apache.uima.resource.metadata.TypeSystemDescription;
import org.apache.uima.util.CasCreationUtils;
import org.apache.uima.util.XMLInputSource;
import org.xml.sax.SAXException;

/**
 * Reads the CAS files of a folder with the UIMA framework, walks their annotations and writes them as XMI.
 *
 * <p>Prints a line for each annotation: file, view, type, begin, end, covered text, parted by tabs. XMI is read
 * strictly: a type or feature that TypeSystem.xml in the folder lacks is an error.
 */
public final class ReadCas {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: ReadCas FOLDER OUT");
      System.exit(2);
    }
    File in = new File(arguments[0]);
    File out = new File(arguments[1]);
    out.mkdirs();
    PrintStream lines = new PrintStream(new FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
    File[] files = in.listFiles();
    Arrays.sort(files);
    CAS xmi = null;
    for (File file : files) {
      CAS cas;
      if (file.getName().endsWith(".xmi")) {
        xmi = xmi == null ? empty(new File(in, "TypeSystem.xml")) : xmi;
        xmi.reset();
        try (InputStream stream = new FileInputStream(file)) {
          XmiCasDeserializer.deserialize(stream, xmi, false);
        }
        cas = xmi;
      } else if (file.getName().endsWith(".json")) {
        cas = JsonCas.read(file);
      } else {
        continue;
      }
      walk(file.getName(), cas, lines);
      write(cas, new File(out, file.getName().replaceFirst("\\.[a-z]+$", "") + ".xmi"));
    }
    lines.flush();
  }

  /** A CAS with the types of a descriptor; CasCreationUtils.mergeTypeSystems adds those of your components. */
  private static CAS empty(File types) throws Exception {
    TypeSystemDescription known =
        UIMAFramework.getXMLParser().parseTypeSystemDescription(new XMLInputSource(types));
    known.resolveImports();
    return CasCreationUtils.createCas(known, null, null);
  }

  /** JSON holds characters that XML does not, as a form feed: such a CAS is not written, and its name is told. */
  private static void write(CAS cas, File target) throws IOException {
    try (OutputStream stream = new FileOutputStream(target)) {
      XmiCasSerializer.serialize(cas, stream);
      return;
    } catch (SAXException error) {
      System.err.println(target.getName() + ": not written: " + error.getMessage());
    }
    target.delete();
  }

  private static void walk(String file, CAS cas, PrintStream lines) {
    TreeMap<String, CAS> views = new TreeMap<>();
    for (Iterator<CAS> each = cas.getViewIterator(); each.hasNext(); ) {
      CAS view = each.next();
      views.put(view.getViewName(), view);
    }
    views.forEach(
        (name, view) -> {
          for (AnnotationFS one : view.getAnnotationIndex()) {
            lines.printf(
                "%s\t%s\t%s\t%d\t%d\t%s\n",
                file, name, one.getType().getName(), one.getBegin(), one.getEnd(), escaped(one.getCoveredText()));
          }
        });
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
  }
}
