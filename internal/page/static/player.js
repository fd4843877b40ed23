// Sounds and films. One plays at a time; sounds share one position, so that switching goes on where the other was.
import { local, place, send } from "./transport.js";
import { make, drawn } from "./element.js";
import { t } from "./language.js";

const players = new Set(); // in the page
const icon = (d) => drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d }));

// enough is how many seconds of something are to have been played before it can be compared; of what is shorter, nearly all.
const enough = 1;

// player plays what is at the address. What the browser cannot play is named in its place.
export function player(kind, url, name) {
  const track = make(kind, { preload: "auto", loop: true, playsInline: true });
  place(track, url);
  const button = make("button", { type: "button", className: "play" });
  const key = make("kbd", { hidden: true, ariaHidden: "true" });
  const bar = make("progress", { max: 1, value: 0 });
  const state = make("span", { className: "state small" });
  let label = "";
  const heard = () => {
    let seconds = 0;
    for (let i = 0; i < track.played.length; i++) seconds += track.played.end(i) - track.played.start(i);
    return seconds >= Math.min(enough, 0.9 * (track.duration || Infinity));
  };
  const paint = () => {
    button.replaceChildren(icon(track.paused ? "M8 5v14l11-7z" : "M7 5h4v14H7zM13 5h4v14h-4z"));
    button.setAttribute("aria-label", track.paused ? t("card.play", { label }) : t("card.pause", { label }));
    bar.setAttribute("aria-label", t("card.position", { label }));
  };
  const toggle = () => {
    if (!track.paused) return track.pause();
    for (const other of players) {
      if (other === track || !other.isConnected) continue;
      if (kind === "audio" && other.currentTime > 0 && other.currentTime < (track.duration || Infinity)) track.currentTime = other.currentTime;
      other.pause();
    }
    track.play().catch(() => {});
  };
  const node = make("div", { className: `player ${kind}`, toggle, heard });
  const progress = make("div", { className: "seek" }, bar);
  progress.addEventListener("click", (e) => {
    const box = progress.getBoundingClientRect();
    if (track.duration) track.currentTime = track.duration * (e.clientX - box.left) / box.width;
  });
  const bars = [];
  const move = () => {
    const part = track.duration ? track.currentTime / track.duration : 0;
    bar.value = part;
    bars.forEach((b, i) => b.classList.toggle("past", i < part * bars.length));
    if (!heard() || node.classList.contains("heard")) return;
    node.classList.add("heard");
    state.textContent = t("card.heard");
  };
  players.add(track);
  track.addEventListener("error", () => node.replaceChildren(make("p", { className: "lost", textContent: t("card.play.lost", { label: name ?? label }) })));
  button.addEventListener("click", toggle);
  for (const event of ["play", "pause"]) track.addEventListener(event, paint);
  for (const event of ["timeupdate", "pause", "seeked"]) track.addEventListener(event, move);
  if (kind === "audio") {
    node.append(make("div", { className: "keyed" }, button, key), progress, state, track);
    wave(url).then((peaks) => {
      const shape = drawn("svg", { class: "wave", viewBox: `0 0 ${4 * peaks.length} 48`, preserveAspectRatio: "none", "aria-hidden": "true" });
      peaks.forEach((p, i) => bars.push(shape.appendChild(drawn("rect", { x: 4 * i, y: 24 - 23 * p, width: 2.6, height: 2 + 44 * p, rx: 1.3 }))));
      progress.prepend(shape);
      bar.classList.add("unseen");
      move();
    }, () => {}); // the bar alone will do
  } else {
    track.addEventListener("click", toggle);
    node.append(track, make("div", { className: "controls" }, button, key, progress, state));
  }
  const ready = kind === "audio" ? Promise.resolve() : new Promise((done) => { track.addEventListener("loadeddata", done, { once: true }); setTimeout(done, 800); });
  return {
    node, ready, live: true,
    lost: new Promise((done) => { track.addEventListener("error", done, { once: true }); }),
    ratio: () => (track.videoHeight ? track.videoWidth / track.videoHeight : 0),
    call: (name) => { label = name; paint(); },
    // ask shows the key that plays it, and that it is to be played before an answer.
    ask: (name) => {
      key.textContent = name;
      key.hidden = false;
      if (!heard()) state.textContent = t("card.unheard");
    },
  };
}

// hush stops what plays in the page; players that are not in it yet are left alone.
export function hush() {
  for (const track of players) {
    if (!track.isConnected) continue;
    track.pause();
    players.delete(track);
  }
}

// wave returns how loud a sound of this server is along its length, as the root of the largest amplitude in each of 56 parts. One of more than a few minutes is not
// worth its decoding.
const waves = new Map();
const maxBytes = 6e6;
function wave(url) {
  if (!waves.has(url)) waves.set(url, decode(url));
  return waves.get(url);
}

async function decode(url) {
  if (!local(url)) throw new Error("elsewhere");
  const reply = await send(url);
  if (!reply.ok || !(Number(reply.headers.get("Content-Length")) <= maxBytes)) throw new Error("too long");
  const sound = await new OfflineAudioContext(1, 1, 11025).decodeAudioData(await reply.arrayBuffer());
  const samples = sound.getChannelData(0);
  const parts = 56, each = Math.max(1, Math.floor(samples.length / parts));
  return Array.from({ length: parts }, (_, i) => {
    let most = 0;
    for (let k = i * each; k < Math.min(samples.length, (i + 1) * each); k++) most = Math.max(most, Math.abs(samples[k]));
    return Math.sqrt(Math.min(1, most));
  });
}
