// Trying one of one's own against the pick: fields, a drawing that follows them, and the question.
import { draw, lookOf } from "./card.js";
import { go as navigate } from "./transport.js";
import { t } from "./language.js";

// trying makes a form of fields ready.
export function trying(form) {
  const look = lookOf(document.querySelector("main").dataset);
  const begin = JSON.parse(form.dataset.begin);
  const box = form.querySelector(".show");
  const go = form.querySelector("[type=submit]");
  const shown = form.dataset.items && new Map(JSON.parse(form.dataset.items).map((o) => [o.item.id, o]));

  // valueOf reads a field: of a range laid out in ratios the slider has the part of the way.
  const valueOf = (f) => {
    if (f.tagName === "SELECT") return JSON.parse(f.value);
    if (f.dataset.log) return Number((Number(f.dataset.low) * (f.dataset.high / f.dataset.low) ** f.value).toPrecision(3));
    return Number(f.value);
  };
  const fields = [...form.querySelectorAll("[data-name]")];
  const chosen = shown && fields.length === 1; // of a list one is chosen already, and it is not the pick
  if (chosen) fields[0].dataset.moved = "true";
  const option = () => ({ ...begin, ...Object.fromEntries(fields.filter((f) => f.dataset.moved).map((f) => [f.dataset.name, valueOf(f)])) });

  let wanted = 0;
  async function paint() {
    const request = ++wanted;
    const o = option();
    const { item, ...params } = o;
    const drawing = draw(!shown ? { params: o } : chosen ? shown.get(item) : { ...shown.get(item), params }, t("try.yours"), look);
    go.disabled = !fields.some((f) => f.dataset.moved);
    if (!drawing.late) await drawing.ready;
    if (request === wanted) box.replaceChildren(drawing.node);
  }
  for (const f of fields) {
    const out = form.querySelector(`output[for="${f.id}"]`);
    const tell = () => { if (out) out.textContent = String(valueOf(f)); };
    f.addEventListener("input", () => { f.dataset.moved = "true"; tell(); paint(); });
    if (f.dataset.log) f.value = Math.log(f.dataset.at / f.dataset.low) / Math.log(f.dataset.high / f.dataset.low);
    tell();
  }
  form.addEventListener("reset", () => setTimeout(() => {
    for (const f of fields) {
      if (!chosen) delete f.dataset.moved;
      if (f.dataset.log) f.value = Math.log(f.dataset.at / f.dataset.low) / Math.log(f.dataset.high / f.dataset.low);
      const out = form.querySelector(`output[for="${f.id}"]`);
      if (out) out.textContent = String(valueOf(f));
    }
    paint();
  }));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    navigate(`${look.base}?against=${encodeURIComponent(JSON.stringify(option()))}`);
  });
  new IntersectionObserver((seen, watch) => { if (seen.some((s) => s.isIntersecting)) { watch.disconnect(); paint(); } }, { rootMargin: "300px" }).observe(form);
  go.disabled = true;
}
