import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.uima.UIMAException;
import org.apache.uima.cas.ArrayFS;
import org.apache.uima.cas.CAS;
import org.apache.uima.cas.Feature;
import org.apache.uima.cas.FeatureStructure;
import org.apache.uima.cas.StringArrayFS;
import org.apache.uima.cas.Type;
import org.apache.uima.resource.metadata.TypeDescription;
import org.apache.uima.resource.metadata.TypeSystemDescription;
import org.apache.uima.resource.metadata.impl.TypeSystemDescription_impl;
import org.apache.uima.util.CasCreationUtils;

/**
 * JSON CAS (version 0.4 of its specification) into a CAS of the UIMA framework.
 *
 * <p>As much of it as kpframe writes, for machines that have the core library alone. Apache's own reader of
 * JSON CAS, the module uimaj-io-json, reads all of it and takes the place of this class where you have it.
 */
final class JsonCas {
  private final JsonNode data;
  private final CAS cas;
  private final Map<Integer, CAS> sofas = new HashMap<>();
  private final Map<Integer, FeatureStructure> made = new HashMap<>();

  private JsonCas(JsonNode data) throws UIMAException {
    this.data = data;
    this.cas = CasCreationUtils.createCas(types(data.get("%TYPES")), null, null);
  }

  static CAS read(File file) throws IOException, UIMAException {
    JsonCas reader = new JsonCas(new ObjectMapper().readTree(file));
    reader.fill();
    return reader.cas;
  }

  private static TypeSystemDescription types(JsonNode given) {
    TypeSystemDescription known = new TypeSystemDescription_impl();
    for (JsonNode one : given) {
      String name = one.get("%NAME").asText();
      TypeDescription type = known.addType(name, one.path("%DESCRIPTION").asText(""), one.get("%SUPER_TYPE").asText());
      for (Iterator<Map.Entry<String, JsonNode>> each = one.fields(); each.hasNext(); ) {
        Map.Entry<String, JsonNode> field = each.next();
        if (!field.getKey().startsWith("%")) {
          String range = field.getValue().get("%RANGE").asText();
          boolean array = range.endsWith("[]");
          String element = array ? range.substring(0, range.length() - 2) : null;
          type.addFeature(field.getKey(), "", array ? arrayOf(element) : range, primitive(element) ? null : element, null);
        }
      }
    }
    return known;
  }

  private static boolean primitive(String element) {
    return element == null || element.matches("uima\\.cas\\.(String|Integer|Double|Float|Boolean|Long|Short|Byte)");
  }

  private static String arrayOf(String element) {
    return primitive(element) ? element + "Array" : CAS.TYPE_NAME_FS_ARRAY;
  }

  private void fill() {
    JsonNode all = data.get("%FEATURE_STRUCTURES");
    for (JsonNode one : all) {
      if (one.get("%TYPE").asText().equals(CAS.TYPE_NAME_SOFA)) {
        addSofa(one);
      }
    }
    for (JsonNode one : all) {
      if (!one.get("%TYPE").asText().equals(CAS.TYPE_NAME_SOFA)) {
        made.put(one.get("%ID").asInt(), create(one));
      }
    }
    for (JsonNode one : all) {
      FeatureStructure found = made.get(one.get("%ID").asInt());
      if (found != null) {
        setFeatures(found, one);
      }
    }
    for (Iterator<Map.Entry<String, JsonNode>> each = data.get("%VIEWS").fields(); each.hasNext(); ) {
      Map.Entry<String, JsonNode> view = each.next();
      // The framework refuses a view that has no sofa: "No sofaFS with name … found."
      index(cas.getView(view.getKey()), view.getValue().get("%MEMBERS"));
    }
  }

  private void addSofa(JsonNode sofa) {
    String name = sofa.get("sofaID").asText();
    CAS view = name.equals(CAS.NAME_DEFAULT_SOFA) ? cas.getView(name) : cas.createView(name);
    if (sofa.has("sofaString")) {
      view.setSofaDataString(sofa.get("sofaString").asText(), sofa.path("mimeType").asText("text/plain"));
    }
    sofas.put(sofa.get("%ID").asInt(), view);
  }

  private FeatureStructure create(JsonNode one) {
    String name = one.get("%TYPE").asText();
    if (name.equals(CAS.TYPE_NAME_STRING_ARRAY)) {
      return cas.createStringArrayFS(one.path("%ELEMENTS").size());
    }
    if (name.equals(CAS.TYPE_NAME_FS_ARRAY)) {
      return cas.createArrayFS(one.path("%ELEMENTS").size());
    }
    CAS view = one.has("@sofa") ? sofas.get(one.get("@sofa").asInt()) : cas;
    return view.createFS(cas.getTypeSystem().getType(name));
  }

  private void setFeatures(FeatureStructure found, JsonNode one) {
    for (int i = 0; i < one.path("%ELEMENTS").size(); i++) {
      JsonNode element = one.get("%ELEMENTS").get(i);
      if (found instanceof StringArrayFS) {
        ((StringArrayFS) found).set(i, element.isNull() ? null : element.asText());
      } else {
        ((ArrayFS) found).set(i, made.get(element.asInt()));
      }
    }
    for (Iterator<Map.Entry<String, JsonNode>> each = one.fields(); each.hasNext(); ) {
      Map.Entry<String, JsonNode> field = each.next();
      String name = field.getKey().replaceFirst("^[@#]", "");
      if (name.startsWith("%") || name.equals("sofa") || field.getValue().isNull()) {
        continue;
      }
      Feature feature = found.getType().getFeatureByBaseName(name);
      if (field.getKey().startsWith("@")) {
        found.setFeatureValue(feature, made.get(field.getValue().asInt()));
      } else {
        found.setFeatureValueFromString(feature, field.getValue().asText());
      }
    }
  }

  private void index(CAS view, JsonNode members) {
    Type document = cas.getTypeSystem().getType(CAS.TYPE_NAME_DOCUMENT_ANNOTATION);
    for (JsonNode member : members) {
      FeatureStructure found = made.get(member.asInt());
      if (cas.getTypeSystem().subsumes(document, found.getType())) {
        // Setting the text has made one; a view has a single one.
        view.removeFsFromIndexes(view.getDocumentAnnotation());
      }
      view.addFsToIndexes(found);
    }
  }
}
