// @ts-check
// What lies over the page: the sidebar of a narrow screen, menus and dialogs. Back closes the last one. The
// second one of two quick taps does not reach what lay below.

/** What lies over the page: what closes each, and whether it is still open. */
const overlays = [];

/** An entry of the history for what lies over the page: Back on a phone takes this one. */
function keepBack() {
  if (!matchMedia("(pointer: coarse)").matches || history.state?.isOver) return;
  history.pushState({ entry: history.state?.entry, isOver: true }, "", location.href);
}

/** Something lies over the page while `isOpen()`, and till the function is called that this gives. */
export function openOver(close, isOpen = () => true) {
  const overlay = { close, isOpen };
  overlays.push(overlay);
  keepBack();
  return () => {
    const place = overlays.indexOf(overlay);
    if (place >= 0) overlays.splice(place, 1);
  };
}

/** Closes what lies uppermost over the page; false if nothing does. */
export function closeOver() {
  const overlay = overlays.pop();
  overlay?.close();
  if (overlays.length) keepBack();
  return overlay !== undefined;
}

/** Milliseconds after a tap that closed something in which further taps count as the same one. */
const PAUSE = 350;
const TAP = [
  "pointerdown",
  "pointerup",
  "touchstart",
  "touchend",
  "mousedown",
  "mouseup",
  "click",
  "dblclick",
];

const uppermost = () => overlays.findLast(({ isOpen }) => isOpen()) ?? null;

/** Ignores taps soon after one that closed what lay over the page: nobody has seen what they would hit. */
export function startTaps() {
  /** What lay uppermost when the last tap began. */
  let before = null;
  /** When the last tap ended. */
  let ended = -Infinity;
  let isIgnored = false;
  const begin = (event) => {
    if (event.pointerType === "mouse") {
      before = null;
      isIgnored = false;
      return;
    }
    const isClosed = before !== null && (!overlays.includes(before) || !before.isOpen());
    isIgnored = isClosed && event.timeStamp - ended < PAUSE;
    if (!isIgnored) before = uppermost();
  };
  for (const type of TAP)
    addEventListener(
      type,
      (/** @type {any} */ event) => {
        if (type === "pointerdown") begin(event);
        // Keys and scripts click too, without a finger.
        if (isIgnored && (type !== "click" || event.detail)) {
          event.stopImmediatePropagation();
          if (!type.startsWith("touch")) event.preventDefault();
        } else if (type !== "touchstart" && type !== "pointerdown") ended = event.timeStamp;
      },
      { capture: true, passive: type.startsWith("touch") },
    );
}
