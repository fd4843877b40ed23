// One option at a time: flipped in place, or enlarged to the whole window.
import { say } from "./api.js";
import { t } from "./language.js";

const pair = document.querySelector("#pair");
const bar = document.querySelector("#lens");
const side = document.querySelector("#lens-side");
const rest = document.querySelectorAll(".top, #prompt, #other, .foot"); // what an enlarged option covers

const coarse = matchMedia("(pointer: coarse)");
const on = () => pair.classList.contains("flip");

function show(which) {
  [...pair.children].forEach((card, i) => card.classList.toggle("under", i !== which));
  pair.classList.add("flip");
  bar.hidden = false;
  side.textContent = which === 0 ? t("answer.left") : t("answer.right");
  say(side.textContent, { toast: false });
}

const shown = () => [...pair.children].findIndex((card) => !card.classList.contains("under"));

// flip shows the left option alone, then the other, in one place.
export function flip() {
  if (pair.children.length === 2) show(on() ? 1 - shown() : 0);
}

// enlarge gives the whole window to one option, or gives it back.
export function enlarge(which = on() ? shown() : 0) {
  if (pair.children.length !== 2) return;
  if (pair.classList.contains("zoom")) return both();
  show(which);
  pair.classList.add("zoom");
  bar.classList.add("zoom");
  for (const el of rest) el.inert = true;
  if (!coarse.matches) bar.querySelector("[data-do=both]").focus({ preventScroll: true });
}

// both shows the two beside each other again.
export function both() {
  const here = bar.contains(document.activeElement);
  pair.classList.remove("flip", "zoom", "actual");
  bar.classList.remove("zoom");
  bar.hidden = true;
  for (const el of rest) el.inert = false;
  for (const card of pair.children) card.classList.remove("under");
  if (here) pair.querySelector(".choose")?.focus({ preventScroll: true });
}

// Enlarged, a click on a picture shows it at its own size; a tap, after which fingers can do that better, ends it.
pair.addEventListener("click", (e) => {
  const card = e.target.closest(".card.picture");
  if (!card || e.target.closest("button, .player")) return;
  if (!pair.classList.contains("zoom")) return coarse.matches && enlarge([...pair.children].indexOf(card));
  if (coarse.matches) both();
  else if (card.querySelector(".show > img")) pair.classList.toggle("actual");
});
