// Files that people bring: a folder, some files, or what is dropped on the page. Before anything is sent it is looked at:
// what is too large is named with the limit. While it is sent a bar says how far it is, and can be stopped.
import { say, Refused } from "./api.js";

const root = document.documentElement.dataset.root ?? "";
const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} KB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`);
const count = (n) => n.toLocaleString("en");

// walk gathers the files of what was dropped, each with its path.
async function walk(entry, found) {
  if (entry.isFile) found.push({ file: await new Promise((done, fail) => entry.file(done, fail)), path: entry.fullPath.replace(/^\//, "") });
  if (!entry.isDirectory) return;
  const reader = entry.createReader();
  for (;;) { // a folder is read a hundred at a time
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return;
    for (const e of some) await walk(e, found);
  }
}

// within returns the files that are not hidden, and the name of the folder that all of them are in: paths begin below it.
function within(found) {
  const shown = found.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
  const tops = new Set(shown.map(({ path }) => (path.includes("/") ? path.split("/")[0] : "")));
  const [top] = tops;
  if (tops.size !== 1 || !top) return { folder: "", files: shown };
  return { folder: top, files: shown.map(({ file, path }) => ({ file, path: path.slice(top.length + 1) })) };
}

// tooMuch says which limit the files are over, if any.
function tooMuch(files, limits) {
  if (files.length > limits.count) return `These are ${count(files.length)} files, and ${count(limits.count)} can be sent at once. On this machine “prefer serve FOLDER” takes as many as there are, without sending them.`;
  const large = files.find(({ file }) => file.size > limits.file);
  if (large) return `${large.path} has ${size(large.file.size)}, and a file may have ${size(limits.file)}. On this machine “prefer serve FOLDER” takes it as it is.`;
  const all = files.reduce((sum, { file }) => sum + file.size, 0);
  if (all > limits.together) return `These files have ${size(all)} together, and ${size(limits.together)} can be sent at once. On this machine “prefer serve FOLDER” takes them as they are.`;
  return "";
}

// send posts a form and shows how far it is. What it returns is rejected with null if somebody stopped it.
function send(address, form, box, files) {
  const all = files.reduce((sum, { file }) => sum + file.size, 0);
  const bar = document.createElement("progress");
  const line = document.createElement("p");
  const stop = document.createElement("button");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", "Sent");
  Object.assign(stop, { type: "button", textContent: "Stop" });
  line.className = "small";
  const part = document.createElement("div");
  part.className = "sending";
  part.append(bar, line, stop);
  box.replaceChildren(part);
  const request = new XMLHttpRequest();
  const files_ = files.length === 1 ? "1 file" : `${count(files.length)} files`;
  line.textContent = `0 of ${size(all)} · ${files_}`;
  say(`Sending ${files_}.`, { toast: false });
  request.upload.onprogress = (e) => {
    if (!e.lengthComputable) return;
    bar.value = e.loaded / e.total;
    line.textContent = e.loaded < e.total ? `${size(Math.min(all, e.loaded))} of ${size(all)} · ${files_}` : `Looking at ${files_} …`;
  };
  return new Promise((done, fail) => {
    stop.addEventListener("click", () => request.abort());
    request.onload = () => {
      let reply = {};
      try { reply = JSON.parse(request.responseText); } catch { reply = { detail: request.responseText.slice(0, 200) }; }
      if (request.status < 300) done(reply);
      else fail(new Refused(request.status, reply));
    };
    request.onerror = () => fail(new Error("The connection was interrupted, and nothing was created. Try again."));
    request.onabort = () => fail(null);
    request.open("POST", root + address);
    request.setRequestHeader("Accept", "application/json");
    request.send(form);
  }).finally(() => part.remove());
}

// bring lets people choose or drop files at a part of the page, whose data-limits say how much, sends them to an address, and calls then
// with the reply. What more returns is sent with them.
export function bring({ at, box, to, then, more = () => ({}) }) {
  const show = (text) => {
    const note = document.createElement("p");
    note.className = "note bad";
    note.textContent = text;
    box.replaceChildren(note);
    say(text, { toast: false });
  };
  async function take(found) {
    const { folder, files } = within(found);
    if (!files.length) return show("There is no file in it.");
    const much = tooMuch(files, JSON.parse(at.dataset.limits));
    if (much) return show(much);
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: folder, ...more() })) form.append(name, value);
    for (const { file, path } of files) form.append("file", file, path);
    at.setAttribute("aria-busy", "true");
    try {
      then(await send(to, form, box, files));
    } catch (e) {
      show(e ? e.message : "Stopped. Nothing was created.");
    }
    at.removeAttribute("aria-busy");
  }
  at.addEventListener("dragover", (e) => { e.preventDefault(); at.classList.add("over"); });
  at.addEventListener("dragleave", () => at.classList.remove("over"));
  at.addEventListener("drop", async (e) => {
    e.preventDefault();
    at.classList.remove("over");
    const entries = [...e.dataTransfer.items].map((i) => i.webkitGetAsEntry?.()).filter(Boolean);
    const plain = [...e.dataTransfer.files].map((file) => ({ file, path: file.name })); // gone after the first await
    const found = [];
    for (const entry of entries) await walk(entry, found);
    take(found.length ? found : plain);
  });
  for (const input of at.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      take([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
      input.value = ""; // the same folder again is a change, too
    });
  }
  for (const button of at.querySelectorAll("[data-pick]")) button.addEventListener("click", () => at.querySelector(`#${button.dataset.pick}`).click());
}
