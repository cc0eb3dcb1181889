// @ts-check
// Which note keys mean while the list has the focus: the shown note, or the one of the list's cursor.

import { isOfNotes, refOf, state } from "./store.js";

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
  !state.allSelected &&
  !state.selected.size &&
  !isAtCursor();
