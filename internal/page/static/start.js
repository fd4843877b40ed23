// The start page: a demonstration, files, or a few parameters become a study, and the first question follows.
import { call, post, study, say } from "./api.js";
import { bring } from "./upload.js";

const root = document.documentElement.dataset.root ?? "";
const go = (name) => location.assign(`${root}/s/${encodeURIComponent(name)}`);

async function working(button, task) {
  button.disabled = true;
  try {
    await task();
  } catch (e) {
    say(e.message);
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll("[data-demo]")) {
  button.addEventListener("click", () => working(button, async () => go((await post("/start/demo", { name: button.dataset.demo })).name)));
}

// Files: images, sounds, films and texts are items; one table of items is read as such. The contact sheet follows.
const drop = document.querySelector("#drop");
if (drop) {
  bring({
    at: drop, box: document.querySelector("#sending"), to: "/start/files",
    more: () => ({ prompt: document.querySelector("#files-prompt").value }), then: ({ name }) => location.assign(`${root}/s/${encodeURIComponent(name)}/sheet`),
  });
}

// Studies: one is found by its name, the first few are in sight, and deleting asks first.
const studies = document.querySelector("#studies");
const all = document.querySelector("#all");
const find = document.querySelector("#find");
let unfolded = false;

function fold() {
  const words = find?.value.trim().toLowerCase() ?? "";
  let shown = 0;
  studies.classList.toggle("folded", Boolean(all) && !words && !unfolded);
  for (const row of studies.children) {
    const name = `${row.dataset.name} ${row.querySelector(".name").textContent}`.toLowerCase();
    row.hidden = words ? !name.includes(words) : row.classList.contains("later") && !unfolded;
    if (!row.hidden) shown++;
  }
  document.querySelector("#none").hidden = shown > 0;
  if (all) all.parentElement.hidden = Boolean(words);
}

find?.addEventListener("input", fold);
all?.addEventListener("click", () => {
  unfolded = !unfolded;
  all.setAttribute("aria-expanded", String(unfolded));
  all.textContent = unfolded ? "Only the latest" : `All ${studies.children.length} studies`;
  fold();
});

// A study of pages has no picture: its address is sent in place of one, and shown small.
async function small(image) {
  const reply = await fetch(image.src, { credentials: "same-origin" }).catch(() => null);
  const box = Object.assign(document.createElement("span"), { className: "thumbnail" });
  if (reply?.headers.get("Content-Type")?.startsWith("application/json")) {
    const { draw, width, height } = await reply.json();
    const frame = Object.assign(document.createElement("iframe"), { tabIndex: -1, src: draw });
    for (const [name, value] of [["--width", width], ["--height", height], ["--side", Math.min(width, height)]]) frame.style.setProperty(name, String(value));
    frame.setAttribute("sandbox", "allow-scripts");
    frame.setAttribute("aria-hidden", "true");
    box.append(frame);
  } else if (reply?.ok) return;
  image.replaceWith(box);
}
for (const image of document.querySelectorAll("img.thumbnail")) {
  if (image.complete && !image.naturalWidth) small(image);
  else image.addEventListener("error", () => small(image));
}

const dialog = document.querySelector("#delete");
let doomed;
for (const button of document.querySelectorAll("[data-delete]")) {
  button.addEventListener("click", () => {
    doomed = button;
    const answers = Number(button.dataset.answers);
    dialog.querySelector("#delete-text").textContent = `“${button.dataset.title}” ${answers ? `and its ${answers === 1 ? "one answer" : `${answers} answers`} are gone for good` : "is gone for good; nobody has answered it yet"}. This cannot be undone.`;
    dialog.showModal();
    dialog.querySelector("#delete-no").focus();
  });
}
dialog.querySelector("#delete-no").addEventListener("click", () => dialog.close());
dialog.querySelector("#delete-yes").addEventListener("click", () => {
  const yes = dialog.querySelector("#delete-yes");
  working(yes, async () => {
    await call("DELETE", study(doomed.dataset.delete));
    const row = doomed.closest("li");
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    dialog.close();
    yes.disabled = false;
    if (!studies.children.length) return location.reload();
    (next?.querySelector("a, button") ?? document.querySelector("#main a, #main button")).focus();
    fold();
    say("Deleted.");
  });
});
