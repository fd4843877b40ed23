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
for (const dot of document.querySelectorAll("[data-colour]")) dot.style.background = dot.dataset.colour;

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

for (const b of document.querySelectorAll("#axes button")) b.hidden = true; // for who has no scripts
// Other axes are drawn in place: the focus stays, and the address says what is seen.
document.addEventListener("change", async (e) => {
  const form = e.target.closest("#axes");
  if (!form) return;
  const q = new URLSearchParams(new FormData(form));
  if (q.get("x") === q.get("y")) { // the other axis gives way
    const other = form.elements[e.target.name === "x" ? "y" : "x"];
    other.value = [...other.options].find((o) => o.value !== e.target.value).value;
    q.set(other.name, other.value);
  }
  const maps = document.querySelector("#maps");
  maps.setAttribute("aria-busy", "true");
  try {
    const token = document.documentElement.dataset.token;
    const reply = await fetch(`${data.base}/map?${q}`, { credentials: "same-origin", headers: token ? { Authorization: `Bearer ${token}` } : {} });
    if (!reply.ok) throw new Error("The map could not be drawn.");
    const part = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("#maps");
    maps.replaceChildren(...part.childNodes);
    history.replaceState(null, "", `?${q}${location.hash}`);
    say(maps.querySelector("svg").getAttribute("aria-label"), { toast: false });
  } catch (err) {
    say(err.message);
  }
  maps.removeAttribute("aria-busy");
});
