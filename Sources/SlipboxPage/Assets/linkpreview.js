// @ts-check
// The first lines of the note that a link leads to, while one points at the link or has the focus on it.

import { el, replace } from "./dom.js";
import { get } from "./api.js";
import { on } from "./store.js";
import { kindOf } from "./kinds.js";
import { headingsIn, showMarkup } from "./markup.js";

const WAIT = 350;
const NOTHING = { open() {}, make() {}, file() {}, tick: null };

export function startPreviews() {
  const node = el("div", { class: "link-preview", role: "tooltip", hidden: true });
  document.querySelector("main").append(node);
  let timer = null,
    link = null,
    free = null,
    round = 0;
  const close = () => {
    clearTimeout(timer);
    round++;
    link?.removeAttribute("aria-describedby");
    link = null;
    free?.();
    free = null;
    node.hidden = true;
  };
  const show = async (target, mine) => {
    try {
      const { note, html } = await get("note", { ref: target.dataset.ref });
      if (mine !== round || !target.isConnected) return;
      const text = el("div", { class: "markup" });
      free = showMarkup(text, html, NOTHING);
      const { part } = target.dataset;
      const heading = part && headingsIn(text).find((one) => one.textContent.trim() === part);
      if (heading) while (text.firstChild !== heading) text.firstChild.remove();
      replace(
        node,
        el("strong", { text: note.title || "Untitled" }),
        kindOf(note).name !== "note" && el("span", { class: "muted", text: ` ${kindOf(note).name}` }),
        text,
      );
      text.inert = true;
      node.hidden = false;
      place(node, target);
      node.id = "link-preview";
      target.setAttribute("aria-describedby", node.id);
    } catch {
      /* a preview that can't be read is none */
    }
  };
  const begin = (event) => {
    const target = event.target.closest?.("a.note-link, .link[data-ref]");
    if (target === link) return;
    close();
    if (!target?.dataset.ref) return;
    link = target;
    const mine = round;
    timer = setTimeout(() => show(target, mine), WAIT);
  };
  const leave = (event) => {
    if (link && !link.contains(event.relatedTarget)) close();
  };
  // What comes to be under a pointer that rests is not pointed at.
  let last = "";
  document.addEventListener("pointermove", (event) => {
    const here = `${event.clientX} ${event.clientY}`;
    if (event.pointerType !== "touch" && here !== last) begin(event);
    last = here;
  });
  document.addEventListener("pointerout", leave);
  document.addEventListener("focusin", begin);
  document.addEventListener("focusout", leave);
  for (const type of ["keydown", "pointerdown"]) addEventListener(type, close, true);
  document.addEventListener("scroll", close, true);
  on("opened", close);
}

/** Below its link, or above it if there is more room. */
function place(node, link) {
  const box = link.getBoundingClientRect();
  const { width, height } = node.getBoundingClientRect();
  const isAbove = box.bottom + height + 8 > innerHeight && box.top > innerHeight - box.bottom;
  node.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  node.style.top = `${isAbove ? Math.max(8, box.top - height - 6) : box.bottom + 6}px`;
}
