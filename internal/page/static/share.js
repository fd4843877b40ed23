// A picture to share: the favourite, the question, a line about it, and where it was found. It is painted here, in the colours of
// the light page whatever the scheme, for it will be looked at elsewhere.
import { colourOf } from "./colour.js";
import { local, place } from "./transport.js";

const width = 1080, height = 1350, edge = 72, foot = 270;
const paper = "#faf8f4", ink = "#23201c", soft = "#635d55", accent = "#0f6a5f";

const family = (name) => getComputedStyle(document.documentElement).getPropertyValue(name) || "serif";

// lines breaks a text into lines of a width, at most so many; what is too long ends in an ellipsis.
function lines(pen, text, room, most) {
  const out = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${out.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width <= room || !out.at(-1)) out[out.length - 1] = longer;
    else if (out.length < most) out.push(word);
    else { out[out.length - 1] += " …"; break; }
  }
  return out;
}

function write(pen, text, y, size, colour, font, most = 1, weight = 400) {
  pen.font = `${weight} ${size}px ${font}`;
  pen.fillStyle = colour;
  const all = lines(pen, text, width - 2 * edge, most);
  for (const line of all) pen.fillText(line, width / 2, (y += size * 1.25));
  return y;
}

async function imageOf(take, look) {
  const params = new URLSearchParams(Object.entries(take.rounded).map(([k, v]) => [k, String(v)]));
  const media = take.as.media;
  const url = look.template === "svg" ? `${look.base}/draw?${params}` : !look.template && media?.type === "image" && local(media.url) ? media.url : "";
  if (!url) return null;
  const image = new Image();
  await place(image, url);
  await image.decode();
  return image;
}

// picture paints it on a canvas, or returns null where there is nothing to show: a page of somebody else's, a film.
export async function picture(take, look) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  pen.fillStyle = paper;
  pen.fillRect(0, 0, width, height);
  pen.textAlign = "center";
  const box = { x: edge, y: edge, w: width - 2 * edge, h: height - foot - 2 * edge };
  const image = await imageOf(take, look);
  const colour = take.as.params && !look.template ? colourOf(take.as.params) : "";
  const text = !look.template && !take.as.media && take.as.item ? take.as.item.text || take.as.item.id : "";
  if (image) {
    const scale = Math.min(box.w / image.naturalWidth, box.h / image.naturalHeight);
    const [w, h] = [image.naturalWidth * scale, image.naturalHeight * scale];
    pen.shadowColor = "rgb(60 45 25 / .28)";
    pen.shadowBlur = 48;
    pen.shadowOffsetY = 16;
    pen.drawImage(image, box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, w, h);
    pen.shadowColor = "transparent";
  } else if (colour) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.roundRect(box.x, box.y, box.w, box.h, 48);
    pen.fill();
  } else if (text) {
    const size = text.length < 60 ? 84 : text.length < 240 ? 52 : 36;
    pen.font = `600 ${size}px ${family("--serif")}`;
    const all = lines(pen, text, box.w, Math.floor(box.h / (size * 1.25)));
    write(pen, text, box.y + (box.h - all.length * size * 1.25) / 2, size, ink, family("--serif"), all.length, 600);
  } else return null;
  let y = height - foot - 24;
  if (take.question) y = write(pen, take.question, y, 46, ink, family("--serif"), 2, 600);
  write(pen, take.line, y + 8, 32, soft, family("--sans"));
  mark(pen);
  return canvas;
}

// mark is the page's own, two circles of which one is taken.
function mark(pen) {
  const y = height - 62;
  pen.font = `600 34px ${family("--serif")}`;
  const x = width / 2 - (58 + pen.measureText("prefer").width) / 2;
  pen.fillStyle = pen.strokeStyle = accent;
  pen.lineWidth = 4;
  pen.beginPath();
  pen.arc(x + 16, y - 11, 15, 0, 7);
  pen.fill();
  pen.beginPath();
  pen.arc(x + 33, y - 11, 13, 0, 7);
  pen.stroke();
  pen.textAlign = "left";
  pen.fillStyle = ink;
  pen.fillText("prefer", x + 58, y);
}
