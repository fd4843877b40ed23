// The pick, as large as the screen allows: a picture stands in its own light.
import { draw } from "./card.js";

// stage fills a box with an option.
export function stage(box, option, label, look) {
  const { node } = draw(option, label, look);
  const all = [node];
  if (node instanceof HTMLImageElement) {
    const glow = Object.assign(new Image(), { src: node.src, alt: "", className: "glow" });
    glow.setAttribute("aria-hidden", "true");
    all.unshift(glow);
  }
  box.replaceChildren(...all);
}
