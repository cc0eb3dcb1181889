// @ts-check
// One change that is to be saved, and its states.
//
//             send              acknowledge
//   waiting ───────────> saving ───────────> done
//    │   ^                 │  │  │  │
//    │   │ retry     defer │  │  │  └ lose ──> lost       the note is gone
//    │   ├───── failed <───┘  │  └ refuse ──> refused     the server says no
//    │   │        ^           └ clash ─────> conflict     somebody else changed the same place
//    │   └────────┼─────────────────────────── retry
//    └── defer ───┘
//
// `drop` leads from every state to done: the change was given up, or a later one takes its place.

export const TRANSITIONS = {
  waiting: { send: "saving", defer: "failed", drop: "done" },
  saving: {
    acknowledge: "done",
    defer: "failed",
    clash: "conflict",
    refuse: "refused",
    lose: "lost",
    drop: "done",
  },
  failed: { retry: "waiting", drop: "done" },
  conflict: { retry: "waiting", drop: "done" },
  refused: { retry: "waiting", drop: "done" },
  lost: { retry: "waiting", drop: "done" },
  done: {},
};

/** States in which a change waits for a decision. */
const STUCK = ["conflict", "refused", "lost"];

/** The place of a note's text; `field:NAME` is that of a field. */
export const BODY = "body";
export const slotOf = (name) => `field:${name}`;
export const fieldOfSlot = (slot) => (slot === BODY ? BODY : slot.slice("field:".length));

/** The field that a change is about, as a text or as an object. */
const fieldOfChange = (change) =>
  typeof change === "object" ? change.field : (/^([^:]*):/.exec(change)?.[1] ?? "tags");

export class SaveJob {
  /**
   * @param {SaveRequest} request
   * @param {(answer: WriteAnswer | null) => void} done Called once, with null if the change was given up.
   */
  constructor(request, done) {
    this.idempotencyKey = request.idempotencyKey ?? crypto.randomUUID();
    this.ref = request.ref;
    this.etag = request.etag;
    this.slot = request.slot ?? null;
    this.base = request.base;
    this.value = request.value;
    this.changes = request.changes ?? [];
    this.body = request.body;
    this.title = request.title;
    this.typed = request.typed ?? false;
    this.sent = request.sent ?? false;
    /** Whose value of a clash is written: `mine`; null if there was none. */
    this.keep = request.keep ?? null;
    this.state = "waiting";
    /** Why it is not saved. @type {any} */
    this.error = null;
    this.conflicts = [];
    this.done = done;
  }

  get isStuck() {
    return STUCK.includes(this.state);
  }

  /** The fields that it sets, and `body`. */
  get fields() {
    return [...this.changes.map(fieldOfChange), ...(this.body === undefined ? [] : [BODY])];
  }

  /**
   * Moves to the state that an event leads to; an event that its state does not know is a mistake of the
   * page.
   */
  move(event) {
    const next = TRANSITIONS[this.state][event];
    if (!next) throw new Error(`a save that is ${this.state} can't ${event}`);
    this.state = next;
  }

  /** What the browser stores of it. */
  stored() {
    const { idempotencyKey, etag, slot, base, value, changes, body, title, typed, sent } = this;
    const common = { idempotencyKey, etag, slot, changes, title, typed, sent };
    return slot === BODY ? { ...common, body } : { ...common, base, value };
  }

  /** What is sent to the server. */
  request() {
    const { ref, etag, changes, idempotencyKey, body, keep } = this;
    return {
      notes: [{ ref, etag }],
      changes,
      idempotencyKey,
      ...(body === undefined ? {} : { body }),
      ...(keep ? { keep } : {}),
    };
  }
}
