// @ts-check
// The state that panes share, and who is told when a part of it changes.

/** The topics of the page, each with its detail. `on` and `emit` refuse any other one. */
const TOPICS = /** @type {const} */ ([
  // The box and the connection
  "box", // state.box was read
  "changed", // the page or another program changed the box: the panes read it again
  "online", // whether the server answers
  "unauthorized", // the server does not know the token

  // Places
  "place", // the address has changed: {before, now}
  "opened", // state.place.ref has changed
  "note", // the detail shows a note, or none, or that the note is gone
  "cursor", // the list's cursor was moved to state.cursor
  "open-cursor", // open the note under the cursor: {focus}
  "listed", // a list is shown: {total, word, error}
  "empty", // a list has no rows: {notice, hint}
  "selection", // state.selected or state.allSelected has changed
  "tick", // the box of a row was clicked: {note, field}
  "entry-chosen", // the menu of an entry of the sidebar runs an action

  // Writing
  "saving", // a draft or a save was begun, sent, acknowledged or given up
  "written", // a save was acknowledged: {ref, note, etag, answer, job}
  "refused", // a save was not acknowledged: its job
  "dropped", // a save was given up: its job
  "renamed", // the name of a note has changed: {from, to}
  "fresh", // a write has changed notes: the list of them
  "removed", // notes were deleted here, or a change undone: {refs, operation, redo}
]);
/** @typedef {typeof TOPICS[number]} Topic */

const listeners = new Map(TOPICS.map((topic) => [topic, new Set()]));

/** @param {Topic} topic */
function listenersOf(topic) {
  const found = listeners.get(topic);
  if (!found) throw new Error(`no topic is named ${topic}`);
  return found;
}

/**
 * What a pane has taken for itself is null.
 * @typedef {{ note?: number | null, list?: { top: number, first: number, index: number } | null }} Scrolled
 * @type {{
 *   box: any, place: Place, scrolled: Scrolled | null, note: Note | null, gone: boolean, online: boolean,
 *   cursor: Note | null,   selected: Map<string, Note>, allSelected: boolean,
 * }}
 */
export const state = {
  box: null, // the answer of /api/box
  place: { view: "notes", query: "", ref: null, at: null },
  note: null, // the answer of /api/note for place.ref, or null
  scrolled: null, // how far the panes were scrolled when the place was left
  gone: false, // place.ref was there and is no longer
  online: true,
  cursor: null, // the note object under the list's cursor
  selected: new Map(), // ref -> note object
  allSelected: false, // everything that the query finds
};

/**
 * Calls a listener whenever a topic is emitted; returns what ends that.
 * @param {Topic} topic
 */
export function on(topic, listener) {
  const all = listenersOf(topic);
  all.add(listener);
  return () => all.delete(listener);
}

/**
 * Calls a listener whenever one of several topics is emitted.
 * @param {Topic[]} topics
 */
export function onAny(topics, listener) {
  for (const topic of topics) on(topic, listener);
}

/**
 * @param {Topic} topic
 * @param {any} [detail]
 */
export function emit(topic, detail) {
  for (const listener of [...listenersOf(topic)]) listener(detail);
}

/** A value of an object that came from notes: names such as `constructor` are names there. */
export const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * The name by which a note is asked for: its id; its path where it has none, or shares it with another one.
 */
export const refOf = (/** @type {Pick<Note, "id" | "path" | "ref">} */ note) =>
  note.ref ?? note.id ?? note.path;

/** The place shows notes that actions mean: a list or a saved view. */
export const isOfNotes = () => ["notes", "view"].includes(state.place.view);

/** Nothing may be changed: a read-only server, or a box of the past. */
export const readOnly = () => Boolean(state.place.at || state.box?.readOnly);
