// The result page is drawn by the server; this only acts on it.
import { call, post, study, say, copy } from "./api.js";
import { draw, drawAll, lookOf } from "./card.js";
import { address, query, reload, remember, send } from "./transport.js";
import { t } from "./language.js";
import { stage } from "./scene.js";
import { open } from "./take.js";
import { trying } from "./try.js";

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
    for (const box of target.querySelectorAll("[data-cell]")) box.replaceChildren(draw(JSON.parse(box.dataset.cell), box.dataset.label, { ...look, small: true }).node);
    const [list, it] = [target.querySelector("ol"), target.querySelector(".it")];
    list.scrollLeft += !it ? 0 : it.getBoundingClientRect().left + it.offsetWidth / 2 - list.getBoundingClientRect().left - list.clientWidth / 2;
  }
}, { rootMargin: "300px" });
for (const strip of document.querySelectorAll(".along")) near.observe(strip);
for (const bar of document.querySelectorAll("[data-part]")) bar.style.setProperty("--part", bar.dataset.part);

const acts = {
  async flip(b) {
    await post(`${data.base.slice((document.documentElement.dataset.root ?? "").length)}/flip`, { answer: b.dataset.answer });
    reload();
  },
  async remove(b) {
    await call("DELETE", `${study(data.study)}/answers/${encodeURIComponent(b.dataset.answer)}`);
    reload();
  },
  async copy(b) { await copy(b.dataset.text ? new URL(b.dataset.text, address()).href : address()); },
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

// Parts of the page are fetched: what takes long when it comes into sight, what was asked for in place. The focus stays, and the address says
// what is seen.
async function part(name, q) {
  const token = document.documentElement.dataset.token;
  const reply = await send(`${data.base}/${name}?${q}`, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  if (!reply.ok) throw new Error(t("result.part"));
  return new DOMParser().parseFromString(await reply.text(), "text/html").body;
}

function put(box, nodes) {
  box.replaceChildren(...nodes);
  drawAll(data, box);
}

async function refill(form, q) {
  const box = document.querySelector(form.dataset.into);
  box.setAttribute("aria-busy", "true");
  try {
    put(box, (await part(form.dataset.fetch, q)).querySelector(form.dataset.into).childNodes);
    remember(q);
    say(box.querySelector("svg")?.getAttribute("aria-label") ?? "", { toast: false });
  } catch (err) {
    say(err.message);
  }
  box.removeAttribute("aria-busy");
}

// ready binds the forms and the parts that a piece of the page has.
function ready(root) {
  for (const form of root.querySelectorAll("form[data-fetch]")) {
    form.querySelector("button").hidden = true; // it is for browsers without scripts
    form.addEventListener("change", (e) => {
      const { x, y } = form.elements;
      if (x && x.value === y.value) { // the other axis gives way
        const other = e.target === x ? y : x;
        other.value = [...other.options].find((o) => o.value !== e.target.value).value;
      }
      refill(form, new URLSearchParams(new FormData(form)));
    });
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      refill(form, new URLSearchParams(new FormData(form, e.submitter)));
    });
  }
  for (const box of root.querySelectorAll("section[data-fetch]")) sight.observe(box);
  for (const form of root.querySelectorAll("#try")) trying(form);
}

const sight = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    part(target.dataset.fetch, new URLSearchParams(query())).then(
      (body) => { target.querySelector(".waiting")?.remove(); const box = document.createElement("div"); target.append(box); put(box, body.childNodes); },
      () => target.remove());
  }
}, { rootMargin: "200px" });

// Details are fetched when they are opened, and stay open in this tab.
const details = document.querySelector("#details");
const opened = `details ${data.base}`;
async function unfold() {
  const box = details.querySelector(".sheet");
  try {
    put(box, (await part("details", new URLSearchParams(query()))).childNodes);
    ready(box);
    box.hidden = false;
    details.querySelector(".waiting").remove();
    if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  } catch (err) {
    details.querySelector(".waiting").textContent = err.message;
    asked = false; // opening them again is another attempt
  }
}
let asked = false;
function toggled() {
  if (details.open && !asked) {
    asked = true;
    unfold();
  }
  try {
    if (details.open) sessionStorage.setItem(opened, "1");
    else sessionStorage.removeItem(opened);
  } catch { /* a browser that keeps nothing does not remember it */ }
}
if (details) {
  details.addEventListener("toggle", toggled);
  try {
    if (sessionStorage.getItem(opened)) details.open = true;
  } catch { /* likewise */ }
  if (details.open) toggled(); // before this script was here
}
