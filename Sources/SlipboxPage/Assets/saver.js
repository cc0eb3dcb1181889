// Writes, one after another; what could not be written is kept in the browser and tried again.

import { post } from "./api.js";
import { state, emit, on, refOf } from "./store.js";
import { say } from "./messages.js";
import { BODY, draftOf, draftsOf, drop, hasDrafts, fieldOfSlot, hold, keep, renameDrafts, storeJobs, takeLeft } from "./drafts.js";

/** `{idempotencyKey, ref, etag, slot, base, value, changes, body, title, typed, sent, state, error, conflicts, done}`; `sent`: the server may have applied it; states: waiting, saving, failed (tried again), conflict, refused, lost. */
const jobs = [];
let running = null;
let wait = 500;
const lastEtag = new Map();   // a version that was read, and the one that our change made of it

storeJobs((ref) => jobs.filter((job) => job.ref === ref).map(({ idempotencyKey, etag, slot, base, value, changes, body, title, typed, sent }) => (
  slot === BODY ? { idempotencyKey, etag, slot, changes, body, title, typed, sent } : { idempotencyKey, etag, slot, base, value, changes, title, typed, sent })));

const changed = (job) => { keep(job.ref); emit("saving"); };

export function saveState() {
  const first = (name) => jobs.find((job) => job.state === name);
  const conflict = first("conflict"), stuck = first("refused") ?? first("lost") ?? first("failed");
  if (conflict) return { word: "conflict", text: "Not saved: changed elsewhere too", ref: conflict.ref };
  if (stuck) return { word: "failed", text: `Not saved: ${stuck.error.message}`, ref: stuck.ref };
  if (jobs.length) return { word: "saving", text: "Saving…" };
  if (hasDrafts()) return { word: "typed", text: "Not saved yet" };
  return { word: "saved", text: "Saved" };
}

/** The form shows this version now: it is no longer an older one of ours. */
export const seen = (ref, etag) => lastEtag.delete(`${ref} ${etag}`);

const isStuck = (job) => ["conflict", "refused", "lost"].includes(job.state);
/** The saves that wait for a decision: of one note, or all. */
export const stuckJobs = (ref = null) => jobs.filter((job) => isStuck(job) && (ref === null || job.ref === ref));
export const unsaved = () => jobs.length > 0 || hasDrafts();

/** The last save of one place that is not done. */
export const jobIn = (ref, slot) => jobs.findLast((job) => job.ref === ref && job.slot === slot);
/** What the form shows in a place of a note: what is typed there, else what is being saved; undefined where neither is. In the past nothing is. */
export const heldIn = (ref, slot) => (state.place.at ? undefined : draftOf(ref, slot) ?? jobIn(ref, slot));

/** Takes what is in an input now. `begun`: `{etag, base, title}` of the note as the form shows it. */
export function type(ref, slot, value, begun) {
  const job = jobIn(ref, slot);
  if (value === (job ?? draftOf(ref, slot) ?? begun).base && !job?.sent) {
    // As it was: there is nothing to be saved any more.
    if (job) giveUp(job);
    return drop(ref, slot);
  }
  if (job && value === job.value) return drop(ref, slot);
  // The server may have applied the save: what is typed now is based on the text that it sent.
  hold(ref, slot, value, job ? { etag: job.etag, base: job.sent ? job.value : job.base, title: job.title } : begun);
}

/** Gives up what is typed in one place, and what was refused there. */
export function revert(ref, slot) {
  drop(ref, slot);
  const job = jobIn(ref, slot);
  if (job && isStuck(job)) giveUp(job);
}

/** Has what was typed written: in one place, in one note, or all of it. */
export function commit(ref = null, slot = null) {
  const typed = draftsOf(ref).filter((draft) => slot === null || draft.slot === slot);
  return Promise.all(typed.map((draft) => {
    const { etag, base, value, title } = draft;
    const change = draft.slot === BODY ? { body: value } : { changes: [{ field: fieldOfSlot(draft.slot), value }] };
    const saved = save({ ref: draft.ref, etag, slot: draft.slot, base, value, title, typed: true, ...change });
    drop(draft.ref, draft.slot);
    return saved;
  }));
}

/** Waits till all that can be written is; false where the server does not take it now. What waits for a decision is no hindrance. */
export async function settled() {
  commit();
  while (jobs.some((job) => job.state === "waiting" || job.state === "saving")) {
    await new Promise((done) => { const stop = on("saving", () => { stop(); done(); }); });
  }
  return jobs.every(isStuck);
}

/**
 * Asks for a change of one note to be written. Resolves with the answer, or with null where it was given up.
 * `slot`: the one place that it sets, where it sets one; `base`: what stood there.
 */
export function save({ ref, etag, slot = null, base, value, changes = [], body, title, typed = false, sent = false, idempotencyKey = crypto.randomUUID() }) {
  return new Promise((done) => {
    const job = { idempotencyKey, ref, etag, slot, base, value, changes, body, title, typed, sent, state: "waiting", done };
    // What is set again before it was sent is written once, on what the first one was made of. A save that was sent keeps its
    // place: its idempotency key tells whether it was applied, and which version it made.
    for (const older of slot === null || sent ? [] : jobs.filter((one) => one.ref === ref && one.slot === slot && !one.sent)) {
      Object.assign(job, { etag: older.etag, base: older.base });
      jobs.splice(jobs.indexOf(older), 1);
      older.done(null);
    }
    jobs.push(job);
    changed(job);
    // Saves that failed come first.
    again();
  });
}

function finish(job, answer) {
  if (!jobs.includes(job)) return;
  jobs.splice(jobs.indexOf(job), 1);
  if (running === job) running = null;
  changed(job);
  job.done(answer);
}

/** The field that a change is about, as a text or as an object. */
const fieldOfChange = (change) => (typeof change === "object" ? change.field : /^([^:]*):/.exec(change)?.[1] ?? "tags");
const fieldsOf = (job) => [...job.changes.map(fieldOfChange), ...(job.body === undefined ? [] : [BODY])];

/** The version that a save made, which may be older than the note as it is now; null if it is not known. */
function versionMade(answer, job, note) {
  const made = answer.versions.find((one) => [one.ref, one.path].includes(job.ref) || one.path === note?.path);
  // Nothing had to be written: the note as it is now is the version.
  return made?.etag ?? (answer.already ? null : note?.etag ?? null);
}

/** Later changes of the same note were made on what this one wrote, but for what came in from elsewhere. */
function follow(job, etag, merged) {
  const foreign = new Set((merged ?? []).map((one) => one.field));
  const goOn = (later) => {
    if (later.etag !== job.etag) return;
    if (later.slot && later.slot === job.slot && !foreign.has(fieldOfSlot(job.slot))) later.base = job.value;
    later.etag = etag;
  };
  for (const later of jobs.slice(jobs.indexOf(job) + 1)) if (later.ref === job.ref && !fieldsOf(later).some((field) => foreign.has(field))) goOn(later);
  for (const draft of draftsOf(job.ref)) if (!foreign.has(fieldOfSlot(draft.slot))) goOn(draft);
  // A value that is put back gives an older version again: the newest one leads nowhere.
  if (job.etag !== etag) lastEtag.set(`${job.ref} ${job.etag}`, foreign.size ? null : etag);
  lastEtag.delete(`${job.ref} ${etag}`);
}

/** A note that goes by another name by now takes along what waits for it. */
export function rename(from, to) {
  if (from === to) return;
  renameDrafts(from, to);
  for (const job of jobs) if (job.ref === from) job.ref = to;
  keep(from);
  keep(to);
  emit("renamed", { from, to });
}

async function run() {
  if (running) return;
  const job = jobs.find((one) => one.state === "waiting");
  if (!job) return;
  running = job;
  job.state = "saving";
  job.sent = true;
  keep(job.ref);
  // The etag of a form that has not heard of its own last change yet.
  for (let next; (next = lastEtag.get(`${job.ref} ${job.etag}`));) job.etag = next;
  try {
    const request = { notes: [{ ref: job.ref, etag: job.etag }], changes: job.changes, idempotencyKey: job.idempotencyKey };
    if (job.body !== undefined) request.body = job.body;
    if (job.keep) request.keep = job.keep;
    // A page that is closed has its last change sent all the same; browsers send 64 kB so.
    const keepalive = document.visibilityState === "hidden" && (job.body ?? "").length < 20000;
    const answer = await post("change", request, { keepalive });
    // A change of a title is answered with the notes that link there too.
    const note = answer.notes.find((one) => [one.id, one.path, one.ref].includes(job.ref)) ?? answer.notes[0];
    wait = 500;
    // A file without an id may have been moved.
    if (note && ![note.id, note.path].includes(job.ref)) rename(job.ref, refOf(note));
    const etag = versionMade(answer, job, note);
    if (etag) follow(job, etag, answer.merged);
    finish(job, answer);
    if (answer.merged?.length) say(`Merged with what was changed elsewhere: ${answer.merged.map((one) => one.field).join(", ")}`);
    else if (answer.hints?.length) say(answer.hints[0]);
    emit("written", { ref: job.ref, note, etag, answer, job });
  } catch (error) {
    running = null;
    failed(job, error);
  }
  run();
}

/** A save was refused: what was typed since is based on the version that the save was based on. */
function notApplied(job) {
  job.sent = false;
  const typed = job.slot && draftOf(job.ref, job.slot);
  if (typed && typed.etag === job.etag && typed.base === job.value) typed.base = job.base;
}

function failed(job, error) {
  // It is said beside the note that it is about.
  error.message = error.message.replaceAll(`${job.ref}: `, "");
  job.error = error;
  if (error.isRefusal) {
    notApplied(job);
    const later = job.slot && jobs.slice(jobs.indexOf(job) + 1).find((one) => one.ref === job.ref && one.slot === job.slot);
    // The later text stands in for this one, on the same version.
    if (later) { Object.assign(later, { etag: job.etag, base: job.base }); finish(job, null); return; }
  }
  if (error.status === 409 && error.conflicts.length) { job.state = "conflict"; job.conflicts = error.conflicts; }
  else if (error.passing) {
    // Later saves of the note wait too: they are based on this one.
    for (const one of jobs.slice(jobs.indexOf(job))) if (one.ref === job.ref && (one === job || one.state === "waiting")) Object.assign(one, { state: "failed", error });
    setTimeout(again, wait);
    wait = Math.min(wait * 1.6, 5000);
  }
  else if (error.code === "not-found") { job.state = "lost"; emit("changed"); }
  else job.state = "refused";
  // What was typed into the note that is in sight is told of beside it.
  if (job.state === "refused" && !(job.typed && state.note && refOf(state.note) === job.ref)) say(`Not saved. ${error.advice}`, { error: true });
  changed(job);
  // What was chosen and not typed can be chosen again.
  if (job.state === "refused" && !job.typed) { finish(job, null); emit("dropped", job); }
  emit("refused", job);
}

/** Tries again what failed for want of a server. */
export function again() {
  for (const job of jobs) if (job.state === "failed") job.state = "waiting";
  run();
}

/** A note that was gone is there: what waits for it is tried again. */
export function found(ref) {
  const waiting = jobs.filter((job) => job.ref === ref && job.state === "lost");
  for (const job of waiting) job.state = "waiting";
  if (waiting.length) { emit("saving"); run(); }
}

/** Tries once more, with what stands there now. */
export function retry(job) {
  if (draftOf(job.ref, job.slot) && !job.sent) return commit(job.ref, job.slot);
  job.state = "waiting";
  emit("saving");
  return run();
}

/** Settles a change that met another: `mine` writes it over, `theirs` gives it up. */
export function settle(job, side) {
  // What was typed since is held against theirs too, and the question put again.
  if (job.slot && draftOf(job.ref, job.slot)) return retry(job);
  if (side === "mine") { job.keep = "mine"; return retry(job); }
  return giveUp(job);
}

export function giveUp(job) {
  finish(job, null);
  emit("dropped", job);
  run();
}

/** Takes over what this tab, or tabs that are closed, left behind. */
export async function recover() {
  for (const { ref, drafts, jobs: left } of await takeLeft()) {
    // Earlier versions of the page stored the key as `once`, and not whether it was sent.
    for (const job of left) save({ ...job, idempotencyKey: job.idempotencyKey ?? job.once, sent: job.sent ?? job.once !== undefined, ref, value: job.slot === BODY ? job.body : job.value });
    for (const draft of drafts) {
      hold(draft.ref, draft.slot, draft.value, draft);
      commit(draft.ref, draft.slot);
    }
  }
}

on("online", (online) => { if (online) again(); });
addEventListener("pagehide", () => commit());
document.addEventListener("visibilitychange", () => { if (document.hidden) commit(); });
