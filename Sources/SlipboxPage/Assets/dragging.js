// @ts-check
// Rows that are dragged onto an entry of the sidebar: a tag, a group, My Day.

import { readOnly, refOf, state } from "./store.js";

/** What a drop on an entry does, by its link: a function of the notes. */
const drops = new WeakMap();
export const takeDrops = (link, run) => {
  drops.set(link, run);
  return link;
};

/** The notes that are being dragged; null if none are. */
let dragged = null;

/** `noteOf(row)` is the note of a row of the list. */
export function startDragging(list, sidebar, noteOf) {
  list.addEventListener("dragstart", (event) => {
    const row = event.target.closest?.(".row");
    const note = row?.dataset.index === undefined || readOnly() ? null : noteOf(row);
    if (!note || state.place.view !== "notes") return event.preventDefault();
    dragged = state.allSelected
      ? "all"
      : state.selected.has(refOf(note))
        ? [...state.selected.values()]
        : [note];
    event.dataTransfer.effectAllowed = "copy";
    event.dataTransfer.setData("text/plain", note.title ?? "");
    return document.body.classList.add("dragging");
  });
  const end = () => {
    dragged = null;
    document.body.classList.remove("dragging");
    sidebar.querySelector(".drop")?.classList.remove("drop");
  };
  addEventListener("dragend", end);
  const linkOf = (event) => {
    const link = event.target.closest?.("a");
    return dragged && link && drops.has(link) ? link : null;
  };
  sidebar.addEventListener("dragover", (event) => {
    const link = linkOf(event);
    const before = sidebar.querySelector(".drop");
    if (before !== link) before?.classList.remove("drop");
    if (!link) return;
    event.preventDefault();
    link.classList.add("drop");
  });
  sidebar.addEventListener("dragleave", (event) => {
    if (!sidebar.contains(event.relatedTarget)) sidebar.querySelector(".drop")?.classList.remove("drop");
  });
  sidebar.addEventListener("drop", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    const notes = dragged;
    // No dragend follows if the row was drawn again meanwhile.
    end();
    drops.get(link)(notes);
  });
}
