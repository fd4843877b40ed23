// How the two options of a pair stand: beside each other, or one above the other, whichever shows them larger.

const rims = (card) => 2 * parseFloat(getComputedStyle(card).getPropertyValue("--rim"));
const narrow = 560; // pixels below which what has no size of its own, like a text, stands above the other

let shown = [];

export function arrange(pair, drawings) {
  shown = drawings;
  pair.classList.remove("tall", "flank");
  const [width, height] = [pair.clientWidth, pair.clientHeight];
  const ratios = drawings.map((d) => d.ratio());
  if (!ratios.every(Boolean)) {
    pair.classList.toggle("tall", width < narrow && width < height && pair.querySelectorAll(".values > div").length < 10);
    return;
  }
  const ratio = Math.sqrt(ratios[0] * ratios[1]);
  const gap = parseFloat(getComputedStyle(pair).columnGap), rim = rims(pair.firstElementChild);
  const says = pair.querySelector(".says").offsetHeight;
  const button = 100; // pixels of it where it stands beside the picture
  const area = (w, h) => Math.max(0, Math.min(w, h * ratio)) ** 2 / ratio;
  const half = (height - gap) / 2;
  const sizes = { "": area((width - gap) / 2 - rim, height - says - rim), tall: area(width - rim, half - says - rim), flank: area(width - rim - button, half - rim) };
  const [best] = Object.entries(sizes).sort((a, b) => b[1] - a[1])[0];
  if (best && sizes[best] > 1.1 * sizes[""]) pair.classList.add("tall", best); // a little is not worth an unusual look
}

const watch = document.querySelector("#pair");
new ResizeObserver(() => { if (shown.length === watch.children.length && !watch.classList.contains("flip")) arrange(watch, shown); }).observe(watch);
