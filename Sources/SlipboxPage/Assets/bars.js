// @ts-check
// Lines below the top: no server, another key, what is wrong with the box.

import { el, replace } from "./dom.js";
import { state, on } from "./store.js";

const bar = el("div", { class: "problem-bars", role: "status" });
let foreign = false;

function draw() {
  const lines = [];
  if (foreign)
    lines.push(
      "The server has a new access token. Run slip page again. Your text is kept in this browser.",
    );
  else if (!state.online)
    lines.push(
      "The server does not answer. Your text is kept and saved when it is back. To start it, run slip page.",
    );
  if (state.box?.readOnly && !state.place.at) lines.push("This box is read-only.");
  replace(
    bar,
    [...lines, ...(state.box?.problems ?? [])].map((text) => el("p", { class: "problem", text })),
  );
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
