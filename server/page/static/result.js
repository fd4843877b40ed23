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
