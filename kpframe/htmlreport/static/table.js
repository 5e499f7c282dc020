// Tables that sort by their heads. `fields`: {head, value(row), cell(row), numeric, attributes(row), note};
// a field without `value` does not sort. `says` is for those who hear a caption that is no text. What has no value stands last in both directions.
const compare = (left, right) => {
  if (typeof left === "string" || typeof right === "string") return String(left).localeCompare(String(right), "en", { numeric: true });
  return left - right;
};
const sorted = (rows, field, down) => {
  const known = rows.filter((row) => field.value(row) !== null && field.value(row) !== undefined);
  const unknown = rows.filter((row) => !known.includes(row));
  known.sort((one, other) => (down ? -1 : 1) * compare(field.value(one), field.value(other)));
  return [...known, ...unknown];
};
const row = (fields, record, attributes) =>
  el("tr", attributes?.(record), fields.map((field, index) =>
    el(index === 0 ? "th" : "td",
      { scope: index === 0 ? "row" : null, class: field.numeric ? "number" : null, ...field.attributes?.(record) },
      field.cell ? field.cell(record) : field.value(record))));
const orders = new Map();
const table = (caption, fields, rows, { name, start = -1, down = true, last = [], limit = Infinity, attributes, rowAttributes, says = String(caption) } = {}) => {
  const order = orders.get(name) ?? { index: start, down };
  if (name) orders.set(name, order);
  const body = el("tbody");
  const heads = fields.map((field, index) => {
    const marks = { scope: "col", class: field.numeric ? "number" : null };
    if (!field.value || field.fixed) return el("th", marks, el("span", { class: "plain" }, field.head));
    const press = () => {
      order.down = order.index === index ? !order.down : Boolean(field.numeric);
      order.index = index;
      draw();
    };
    return el("th", marks, el("button", { type: "button", class: "sort", onclick: press }, field.head));
  });
  const draw = () => {
    const current = fields[order.index];
    const all = current ? sorted(rows, current, order.down) : rows;
    body.replaceChildren(...all.slice(0, limit).map((record) => row(fields, record, rowAttributes)), ...last);
    heads.forEach((head, index) => {
      if (index === order.index) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  };
  draw();
  const made = el("table", attributes, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body);
  return scrolling(made, visible(says));
};
// A table that is too wide scrolls in a box of its own, also by the keyboard.
const scrolling = (content, says) =>
  el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": says }, content);
const behind = (content, summary = "The numbers as a table") =>
  el("details", { class: "behind" }, el("summary", {}, summary), content);
