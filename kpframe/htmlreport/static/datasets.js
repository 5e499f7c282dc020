// The address of a page says what it shows: which data set, if there are several, and what was chosen in it.
const address = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
const dataset = address().get("dataset") ?? "";
const study = document.getElementById("sheets");
const started = (() => {
  if (!study) return document.getElementById("core") !== null;
  const wanted = [...document.querySelectorAll("template[data-dataset]")].find((page) => page.dataset.dataset === dataset);
  const page = wanted ?? document.getElementById("all-data-sets");
  document.currentScript.before(page.content.cloneNode(true));
  if (wanted && "single" in wanted.dataset) document.body.classList.add("single");
  for (const link of document.querySelectorAll("nav.sets a")) {
    if (link.dataset.dataset === (wanted ? dataset : "")) link.setAttribute("aria-current", "page");
  }
  return Boolean(wanted);
})();
if (study) {
  addEventListener("hashchange", () => {
    if (location.hash.includes("=") && (address().get("dataset") ?? "") !== dataset) location.reload();
  });
}
