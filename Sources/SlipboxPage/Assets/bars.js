// @ts-check
// Lines below the top: another key, what is wrong with the box. That the server does not answer is said at
// the foot: it comes and goes, and what one is about to tap must not move.

import { el, replace } from "./dom.js";
import { state, on } from "./store.js";

const bar = el("div", { class: "problem-bars", role: "status" });
const foot = el("div", { class: "foot", role: "status" });
let foreign = false;

function draw() {
  const lines = [];
  if (foreign)
    lines.push(
      "The server has a new access token. Run slip page again. Your text is kept in this browser.",
    );
  if (state.box?.readOnly && !state.place.at) lines.push("This box is read-only.");
  const line = (text) => el("p", { class: "problem", text });
  const offline =
    "The server does not answer. Your text is kept and saved when it is back. To start it, run slip page.";
  replace(bar, [...lines, ...(state.box?.problems ?? [])].map(line));
  replace(foot, !foreign && !state.online && line(offline));
}

export function startBars() {
  on("online", (online) => {
    if (online) foreign = false;
    draw();
  });
  on("unauthorized", () => {
    if (!foreign) {
      foreign = true;
      draw();
    }
  });
  on("place", draw);
  on("box", () => {
    foreign = false;
    draw();
  });
}

export const showBar = () => bar;
export const showFoot = () => foot;

/** Replaces an error about a server that does not answer when it is back. */
export function renewWhenOnline(node, then) {
  const text = node.textContent;
  const stop = on("online", (online) => {
    if (!online) return;
    stop();
    if (node.textContent === text) node.textContent = then;
  });
}
