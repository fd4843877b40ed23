// The owner's view: links to hand out, a pause, and numbers that follow the study.
import { post, study, say, copy } from "./api.js";
import { paint } from "./jobs.js";

const data = document.querySelector("main").dataset;
const root = document.documentElement.dataset.root ?? "";
const base = data.base.slice(root.length);

const form = document.querySelector("#link");
form?.addEventListener("submit", async (e) => {
  e.preventDefault();
  const rater = form.querySelector("input").value.trim();
  try {
    const { url } = await post(`${study(data.study)}/links`, rater ? { rater } : {});
    const address = new URL(url, location.href).href;
    const box = document.querySelector("#handout").content.firstElementChild.cloneNode(true);
    box.querySelector("img").src = `${root}${base}/qr?text=${encodeURIComponent(address)}`;
    box.querySelector("img").alt = `QR code of the link for ${rater || "everybody"}`;
    box.querySelector("h3").textContent = `For ${rater || "everybody"}`;
    box.querySelector("input").value = address;
    box.querySelector("button").addEventListener("click", () => copy(address));
    document.querySelector("#links").prepend(box);
    form.reset();
    say("Here is the link. It is shown only now.");
    box.querySelector("button").focus();
  } catch (err) {
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

paint();

// New answers refresh the numbers, not more often than every two seconds.
let due = 0;
const stream = new EventSource(`${root}${study(data.study)}/events`);
stream.addEventListener("changed", () => {
  clearTimeout(due);
  due = setTimeout(async () => {
    const reply = await fetch(location.href, { credentials: "same-origin" });
    if (!reply.ok) return;
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const id of ["facts", "stands", "raters"]) document.getElementById(id)?.replaceWith(page.getElementById(id));
    paint();
  }, 2000);
});
