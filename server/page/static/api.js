// Calls to the service. A call that the network lost is repeated; one that the service refused is an Error
// with its sentence.

import { t } from "./language.js";

const root = document.documentElement.dataset.root ?? "";
const token = document.documentElement.dataset.token ?? "";

export class Refused extends Error {
  constructor(status, problem) {
    super(problem.errors?.[0]?.message ?? problem.detail ?? problem.title ?? t("error.status", { n: status }));
    this.status = status;
    this.type = problem.type ?? "";
    this.errors = problem.errors ?? [];
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export async function call(method, path, body, { retry = true, onLost } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let payload;
  if (body instanceof FormData) payload = body;
  else if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    payload = JSON.stringify(body ?? {});
  }
  for (let tries = 0; ; tries++) {
    let reply;
    try {
      reply = await fetch(root + path, { method, headers, body: payload, credentials: "same-origin" });
    } catch (lost) {
      if (!retry) throw lost;
      onLost?.(tries);
      await pause(Math.min(8000, 400 * 2 ** tries));
      continue;
    }
    if (retry && tries < 8 && [429, 502, 503, 504].includes(reply.status)) {
      onLost?.(tries);
      await pause(Math.min(8000, 400 * 2 ** tries));
      continue;
    }
    const text = await reply.text();
    let data = {};
    try { data = text ? JSON.parse(text) : {}; } catch { data = { detail: text.slice(0, 200) }; }
    if (!reply.ok) throw new Refused(reply.status, data);
    return data;
  }
}

export const get = (path) => call("GET", path);
export const post = (path, body, how) => call("POST", path, body, how);
export const study = (name) => `/v1/studies/${encodeURIComponent(name)}`;

// say puts a sentence where people and screen readers find it.
let clearing;
export function say(text, { toast = true } = {}) {
  const live = document.querySelector("#live");
  if (live) live.textContent = text;
  const box = document.querySelector("#toast");
  if (!box || !toast) return;
  box.textContent = text;
  box.hidden = false;
  clearTimeout(clearing);
  clearing = setTimeout(() => { box.hidden = true; }, 4500);
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("word.copied"));
  } catch {
    window.prompt(t("word.copy"), text);
  }
}
