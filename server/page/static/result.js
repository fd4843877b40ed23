// The result page is drawn by the server; this only acts on it.
import { call, post, study, say, copy } from "./api.js";
import { draw, drawAll, lookOf } from "./card.js";
import { stage } from "./scene.js";
import { open } from "./take.js";
import "./try.js";

const main = document.querySelector("main");
const data = main.dataset;
const look = lookOf(data);
for (const box of document.querySelectorAll("[data-pick]")) stage(box, JSON.parse(box.dataset.pick), box.dataset.label, look);
drawAll(data);
for (const dot of document.querySelectorAll("[data-hue]")) dot.style.setProperty("--hue", dot.dataset.hue);

// Strips are drawn when they come near the screen: there may be dozens of pages in them. Where one is wider than the screen the pick is in its middle.
const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    for (const box of target.querySelectorAll("[data-cell]")) box.replaceChildren(draw(JSON.parse(box.dataset.cell), box.dataset.label, look).node);
    const [list, it] = [target.querySelector("ol"), target.querySelector(".it")];
    list.scrollLeft += !it ? 0 : it.getBoundingClientRect().left + it.offsetWidth / 2 - list.getBoundingClientRect().left - list.clientWidth / 2;
  }
}, { rootMargin: "300px" });
for (const strip of document.querySelectorAll(".strip")) near.observe(strip);
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
  take(b) { return open(JSON.parse(b.dataset.take), look); },
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
