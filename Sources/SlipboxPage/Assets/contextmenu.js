// @ts-check
// The menu of a row: what can be done to its note, or to the selection that it is part of. The menu of a tag
// or a folder of the sidebar.

import { choose } from "./chooser.js";
import { aboutOf, sample } from "./choices.js";
import { dayAction, dueField, kindOf, rankField, stateField } from "./kinds.js";
import { targets } from "./meant.js";
import { keyText } from "./keys.js";
import { refOf, state } from "./store.js";
import { openEntryMenu } from "./entryactions.js";
import { meantBy } from "./sidebar.js";

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

/** The fields that some actions of the menu set: a kind without one does without the action. */
const FIELDS = { state: stateField, rank: rankField, due: dueField, day: dayAction };

function itemsOf(table, notes) {
  const kinds = sample(notes).map(kindOf);
  const fits = ({ id }) => !FIELDS[id] || kinds.some((kind) => FIELDS[id](kind));
  const now = table().filter((action) => (!action.when || action.when()) && fits(action));
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
    const notes = targets(app);
    const items = itemsOf(table, notes);
    if (items.length) choose({ title: "Actions", about: aboutOf(notes, list.total), items, at });
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
  const rowOf = (event) => event.target.closest?.(".row[data-index]");
  onRest(list.grid, rowOf, (row, at) => open(Number(row.dataset.index), at));
}

/** Milliseconds after which a finger asks for a menu, and pixels by which it may move until then. */
const PRESS = 550;
const SLACK = 10;

/**
 * Calls `open(node, at)` for a finger that rests on a node that `nodeOf(event)` finds: not every browser
 * reports that. Lifting the finger is no click then.
 */
function onRest(/** @type {HTMLElement} */ area, nodeOf, open) {
  /** A finger on a node: `{x, y, node, timer}`. */
  let press = null;
  let isOpened = false;
  const end = () => {
    clearTimeout(press?.timer);
    press = null;
  };
  const take = () => {
    const { node, x, y } = press;
    end();
    isOpened = true;
    // Events of the mouse that follow have whole numbers: they are in the menu.
    open(node, { x: Math.floor(x), y: Math.floor(y) });
  };
  const stop = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  area.addEventListener(
    "contextmenu",
    (event) => {
      if (!isOpened && !press) return;
      stop(event);
      if (!isOpened) take();
    },
    true,
  );
  area.addEventListener("pointerdown", (event) => {
    end();
    isOpened = false;
    const node = event.pointerType === "mouse" ? null : nodeOf(event);
    if (!node) return;
    // A browser that begins to drag reports no finger that rests.
    node.draggable = false;
    press = { x: event.clientX, y: event.clientY, node, timer: setTimeout(take, PRESS) };
  });
  area.addEventListener("pointermove", (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) end();
  });
  for (const type of ["pointerup", "pointercancel", "scroll"]) area.addEventListener(type, end, true);
  area.addEventListener(
    "click",
    (event) => {
      if (!isOpened || !event.detail) return;
      isOpened = false;
      stop(event);
    },
    true,
  );
}

/** Opens the menu of a tag or a folder by the right button, the key for menus, and a finger on it. */
export function startEntryMenus(/** @type {HTMLElement} */ sidebar, create) {
  const linkOf = (event) => {
    const link = event.target.closest?.("a");
    return link && meantBy(link) ? link : null;
  };
  const open = (link, at) => {
    link.focus({ preventScroll: true });
    openEntryMenu(meantBy(link), create, at);
  };
  sidebar.addEventListener("contextmenu", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    const { left, bottom } = link.getBoundingClientRect();
    open(link, event.button === 2 ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom });
  });
  onRest(sidebar, linkOf, open);
}
