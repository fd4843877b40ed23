// Colours in the notations people paste, and the colours of a drawing as it is seen.

const round = (x, places = 0) => Number(x.toFixed(places));

function pixels(width, height, paint) {
  const canvas = new OffscreenCanvas(width, height);
  const ink = canvas.getContext("2d", { willReadFrequently: true });
  paint(ink);
  return ink.getImageData(0, 0, width, height).data;
}

// rgbOf is what the screen makes of a colour of CSS.
export const rgbOf = (css) => [...pixels(1, 1, (ink) => { ink.fillStyle = css; ink.fillRect(0, 0, 1, 1); })].slice(0, 3);

export const hex = (rgb) => `#${rgb.map((c) => c.toString(16).padStart(2, "0")).join("")}`;

function hsl([r, g, b]) {
  const [x, y, z] = [r / 255, g / 255, b / 255];
  const top = Math.max(x, y, z);
  const span = top - Math.min(x, y, z);
  const light = top - span / 2;
  const hue = span === 0 ? 0 : top === x ? ((y - z) / span + 6) % 6 : top === y ? (z - x) / span + 2 : (x - y) / span + 4;
  const saturation = span === 0 ? 0 : span / (1 - Math.abs(2 * light - 1));
  return `hsl(${round(60 * hue)} ${round(100 * saturation)}% ${round(100 * light)}%)`;
}

// lab is Oklab (Ottosson 2020): linear sRGB to cone responses, their cube roots, and those to lightness and two opponent axes.
function lab(rgb) {
  const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

function oklch(rgb) {
  const [light, a, b] = lab(rgb);
  const chroma = Math.hypot(a, b);
  return `oklch(${round(100 * light, 1)}% ${round(chroma, 3)} ${chroma < 0.002 ? 0 : round((Math.atan2(b, a) * 180 / Math.PI + 360) % 360)})`;
}

export const notations = { hex, rgb: (rgb) => `rgb(${rgb.join(" ")})`, hsl, oklch };

// coloursOf lists the flat colours of a picture, light to dark: each covers a hundredth of it or more, and together they are most of it. What is
// shaded throughout has none.
export function coloursOf(image) {
  const scale = 400 / Math.max(image.naturalWidth, image.naturalHeight, 1);
  const [width, height] = [image.naturalWidth, image.naturalHeight].map((n) => Math.max(1, Math.round(n * scale)));
  const data = pixels(width, height, (ink) => ink.drawImage(image, 0, 0, width, height));
  const count = new Map();
  let all = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 255) continue;
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    count.set(key, (count.get(key) ?? 0) + 1);
    all++;
  }
  const flat = [...count].filter(([, n]) => n >= all / 100).sort((a, b) => b[1] - a[1]).slice(0, 8);
  if (flat.length < 2 || flat.reduce((sum, [, n]) => sum + n, 0) < 0.6 * all) return [];
  return flat.map(([key]) => [key >> 16, (key >> 8) & 255, key & 255]).sort((a, b) => lab(b)[0] - lab(a)[0]);
}

// colourOf is the colour that a setting describes, in CSS, or "".
export function colourOf({ hue, lightness, chroma, saturation }) {
  if (typeof hue !== "number" || typeof lightness !== "number") return "";
  const part = lightness > 1 ? lightness / 100 : lightness;
  if (typeof chroma === "number") return `oklch(${part} ${chroma} ${hue})`;
  return `hsl(${hue} ${typeof saturation === "number" ? (saturation > 1 ? saturation : saturation * 100) : 60}% ${part * 100}%)`;
}
