// Pointer, wheel and keys of the graph.

const resize = () => {
  view.ratio = Math.min(2, devicePixelRatio || 1);
  view.width = canvas.clientWidth;
  view.height = canvas.clientHeight;
  canvas.width = Math.round(view.width * view.ratio);
  canvas.height = Math.round(view.height * view.ratio);
  isStale = true;
  if (isFitting) fit();
};
const nodeAt = (px, py) => {
  let best = -1,
    least = Infinity;
  for (let i = 0; i < count; i += 1) {
    if (!isVisible(i)) continue;
    const dx = x[i] * view.scale + view.x - px,
      dy = y[i] * view.scale + view.y - py;
    const reach = Math.max(6, sizeOf(i) + 3);
    const distance = dx * dx + dy * dy;
    if (distance < reach * reach && distance < least) {
      best = i;
      least = distance;
    }
  }
  return best;
};
const zoom = (factor, px, py) => {
  const scale = Math.min(12, Math.max(0.02, view.scale * factor));
  view.x = px - ((px - view.x) * scale) / view.scale;
  view.y = py - ((py - view.y) * scale) / view.scale;
  view.scale = scale;
  isFitting = false;
  touch();
};

const fingers = new Map();
let drag = null;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  drag = { node: fingers.size === 1 ? nodeAt(event.offsetX, event.offsetY) : -1, isMoved: false };
  canvas.classList.add("dragging");
});
canvas.addEventListener("pointermove", (event) => {
  const [px, py] = [event.offsetX, event.offsetY];
  const last = fingers.get(event.pointerId);
  if (!last) {
    const hovered = nodeAt(px, py);
    if (hovered !== shown.hovered) {
      shown.hovered = hovered;
      isStale = true;
    }
    canvas.style.cursor = hovered < 0 ? "" : "pointer";
    return;
  }
  if (Math.abs(px - last[0]) + Math.abs(py - last[1]) < (drag.isMoved ? 0 : 4)) return;
  drag.isMoved = true;
  if (fingers.size === 2) {
    const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
    zoom(
      Math.hypot(px - other[0], py - other[1]) / Math.max(1, before),
      (px + other[0]) / 2,
      (py + other[1]) / 2,
    );
  } else if (drag.node >= 0) {
    held[drag.node] = 1;
    x[drag.node] = (px - view.x) / view.scale;
    y[drag.node] = (py - view.y) / view.scale;
    heat = Math.max(heat, 0.25);
    isFitting = false;
  } else {
    view.x += px - last[0];
    view.y += py - last[1];
    isFitting = false;
  }
  fingers.set(event.pointerId, [px, py]);
  touch();
});
const release = (event) => {
  if (!fingers.delete(event.pointerId) || !drag) return;
  if (drag.node >= 0) held[drag.node] = 0;
  if (!drag.isMoved && event.type === "pointerup") choose(drag.node, false);
  canvas.classList.remove("dragging");
  if (fingers.size === 0) drag = null;
};
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => {
  if (shown.hovered >= 0) {
    shown.hovered = -1;
    isStale = true;
  }
});
canvas.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), event.offsetX, event.offsetY);
  },
  { passive: false },
);

search.addEventListener("input", look);
search.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") {
    mark(marked + 1);
    event.preventDefault();
  }
  if (event.key === "ArrowUp") {
    mark(marked - 1);
    event.preventDefault();
  }
  if (event.key === "Enter" && marked >= 0) choose(hits[marked], true);
  if (event.key === "Escape") {
    search.value = "";
    look();
    search.blur();
    event.stopPropagation();
  }
});
byId("tag").addEventListener("change", (event) => {
  filter(event.target.value);
  look();
});
byId("close").addEventListener("click", () => choose(-1));
byId("nearer").addEventListener("click", () => zoom(1.4, view.width / 2, view.height / 2));
byId("farther").addEventListener("click", () => zoom(1 / 1.4, view.width / 2, view.height / 2));
byId("whole").addEventListener("click", () => {
  isFitting = true;
  fit();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (event.key === "/") {
    search.focus();
    search.select();
    event.preventDefault();
  }
  if (event.key === "Escape") choose(-1);
  if (event.key === "+" || event.key === "=") zoom(1.25, view.width / 2, view.height / 2);
  if (event.key === "-") zoom(0.8, view.width / 2, view.height / 2);
  if (event.key === "0") {
    isFitting = true;
    fit();
  }
  if (steps[event.key] && event.target === document.body) {
    view.x += steps[event.key][0];
    view.y += steps[event.key][1];
    isFitting = false;
    touch();
  }
});
addEventListener("resize", resize);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColours);
readColours();
fillTools();
resize();
requestAnimationFrame(frame);
