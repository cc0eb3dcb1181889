// @ts-check
// The borders between the panes: dragged, or moved by arrow keys; the browser remembers the widths.

import { el } from "./dom.js";

const KEY = "slip-panes";
const STEP = 16;
const PANES = [
  { name: "side", label: "Width of the sidebar", least: 140, most: 420, selector: ".sidebar" },
  { name: "list", label: "Width of the list", least: 260, most: 900, selector: ".middle" },
];

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

/** Applies a width in pixels; null is the usual one. */
function apply({ name, least, most }, width, node) {
  const property = `--${name}-width`;
  if (width === null) document.body.style.removeProperty(property);
  else document.body.style.setProperty(property, `${Math.max(least, Math.min(most, Math.round(width)))}px`);
  document.body.classList.toggle(`sized-${name}`, width !== null);
  if (width !== null)
    node.setAttribute("aria-valuenow", String(Math.max(least, Math.min(most, Math.round(width)))));
}

function keep(name, width) {
  const widths = { ...stored(), [name]: width };
  if (width === null) delete widths[name];
  try {
    localStorage.setItem(KEY, JSON.stringify(widths));
  } catch {
    /* the width lasts as long as the page */
  }
}

function splitter(pane) {
  const { name, label, least, most, selector } = pane;
  const node = el("div", {
    class: `splitter splitter-${name}`,
    role: "separator",
    tabIndex: 0,
    "aria-orientation": "vertical",
    "aria-label": label,
    "aria-valuemin": least,
    "aria-valuemax": most,
    "aria-valuenow": least,
  });
  const widthNow = () => document.querySelector(selector).getBoundingClientRect().width;
  const set = (width) => {
    apply(pane, width, node);
    keep(name, width);
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    node.setPointerCapture(event.pointerId);
    const [start, width] = [event.clientX, widthNow()];
    const move = ({ clientX }) => apply(pane, width + clientX - start, node);
    node.addEventListener("pointermove", move);
    node.addEventListener(
      "pointerup",
      ({ clientX }) => {
        node.removeEventListener("pointermove", move);
        if (clientX !== start) set(width + clientX - start);
      },
      { once: true },
    );
  });
  node.addEventListener("dblclick", () => set(null));
  node.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step) set(widthNow() + step);
    else if (event.key === "Home") set(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  node.addEventListener("focus", () => node.setAttribute("aria-valuenow", String(Math.round(widthNow()))));
  const width = stored()[name];
  if (Number.isFinite(width)) apply(pane, width, node);
  return node;
}

export const splitters = () => PANES.map(splitter);
