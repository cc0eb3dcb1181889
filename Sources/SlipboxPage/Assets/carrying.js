// @ts-check
// Cards that are carried to another place: by mouse at once, by touch after a short press.

import { readOnly } from "./store.js";

/** Whether a card is held, and the answers that wait for its release. */
let isHeld = false;
let waiting = [];

/** Waits until no card is held: cards that are drawn again under the pointer would lose their drop. */
export const released = () => (isHeld ? new Promise((done) => waiting.push(done)) : null);

function release() {
  isHeld = false;
  const all = waiting;
  waiting = [];
  for (const done of all) done();
}

const PRESS = 320;
const SLACK = 6;
const EDGE = 44;
const STEP = 14;

/**
 * `cardAt(target)`: the card that is carried, or null; `placeAt(target)`: the place below the pointer;
 * `drop(card, place)`: a card was dropped; `scrollers(target)`: what scrolls while a card is at its edge.
 */
export function startCarrying(root, { cardAt, placeAt, drop, scrollers }) {
  /** @type {any} */
  let press = null;

  const mark = (place) => {
    if (press.place === place) return;
    press.place?.classList.remove("drop");
    press.place = place;
    place?.classList.add("drop");
  };

  function begin() {
    const { card, x, y } = press;
    const box = card.getBoundingClientRect();
    const ghost = card.cloneNode(true);
    for (const name of ["id", "tabindex", "role"]) ghost.removeAttribute(name);
    ghost.setAttribute("aria-hidden", "true");
    ghost.classList.add("ghost");
    ghost.style.width = `${box.width}px`;
    document.body.append(ghost);
    card.classList.add("carried");
    document.body.classList.add("carrying");
    Object.assign(press, { ghost, dx: x - box.left, dy: y - box.top, isCarrying: true });
    requestAnimationFrame(scroll);
    show();
  }

  /** The card is where the pointer is, and the place below it is marked. */
  function show() {
    const { ghost, x, y, dx, dy } = press;
    ghost.style.transform = `translate(${x - dx}px, ${y - dy}px)`;
    const target = document.elementFromPoint(x, y);
    press.target = target;
    mark(target && root.contains(target) ? placeAt(target) : null);
  }

  function scroll() {
    if (!press?.isCarrying) return;
    const { x, y, target } = press;
    for (const node of scrollers(target)) {
      const box = node.getBoundingClientRect();
      const step = (at, from, to) => (at < from + EDGE ? -STEP : at > to - EDGE ? STEP : 0);
      node.scrollLeft += step(x, box.left, box.right);
      if (node !== root) node.scrollTop += step(y, box.top, box.bottom);
    }
    show();
    requestAnimationFrame(scroll);
  }

  function end(isDropped) {
    if (!press) return;
    const { card, ghost, place, isCarrying, timer } = press;
    clearTimeout(timer);
    mark(null);
    press = null;
    // The click of this release still finds its card.
    setTimeout(() => press ?? release());
    if (!isCarrying) return;
    ghost.remove();
    card.classList.remove("carried");
    document.body.classList.remove("carrying");
    // The click that follows opens nothing.
    const swallow = (event) => event.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (isDropped && place) drop(card, place);
  }

  root.addEventListener("pointerdown", (event) => {
    const card = event.button === 0 && event.isPrimary && !readOnly() ? cardAt(event.target) : null;
    if (!card) return;
    press = { card, x: event.clientX, y: event.clientY, id: event.pointerId, place: null };
    isHeld = true;
    if (event.pointerType !== "mouse") press.timer = setTimeout(begin, PRESS);
  });
  addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    const isFar = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK;
    if (press.isCarrying || event.pointerType === "mouse")
      Object.assign(press, isFar || press.isCarrying ? { x: event.clientX, y: event.clientY } : {});
    if (press.isCarrying) show();
    else if (isFar && event.pointerType === "mouse") begin();
    // A finger that moves before the press is over scrolls.
    else if (isFar) end(false);
  });
  addEventListener("pointerup", (event) => {
    if (event.pointerId === press?.id) end(true);
  });
  addEventListener("pointercancel", () => end(false));
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !press?.isCarrying) return;
      event.stopImmediatePropagation();
      end(false);
    },
    true,
  );
  root.addEventListener(
    "touchmove",
    (event) => {
      if (press?.isCarrying) event.preventDefault();
    },
    { passive: false },
  );
  root.addEventListener("contextmenu", (event) => {
    if (press?.isCarrying || press?.timer) event.preventDefault();
  });
  root.addEventListener("dragstart", (event) => event.preventDefault());
}
