// @ts-check
// Ticks in rows: each one is made of what the one before it has left.

import { own, readOnly, refOf } from "./store.js";
import { kindOf } from "./kinds.js";
import { act, change } from "./writes.js";

const under = new Map();

/** Milliseconds without a click on a box after which rows move: until then each stays where it was seen. */
const REST = 1200;
let last = -Infinity;

/** Waits until one has ticked what one was about to tick. */
export async function ticksEnd() {
  for (let left; (left = last + REST - performance.now()) > 0; )
    await new Promise((done) => setTimeout(done, left));
}

async function tickNow(note, name) {
  const now = own(note.fields, name);
  const value = String(!(now === true || now === "true"));
  // Where an action of the kind does just that, it is the action that history tells of.
  const action = Object.entries(kindOf(note).actions ?? {}).find(
    ([, changes]) => changes.length === 1 && changes[0] === `${name}:${value}`,
  )?.[0];
  const answer = await (action ? act(action, [note]) : change([note], [{ field: name, value }]));
  return answer?.notes[0] ?? note;
}

/**
 * Ticks a boolean field, or takes the tick away; a click that comes before the answer to another one waits
 * for it.
 */
export async function tick(note, name) {
  if (readOnly()) return;
  last = performance.now();
  const ref = refOf(note);
  const mine = (under.get(ref) ?? Promise.resolve(note)).then((now) => tickNow(now, name));
  under.set(ref, mine);
  await mine;
  if (under.get(ref) === mine) under.delete(ref);
}

/** Milliseconds in which one has not seen that a row has another note. */
const UNSEEN = 400;

/** Which note each row of a list had, and since when. */
export class SeenRows {
  constructor() {
    /** @type {Map<number, { ref: string | null, since: number }>} */
    this.rows = new Map();
  }

  see(index, ref) {
    const row = this.rows.get(index);
    if (row?.ref !== ref) this.rows.set(index, { ref, since: row?.ref ? performance.now() : -Infinity });
  }

  /** Whether a click on a row means the note that it has now, and not the one before. */
  isSeen(index) {
    return performance.now() - (this.rows.get(index)?.since ?? -Infinity) > UNSEEN;
  }
}
