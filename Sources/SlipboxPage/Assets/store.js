// The state that panes share, and who is told when a part of it changes.

const listeners = new Map();

export const state = {
  box: null,            // the answer of /api/box
  place: { view: "notes", query: "", ref: null, at: null },
  note: null,           // the answer of /api/note for place.ref, or null
  gone: false,          // place.ref was there and is no longer
  online: true,
  cursor: null,         // the note object under the list's cursor
  selected: new Map(),  // ref -> note object
  allSelected: false,   // everything that the query finds
};

export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

export function emit(topic, detail) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(detail);
}

/** A value of an object that came from notes: names such as `constructor` are names there. */
export const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);

/** The name by which a note is asked for: its id; its path where it has none, or shares it with another one. */
export const refOf = (note) => note.ref ?? note.id ?? note.path;

/** Nothing may be changed: a read-only server, or a box of the past. */
export const readOnly = () => Boolean(state.place.at || state.box?.readOnly);
