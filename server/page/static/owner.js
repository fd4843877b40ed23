// The owner's view: whose favourite is sought, links to hand out, a pause, and a board that follows the study.
import { call, post, study, say, copy } from "./api.js";
import { drawAll } from "./card.js";
import { paint } from "./jobs.js";

const data = document.querySelector("main").dataset;
const root = document.documentElement.dataset.root ?? "";
const base = data.base.slice(root.length);

const form = document.querySelector("#link");
form?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const rater = form.querySelector("#rater").value.trim();
  const until = form.querySelector("#until").value;
  const body = rater ? { rater } : { everybody: true };
  if (until) body.expires = new Date(new Date(`${until}T00:00`).getTime() + 24 * 3600 * 1000).toISOString(); // the day included
  try {
    handOut(await post(`${study(data.study)}/links`, body));
    form.querySelector("#rater").value = "";
    await refresh();
  } catch (err) {
    say(err.message);
  }
});

// handOut shows a link, the only time that its address is known.
function handOut({ id, url, rater }) {
  takeIn(id);
  const address = new URL(url, location.href).href;
  const box = document.querySelector("#handout").content.firstElementChild.cloneNode(true);
  box.querySelector("img").src = `${root}${base}/qr?text=${encodeURIComponent(address)}`;
  box.querySelector("img").alt = `QR code of the link for ${rater || "everybody"}`;
  box.querySelector("h3").textContent = `For ${rater || "everybody"}`;
  box.dataset.id = id;
  box.querySelector("input").value = address;
  box.querySelector("button").addEventListener("click", () => copy(address));
  document.querySelector("#links").prepend(box);
  say("Here is the link. It is shown only now.");
  box.querySelector("button").focus();
}

// takeIn removes what was shown of a link whose address no longer works.
const takeIn = (id) => { for (const box of document.querySelectorAll(".handout")) if (box.dataset.id === id) box.remove(); };

// A link is withdrawn by pressing twice: whoever has it is out at once.
document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-link]");
  if (!button) return;
  const { link, who, how } = button.dataset;
  if (how === "withdraw" && !button.dataset.sure) {
    button.dataset.sure = "true";
    button.textContent = "Really withdraw?";
    return say(`Press again to withdraw the link of ${who}.`, { toast: false });
  }
  button.disabled = true;
  try {
    const path = `${study(data.study)}/links/${encodeURIComponent(link)}`;
    if (how === "renew") handOut(await post(`${path}/renew`));
    else await call("DELETE", path).then(() => takeIn(link));
    await refresh();
    if (how === "withdraw") say(`Withdrawn. The link of ${who} no longer works.`);
  } catch (err) {
    button.disabled = false;
    say(err.message);
  }
});

const pause = document.querySelector("#pause");
pause?.addEventListener("click", async () => {
  try {
    await post(`${base}/pause`, { paused: pause.dataset.paused !== "true" });
    location.reload();
  } catch (err) {
    say(err.message);
  }
});

// Whose favourite is sought can be said at any time: no answer is lost by it.
document.addEventListener("change", async (e) => {
  const whose = e.target.closest("#whose");
  if (!whose) return;
  whose.disabled = true;
  try {
    await call("PATCH", study(data.study), { people: e.target.value });
    say(`${e.target.value === "shared" ? "One for the team" : "Each her own"}. All answers so far count.`, { toast: false });
    await refresh();
  } catch (err) {
    say(err.message);
    await refresh(["whose"]);
  }
  whose.disabled = false;
});

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-rater]");
  if (!button) return;
  const { rater, back } = button.dataset;
  button.disabled = true;
  try {
    await post(`${study(data.study)}/exclude`, { rater, back: back === "true" });
    await refresh();
    say(back === "true" ? "Taken back." : "Left out. The answers are kept.");
    [...document.querySelectorAll("[data-rater]")].find((b) => b.dataset.rater === rater)?.focus();
  } catch (err) {
    button.disabled = false;
    say(err.message);
  }
});

// refresh exchanges what has changed.
async function refresh(more = []) {
  const reply = await fetch(location.href, { credentials: "same-origin" });
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of ["facts", "stands", "board", "raters", "ways", "report-about", ...more]) {
    const [old, next] = [document.getElementById(id), page.getElementById(id)];
    if (old && next && old.outerHTML !== next.outerHTML) old.replaceWith(next);
  }
  show();
}

const show = () => { drawAll(data); paint(); };
show();

// New answers refresh the board, not more often than every two seconds, and where that takes the server long five times as long.
let due = 0;
let rest = 2000;
const stream = new EventSource(`${root}${study(data.study)}/events`);
stream.addEventListener("changed", () => {
  due ||= setTimeout(async () => {
    due = 0; // what changes from now on is seen the next time
    const began = performance.now();
    await refresh().catch(() => {});
    rest = Math.max(2000, 5 * (performance.now() - began));
  }, rest);
});
