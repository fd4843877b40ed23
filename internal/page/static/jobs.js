// Simulated people and reports: ask for one, which returns at once, and follow it until it is over.
import { post, study, say } from "./api.js";

const data = document.querySelector("main").dataset;
let simulation = ""; // the one that was asked for here; without one the newest is shown
let due = 0;
const shown = new Map(); // the parts of the page as they came, so that only what has changed is exchanged

export const paint = () => { for (const bar of document.querySelectorAll("[data-part]")) bar.style.setProperty("--part", bar.dataset.part); };
const state = (id) => document.getElementById(id);
const busy = () => ["plan-state", "report-state"].filter((id) => state(id)?.dataset.busy === "true");

const again = () => { if (busy().length) due = setTimeout(refresh, document.querySelector("[data-trouble]") ? 5000 : 1000); };

// refresh shows how far everything is, and says what has come to its end.
async function refresh(before = busy()) {
  clearTimeout(due);
  try {
    const reply = await fetch(`${data.base}/jobs?${new URLSearchParams(simulation ? { simulation } : {})}`, { credentials: "same-origin" });
    if (reply.ok) {
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      for (const id of ["plan-state", "report-state"]) {
        const next = page.getElementById(id);
        if (shown.get(id) === next.outerHTML) continue;
        shown.set(id, next.outerHTML);
        state(id).replaceWith(next);
      }
      paint();
      for (const id of before) if (!busy().includes(id) && state(id).dataset.say) say(state(id).dataset.say, { toast: false });
    }
  } catch { /* the network is away: the next look may find it */ }
  again();
}

// start asks for a job when its form is sent.
function start(form, path, id, body, said) {
  const button = form?.querySelector("button");
  form?.addEventListener("submit", async (e) => {
    e.preventDefault();
    button.disabled = true;
    try {
      const { job, kind } = await post(`${study(data.study)}/${path}`, body(new FormData(form)));
      if (kind === "simulation") simulation = job;
      say(said, { toast: false });
      await refresh([...busy(), id]);
    } catch (err) {
      say(err.message);
    }
    button.disabled = false;
    button.focus();
  });
}

start(document.querySelector("#simulate"), "simulations", "plan-state",
  (f) => ({ raters: Number(f.get("raters")), max_questions: Number(f.get("max_questions")), noise: f.get("noise").split(",") }), "Simulated people are answering.");
start(document.querySelector("#write"), "reports", "report-state", (f) => (f.get("rater") ? { rater: f.get("rater") } : {}), "The report is being written.");
again();
