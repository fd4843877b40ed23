// The start page: a demonstration, files, or a few parameters become a study, and the first question follows.
import { post, study, say } from "./api.js";
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

// Parameters.
const form = document.querySelector("#describe");
const list = document.querySelector("#params");
const blank = document.querySelector("#param");
let count = 0;

function add(name = "", type = "float") {
  const row = blank.content.firstElementChild.cloneNode(true);
  count++;
  for (const label of row.querySelectorAll("label")) label.htmlFor += `-${count}`;
  for (const field of row.querySelectorAll("[id]")) field.id += `-${count}`;
  row.querySelector("legend").textContent = `Parameter ${count}`;
  row.querySelector("[name=name]").value = name;
  const kind = row.querySelector("[name=type]");
  kind.value = type;
  const low = row.querySelector("[name=low]");
  const high = row.querySelector("[name=high]");
  const shape = () => {
    const numeric = ["float", "int", "circle"].includes(kind.value);
    if (kind.value === "circle" && low.value === "0" && high.value === "1") high.value = "360";
    for (const el of row.querySelectorAll(".range")) el.hidden = !numeric;
    row.querySelector(".words").hidden = kind.value !== "categorical" && kind.value !== "ordinal";
  };
  kind.addEventListener("change", shape);
  row.querySelector("button").addEventListener("click", () => { row.remove(); document.querySelector("#add").focus(); });
  shape();
  list.append(row);
  return row;
}

function read(row) {
  const value = (n) => row.querySelector(`[name=${n}]`).value.trim();
  const p = { name: value("name"), type: value("type") };
  if (p.type === "circle") {
    p.type = "float";
    p.circular = true;
  }
  if (p.type === "float" || p.type === "int") {
    p.low = Number(value("low"));
    p.high = Number(value("high"));
  } else if (p.type !== "bool") {
    p.choices = value("choices").split(",").map((c) => c.trim()).filter(Boolean);
  }
  if (row.querySelector("[name=context]").checked) p.context = true;
  return p;
}

if (form) {
  add();
  add();
  document.querySelector("#add").addEventListener("click", () => add().querySelector("input").focus());
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    working(form.querySelector("[type=submit]"), async () => {
      const name = form.querySelector("#study-name").value.trim();
      const prompt = form.querySelector("#study-prompt").value.trim();
      const text = form.querySelector("#study-template");
      const made = { name, params: [...list.children].map(read) };
      if (prompt) made.prompt = prompt;
      const budget = form.querySelector("#study-budget").value.trim();
      if (budget) made.budget = Number(budget);
      const people = form.querySelector("[name=people]:checked");
      if (people) made.people = people.value;
      const tolerance = form.querySelector("#study-tolerance").value.trim();
      if (tolerance) made.tolerance = tolerance;
      const file = text.files[0];
      if (file) made.page = { template: { kind: /\.svg$/i.test(file.name) ? "svg" : "html", text: await file.text() } };
      const address = form.querySelector("#study-address").value.trim();
      if (!file && address) made.page = { template: { kind: "image", text: address } };
      const reply = await post("/start/params", made, { retry: false });
      go(reply.name);
    });
  });
}

for (const button of document.querySelectorAll("[data-delete]")) {
  button.addEventListener("click", () => {
    if (!confirm(`Delete "${button.dataset.delete}" and all its answers? This cannot be undone.`)) return;
    working(button, async () => {
      const { call } = await import("./api.js");
      await call("DELETE", study(button.dataset.delete));
      button.closest("li").remove();
      say("Deleted.");
    });
  });
}
