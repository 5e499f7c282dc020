// Light or dark, as the reader chose it last.
const remembered = (value) => {
  try { // a page from disk may have no memory
    if (value === undefined) return localStorage.getItem("kpframe-theme");
    localStorage.setItem("kpframe-theme", value);
  } catch { /* then the theme lasts as long as the page */ }
  return null;
};
const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const drawTheme = () => { document.getElementById("theme").textContent = dark() ? "Light" : "Dark"; };
document.getElementById("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = dark() ? "light" : "dark";
  remembered(document.documentElement.dataset.theme);
  drawTheme();
});
if (["light", "dark"].includes(remembered())) document.documentElement.dataset.theme = remembered();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTheme);
drawTheme();
document.getElementById("print").addEventListener("click", () => print());
