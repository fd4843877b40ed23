// The pick, as large as the screen allows: a picture stands in its own light.
import { draw } from "./card.js";
import { place } from "./transport.js";

// stage fills a box with an option.
export function stage(box, option, label, look) {
  const { node, url } = draw(option, label, look);
  const all = [node];
  if (node instanceof HTMLImageElement) {
    const glow = Object.assign(new Image(), { alt: "", className: "glow" });
    place(glow, url);
    glow.setAttribute("aria-hidden", "true");
    all.unshift(glow);
  }
  box.replaceChildren(...all);
}
