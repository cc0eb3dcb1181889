// @ts-check
// Which notes keys mean: the selection, the shown note, or the one of the list's cursor. A list that shows an
// error or no note has neither cursor nor selection.

import { emit, isOfNotes, refOf, state } from "./store.js";

/** The list and the note are beside each other; otherwise an open note covers the list. */
export const wide = matchMedia("(min-width: 720px)");

const isCovering = () => state.place.ref !== null && !wide.matches;
const isSelected = () => state.allSelected || state.selected.size > 0;

/** Whether the cursor is on the shown note. A note whose id another one has is open by its path. */
export const isAtCursor = () =>
  state.cursor !== null && [refOf(state.cursor), state.cursor.path].includes(state.place.ref);

/**
 * Whether keys mean the shown note, and the list's cursor is on another one. The frame is around the note
 * then, and around no row.
 */
export const isAside = (list) =>
  state.place.ref !== null &&
  isOfNotes() &&
  !list.isAhead &&
  !isSelected() &&
  !isAtCursor();

/**
 * Whether keys mean the note in the detail: it has the focus, or covers the list, or the cursor was not moved
 * since it was opened.
 */
export function meansShown(app) {
  const { ref, view } = state.place;
  if (ref === null) return false;
  if (isCovering() || app.detail.node.contains(document.activeElement)) return true;
  // On the line of a check box they mean its note alone.
  if (view === "todos" && app.todos.hasFocus()) return app.todos.cursorRef() === ref;
  if (!isOfNotes()) return true;
  // On an empty day or in an empty column keys mean no note.
  if (!state.cursor) return view !== "view" || !app.saved.isAhead;
  const { isAhead } = view === "view" ? app.saved : app.list;
  return !isAhead && !isAtCursor();
}

const meansOpen = (app) => isCovering() || (!isSelected() && meansShown(app));

/** The note that is meant is being read; the one before it is still in sight and must not be taken for it. */
export const isAwaited = (app) => meansOpen(app) && !app.isShown();

/** What an action is done to: the selection, else the note that is shown, else the one under the cursor. */
export function targets(app) {
  if (meansOpen(app)) return app.isShown() && state.note && !state.gone ? [app.detail.target()] : [];
  if (state.allSelected) return "all";
  if (state.selected.size) return [...state.selected.values()];
  return state.cursor && isOfNotes() ? [state.cursor] : [];
}

/** The list shows no note: keys mean none of those that it had before. */
export function meanNone() {
  state.cursor = null;
  if (!isSelected()) return;
  state.selected.clear();
  state.allSelected = false;
  emit("selection");
}
