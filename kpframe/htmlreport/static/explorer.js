// Documents with their marks. Offsets are code points: a text is cut as an array of them, never as a string.
Object.assign(state, { document: "", order: single ? "id" : "difference", search: "" });
const MARKS = { hit: "hit", near: "near miss", false: "false", gold: "gold", given: "keyphrase" };
const RULES = { "overlap: head": "shares the head", "overlap: first": "shares the first word", "overlap: middle": "shares an inner word" };
const ORDERS = single
  ? [["id", "id"], ["worst", "worst first"], ["best", "best first"]]
  : [["difference", "difference of A and B"], ["worst", "worst of A first"], ["best", "best of A first"], ["id", "id"]];
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
    const phrases = one.phrases.map((phrase) => phrase.text);
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
    const both = isNumber(a) && isNumber(b);
    return { id: item.id, a, b, gap: both ? a - b : null };
  });
  const fields = { difference: (item) => (item.gap === null ? null : Math.abs(item.gap)), worst: (item) => item.a, best: (item) => item.a, id: (item) => places.get(item.id) };
  return sorted(all, { value: fields[state.order] }, state.order === "difference" || state.order === "best");
};
const drawDocuments = () => {
  if (!detail.documents.length) return fill("pick");
  const all = listed();
  const current = all.some((item) => item.id === state.document) ? state.document : all[0]?.id ?? "";
  const says = (item) => `${item.id}${isNumber(item.a) ? `  ·  ${single ? "" : "A "}${figures(item.a, 2)}` : ""}${isNumber(item.b) ? `  ·  B ${figures(item.b, 2)}` : ""}`;
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
// What the phrases of a system are under the matching that is chosen: whether they hit, and whether they count.
const judged = (one, name) => {
  const phrases = one.systems[name].map(([rank, score, number]) => ({ ...one.phrases[number], rank, score }));
  if (!one.gold.length) return phrases.map((phrase) => ({ ...phrase, mark: "given" })); // nobody can tell
  const last = one.counted?.[name]?.[label()] ?? Infinity;
  return phrases.map((phrase) => {
    const beyond = phrase.rank > last;
    const hit = phrase.hits?.[label()];
    if (hit) return { ...phrase, mark: "hit", rule: hit[0], gold: hit[1], beyond };
    const [other] = Object.entries(phrase.hits ?? {});
    if (other) return { ...phrase, mark: "near", rule: `${other[1][0]} (${other[0]} matching)`, gold: other[1][1], beyond };
    return { ...phrase, mark: phrase.mark === "hit" ? "near" : phrase.mark, rule: RULES[phrase.rule] ?? phrase.rule, beyond };
  });
};
const RANKED = ["hit", "near", "false", "gold", "given"];
const spansOf = (one, phrases) => [
  ...one.gold.flatMap((gold, index) => gold.spans.map(([begin, end]) => ({ begin, end, mark: "gold", gold: index, says: `gold: ${gold.text}` }))),
  ...phrases.flatMap((phrase) => phrase.spans.map(([begin, end]) => ({ begin, end, mark: phrase.mark, rank: phrase.rank, beyond: phrase.beyond,
    says: `${MARKS[phrase.mark]}${phrase.rule ? ` (${phrase.rule})` : ""}, rank ${phrase.rank}${phrase.beyond ? ", behind the cut-off" : ""}: ${phrase.text}` }))),
];
const piece = (points, { begin, end, covers }) => {
  const text = points.slice(begin, end).join("");
  if (!covers.length) return document.createTextNode(text);
  const ranked = covers.filter((cover) => cover.rank);
  const counting = ranked.filter((cover) => !cover.beyond);
  const marks = new Set((counting.length ? counting : ranked.length ? ranked : covers).map((cover) => cover.mark));
  const first = RANKED.find((mark) => marks.has(mark));
  const golds = covers.filter((cover) => cover.mark === "gold").map((cover) => cover.gold);
  const ends = ranked.filter((cover) => cover.end === end).map((cover) => cover.rank);
  const starts = covers.filter((cover) => cover.begin === begin && cover.mark === first);
  const beyond = ranked.length > 0 && !counting.length;
  return el("mark", {
    class: `${first}${golds.length ? " is-gold" : ""}${beyond ? " beyond" : ""}`, title: covers.map((cover) => visible(cover.says)).join("\n"),
    "data-begin": begin, "data-end": end, "data-ranks": ranked.map((cover) => cover.rank).join(" "), "data-gold": golds.join(" "),
    "data-ends": ends.length ? ends.join(",") : null, "data-says": starts.length ? ` [${MARKS[first]}${beyond ? ", behind the cut-off" : ""}] ` : null,
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
    { head: "mark", value: (phrase) => RANKED.indexOf(phrase.mark), cell: (phrase) => [el("span", { class: `tag ${phrase.mark}` }, MARKS[phrase.mark]), phrase.rule && el("span", { class: "small" }, ` ${phrase.rule}`), one.gold[phrase.gold] && phrase.mark !== "hit" && el("span", { class: "small" }, " → ", foreign(one.gold[phrase.gold].text)), phrase.beyond && hidden(", behind the cut-off")] },
  ];
  const count = phrases.filter((phrase) => !phrase.beyond).length;
  const counting = count === phrases.length ? "all count" : count === 0 ? "none counts" : count === 1 ? "the first counts" : `the first ${whole(count)} count`;
  const says = one.gold.length ? `Keyphrases by rank: ${counting}` : "Keyphrases by rank";
  return table(says, fields, phrases, { attributes: { class: "phrases" }, rowAttributes: (phrase) => ({ class: phrase.beyond ? "beyond" : null }) });
};
// Why a gold keyphrase is missed, as far as the list of the system tells.
const reason = (gold, index, phrases) => {
  const late = phrases.find((phrase) => phrase.mark === "hit" && phrase.gold === index);
  if (late) return `ranked ${whole(late.rank)}.`;
  if (!gold.present) return "not in the text";
  const near = phrases.find((phrase) => phrase.mark === "near" && phrase.gold === index);
  return near ? ["only near: ", foreign(near.text)] : "not in the list";
};
const missedList = (one, phrases) => {
  const found = new Set(phrases.filter((phrase) => phrase.mark === "hit" && !phrase.beyond).map((phrase) => phrase.gold));
  const missed = one.gold.map((gold, index) => ({ gold, index })).filter(({ index }) => !found.has(index));
  const inText = [...missed.filter(({ gold }) => gold.present), ...missed.filter(({ gold }) => !gold.present)];
  return [
    el("h4", {}, one.gold.length ? `Missed (${missed.length} of ${one.gold.length})` : "No gold keyphrases"),
    missed.length > 0 && el("ul", { class: "phrase-list" }, inText.map(({ gold, index }) => el("li", {}, foreign(gold.text), " ", el("span", { class: "small" }, reason(gold, index, phrases))))),
  ];
};
const panel = (one, { name, slot }) => {
  const box = el("article", { class: `panel slot-${slot}`, "data-system": name });
  const value = valuesOf(name)[detail.per_document.ids.indexOf(one.id)];
  box.append(el("h3", {}, badge(slot) || "", foreign(name), el("span", { class: "small" }, ` ${columnSays()} ${figures(value)}`)));
  if (!one.systems[name]) return add(box, {}, [nothing("Nothing is kept of this system for this document.")]);
  const phrases = judged(one, name);
  const moved = one.other_text?.includes(name);
  return add(box, {}, [
    moved && el("p", { class: "small" }, "This system cleaned the text in another way: its keyphrases have no place in this one."),
    marked(one, phrases),
    phrases.length ? phraseList(one, phrases, box) : nothing("This system found no keyphrase here."),
    missedList(one, phrases),
  ]);
};
const drawDocument = () => {
  const one = detail.documents.find((item) => item.id === state.document);
  if (!one) return fill("document-view", nothing(detail.documents.length ? "No document holds this." : "There is no text to show; the notes or the failures say why."));
  const all = chosen();
  return fill("document-view",
    el("p", { class: "small", "aria-live": "polite" }, "Document ", foreign(one.id), `: ${counted(one.gold.length, "gold keyphrase")}${one.gold.length ? `, ${whole(one.gold.filter((gold) => gold.present).length)} in the text` : ""}.`),
    all.length ? el("div", { class: `panels panels-${all.length}` }, all.map((choice) => panel(one, choice))) : noChoice());
};
view(["document", "chosen", "column"], drawDocument);

const phraseTable = (caption, rows, more) =>
  rows.length && rows.every(({ count }) => count === 1) ? nothing(`${caption}: no phrase in more than one document.`) : rows.length ? table(caption, [
    { head: "phrase", value: (item) => item.text, cell: (item) => el("button", { type: "button", class: "link", title: "search the documents for it", onclick: () => { byId("search").value = item.text; change({ search: item.text }); byId("explorer").scrollIntoView(); } }, foreign(item.text)) },
    { head: "documents", numeric: true, value: (item) => item.count, cell: (item) => whole(item.count) },
    ...more,
  ], rows, { limit: 12 }) : nothing(`${caption}: ${detail.documents.length ? "none" : "not known"}.`);
const drawErrors = () => {
  const spread = { head: "systems", numeric: true, value: (item) => item.systems, cell: (item) => whole(item.systems) };
  fill("errors", noChoice() || !hasGold && nothing("Without scores nothing is missed or wrong.") || el("div", { class: "side-by-side" }, chosen().map(({ name, slot }) =>
    el("div", {}, el("h4", {}, badge(slot), foreign(name)),
      el("div", { class: "two" },
        phraseTable("Missed most often", detail.missed[name] ?? [], []),
        phraseTable("Wrong most often", detail.spurious[name] ?? [], single ? [] : [spread]))))));
};
view(["chosen"], drawErrors);
