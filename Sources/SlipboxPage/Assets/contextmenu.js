// @ts-check
// The menu of a row: what can be done to its note, or to the selection that it is part of.

import { choose } from "./chooser.js";
import { aboutOf } from "./choices.js";
import { targets } from "./acting.js";
import { keyText } from "./keys.js";
import { refOf, state } from "./store.js";

/** Actions of the table in the order of the menu; those of the note's kind come first. */
const IDS = [
  "state",
  "rank",
  "due",
  "tags",
  "day",
  "fields",
  "edit",
  "title",
  "copy-link",
  "select",
  "bulk",
  "delete",
];

function itemsOf(table) {
  const now = table().filter((action) => !action.when || action.when());
  const own = now.filter(({ id }) => id.startsWith("do-"));
  const others = IDS.map((id) => now.find((action) => action.id === id)).filter(Boolean);
  return [...own, ...others].map((action) => ({
    text: action.title,
    key: keyText(action.keys?.[0]),
    run: action.run,
  }));
}

/** `table()` gives the actions as they are now. */
export function startContextMenu(app, table) {
  const { list, saved } = app;
  const show = (at) => {
    const items = itemsOf(table);
    if (items.length) choose({ title: "Actions", about: aboutOf(targets(app), list.total), items, at });
  };
  const open = (index, at) => {
    const note = list.noteAt(index);
    if (!note || state.place.view !== "notes") return;
    if (!state.allSelected && !state.selected.has(refOf(note))) {
      app.unselect();
      list.focus();
      list.point(index, { scroll: false });
    }
    show(at);
  };
  saved.node.addEventListener("contextmenu", (event) => {
    const card = event.target.closest(".card");
    // A finger that carries the card asks for no menu.
    if (!card || event.defaultPrevented) return;
    event.preventDefault();
    if (!state.selected.has(card.dataset.ref)) app.unselect();
    card.focus({ preventScroll: true });
    const { left, bottom } = card.getBoundingClientRect();
    show(event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom });
  });
  list.grid.addEventListener("contextmenu", (event) => {
    const row = event.target.closest(".row");
    // The key for menus means the row of the cursor.
    const index = row?.dataset.index === undefined ? list.index : Number(row.dataset.index);
    const place =
      event.button === 2 || row
        ? { x: event.clientX, y: event.clientY }
        : list.grid.querySelector(".row.current")?.getBoundingClientRect();
    event.preventDefault();
    open(index, place ?? { x: 40, y: 100 });
  });
}
