// The result page is drawn by the server; this only acts on it.
import { call, post, study, say, copy } from "./api.js";
import { drawAll } from "./card.js";

const main = document.querySelector("main");
const data = main.dataset;
drawAll(data);
for (const bar of document.querySelectorAll("[data-part]")) bar.style.setProperty("--part", bar.dataset.part);

const acts = {
  async flip(b) {
    await post(`${data.base.slice((document.documentElement.dataset.root ?? "").length)}/flip`, { answer: b.dataset.answer });
    location.reload();
  },
  async remove(b) {
    await call("DELETE", `${study(data.study)}/answers/${encodeURIComponent(b.dataset.answer)}`);
    location.reload();
  },
  async copy(b) { await copy(b.dataset.text ? new URL(b.dataset.text, location.href).href : location.href); },
  async copytext(b) { await copy(b.dataset.text); },
};

document.addEventListener("click", async (e) => {
  const b = e.target.closest("[data-do]");
  if (!b) return;
  b.disabled = true;
  try {
    await acts[b.dataset.do]?.(b);
  } catch (err) {
    say(err.message);
  }
  b.disabled = false;
});
const axes = document.querySelector("#axes");
axes?.addEventListener("change", () => axes.requestSubmit());
