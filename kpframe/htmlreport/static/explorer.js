// Documents with their marks. Offsets are code points: a text is cut as an array of them, never as a string.
Object.assign(state, { document: "", order: "difference", search: "" });
const MARKS = { hit: "hit", near: "near miss", false: "false", gold: "missed gold" };
const ORDERS = [["difference", "difference of A and B"], ["worst", "worst of A first"], ["best", "best of A first"], ["id", "id"]];
const sampled = (id) => detail.documents.some((one) => one.id === id);
const open = (ids) => {
  const id = ids.find(sampled);
  if (id === undefined) return;
  change({ search: "", document: id });
  byId("explorer").scrollIntoView();
};
const searchable = new Map();
const holds = (one, wanted) => {
  if (!searchable.has(one)) {
    const phrases = Object.values(one.systems).flat().map((phrase) => phrase.text);
    searchable.set(one, [one.id, one.text, ...one.gold.flatMap((gold) => gold.variants), ...new Set(phrases)].join("\n").toLowerCase());
  }
  return searchable.get(one).includes(wanted);
};

const listed = () => {
  const places = new Map(detail.per_document.ids.map((id, index) => [id, index]));
  const [one, other] = [valuesOf(state.chosen[0]), valuesOf(state.chosen[1])];
  const wanted = state.search.trim().toLowerCase();
  const all = detail.documents.filter((item) => !wanted || holds(item, wanted)).map((item) => {
    const [a, b] = [one[places.get(item.id)], other[places.get(item.id)]];
    const both = typeof a === "number" && typeof b === "number";
    return { id: item.id, a, b, gap: both ? a - b : null };
  });
  const fields = { difference: (item) => (item.gap === null ? null : Math.abs(item.gap)), worst: (item) => item.a, best: (item) => item.a, id: (item) => item.id };
  return sorted(all, { value: fields[state.order] }, state.order === "difference" || state.order === "best");
};
const drawDocuments = () => {
  const all = listed();
  const current = all.some((item) => item.id === state.document) ? state.document : all[0]?.id ?? "";
  const says = (item) => `${item.id}${typeof item.a === "number" ? `  ·  A ${figures(item.a, 2)}` : ""}${typeof item.b === "number" ? `  ·  B ${figures(item.b, 2)}` : ""}`;
  const step = (by) => {
    const place = all.findIndex((item) => item.id === state.document);
    const next = all[place + by];
    if (next) change({ document: next.id });
  };
  fill("pick",
    select("Order", ORDERS, state.order, (order) => change({ order, document: "" }), { id: "order" }),
    select(`Document (${whole(all.length)})`, all.map((item) => [item.id, says(item)]), current, (id) => change({ document: id }), { id: "document" }),
    el("div", { class: "buttons" },
      el("button", { type: "button", id: "previous", onclick: () => { step(-1); byId("previous").focus(); } }, "◀ Previous"),
      el("button", { type: "button", id: "next", onclick: () => { step(1); byId("next").focus(); } }, "Next ▶")));
  if (current !== state.document) change({ document: current });
};
view(["column", "chosen", "order", "search", "document"], drawDocuments);

// The text cut wherever a mark begins or ends; each piece knows the marks that cover it.
const pieces = (length, spans) => {
  const cuts = [...new Set([0, length, ...spans.flatMap(({ begin, end }) => [begin, end])])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((begin, index) => {
    const end = cuts[index + 1];
    return { begin, end, covers: spans.filter((span) => span.begin <= begin && span.end >= end) };
  });
};
const RANKED = ["hit", "near", "false", "gold"];
const spansOf = (one, phrases) => [
  ...one.gold.flatMap((gold, index) => gold.spans.map(([begin, end]) => ({ begin, end, mark: "gold", gold: index, says: `gold: ${gold.text}` }))),
  ...phrases.flatMap((phrase) => phrase.spans.map(([begin, end]) => ({ begin, end, mark: phrase.mark, rank: phrase.rank, says: `${MARKS[phrase.mark]}${phrase.rule ? ` (${phrase.rule})` : ""}, rank ${phrase.rank}: ${phrase.text}` }))),
];
const piece = (points, { begin, end, covers }) => {
  const text = points.slice(begin, end).join("");
  if (!covers.length) return document.createTextNode(text);
  const marks = new Set(covers.map((cover) => cover.mark));
  const first = RANKED.find((mark) => marks.has(mark));
  const ranks = covers.filter((cover) => cover.rank).map((cover) => cover.rank);
  const ends = covers.filter((cover) => cover.rank && cover.end === end).map((cover) => cover.rank);
  const starts = covers.filter((cover) => cover.begin === begin && cover.mark === first);
  return el("mark", {
    class: `${first}${marks.has("gold") ? " is-gold" : ""}`, title: covers.map((cover) => visible(cover.says)).join("\n"),
    "data-begin": begin, "data-end": end, "data-ranks": ranks.join(" "), "data-gold": covers.filter((cover) => cover.mark === "gold").map((cover) => cover.gold).join(" "),
    "data-ends": ends.length ? ends.join(",") : null, "data-says": starts.length ? ` [${MARKS[first]}] ` : null,
  }, text);
};
const marked = (one, phrases) => {
  const points = Array.from(one.text);
  return el("div", { class: "text", dir: "auto", tabindex: "0", role: "region", "aria-label": "marked text" },
    pieces(points.length, spansOf(one, phrases)).map((part) => piece(points, part)));
};
const light = (panel, rank) => {
  const lit = [...panel.querySelectorAll("mark")].filter((mark) => mark.dataset.ranks.split(" ").includes(String(rank)));
  for (const mark of panel.querySelectorAll("mark.lit")) mark.classList.remove("lit");
  for (const mark of lit) mark.classList.add("lit");
  lit[0]?.scrollIntoView({ block: "nearest" });
};
const phraseList = (one, phrases, panel) => {
  const fields = [
    { head: "rank", numeric: true, value: (phrase) => phrase.rank },
    { head: "keyphrase", value: (phrase) => phrase.text, cell: (phrase) => el("button", { type: "button", class: "link", onclick: () => light(panel, phrase.rank) }, foreign(phrase.text)) },
    { head: "score", numeric: true, value: (phrase) => phrase.score, cell: (phrase) => tick(phrase.score) },
    { head: "mark", value: (phrase) => RANKED.indexOf(phrase.mark), cell: (phrase) => [el("span", { class: `tag ${phrase.mark}` }, MARKS[phrase.mark]), phrase.rule && el("span", { class: "small" }, ` ${phrase.rule}`), one.gold[phrase.gold] && phrase.mark !== "hit" && el("span", { class: "small" }, " → ", foreign(one.gold[phrase.gold].text))] },
  ];
  return table("Keyphrases by rank", fields, phrases, { attributes: { class: "phrases" } });
};
const panel = (one, { name, slot }) => {
  const phrases = one.systems[name];
  const box = el("article", { class: `panel slot-${slot}`, "data-system": name });
  const at = detail.per_document.ids.indexOf(one.id);
  box.append(el("h3", {}, badge(slot), foreign(name), el("span", { class: "small" }, ` ${figures(valuesOf(name)[at])}`)));
  if (!phrases) return add(box, {}, [nothing("Nothing is kept of this system for this document.")]);
  const moved = one.other_text?.includes(name);
  const found = new Set(phrases.filter((phrase) => phrase.mark === "hit").map((phrase) => phrase.gold));
  const missed = one.gold.filter((_, index) => !found.has(index));
  add(box, {}, [
    moved && el("p", { class: "small" }, "This system cleaned the text in another way: its keyphrases have no place in this one."),
    marked(one, phrases), phraseList(one, phrases, box),
    el("h4", {}, `Missed (${missed.length} of ${one.gold.length})`),
    el("ul", { class: "phrase-list" }, missed.map((gold) => el("li", {}, foreign(gold.text), !gold.present && el("span", { class: "small" }, " not in the text")))),
  ]);
  return box;
};
const drawDocument = () => {
  const one = detail.documents.find((item) => item.id === state.document);
  if (!one) return fill("document-view", nothing(detail.documents.length ? "No document holds this." : "No documents are kept in this report; see the notes."));
  const all = chosen();
  return fill("document-view",
    el("p", { class: "small", "aria-live": "polite" }, "Document ", foreign(one.id), `: ${counted(one.gold.length, "gold keyphrase")}, ${one.gold.filter((gold) => gold.present).length} in the text.`),
    all.length ? el("div", { class: `panels panels-${all.length}` }, all.map((choice) => panel(one, choice))) : noChoice());
};
view(["document", "chosen", "column"], drawDocument);

const phraseTable = (caption, rows, more) =>
  table(caption, [
    { head: "phrase", value: (item) => item.text, cell: (item) => el("button", { type: "button", class: "link", title: "search the documents for it", onclick: () => { byId("search").value = item.text; change({ search: item.text }); byId("explorer").scrollIntoView(); } }, foreign(item.text)) },
    { head: "documents", numeric: true, value: (item) => item.count, cell: (item) => whole(item.count) },
    ...more,
  ], rows, { limit: 15 });
const drawErrors = () => {
  const spread = { head: "systems", numeric: true, value: (item) => item.systems, cell: (item) => whole(item.systems) };
  fill("errors", noChoice() || el("div", { class: "side-by-side" }, chosen().map(({ name, slot }) =>
    el("div", {}, el("h4", {}, badge(slot), foreign(name)),
      el("div", { class: "two" },
        phraseTable("Missed most often", detail.missed[name] ?? [], []),
        phraseTable("Wrong most often", detail.spurious[name] ?? [], [spread]))))));
};
view(["chosen"], drawErrors);
