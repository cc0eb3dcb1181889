// @ts-check
// Saving: what is typed is a draft until it is committed to the queue; both are kept in the browser till the
// server has them.

import { post } from "./api.js";
import { state, emit, on, refOf } from "./store.js";
import { say } from "./messages.js";
import { undoOf } from "./past.js";
import { labelOf } from "./kinds.js";
import * as drafts from "./drafts.js";
import { BODY } from "./savejob.js";
import { SaveQueue } from "./savequeue.js";

/** Characters of a text that a page that is closed can still send: browsers take 64 kB. */
const LAST_WORDS = 20000;

const send = (job) => {
  const isClosing = document.visibilityState === "hidden" && (job.body ?? "").length < LAST_WORDS;
  return post("change", job.request(), { keepalive: isClosing });
};
const isShown = (ref) => state.note !== null && refOf(state.note) === ref;

const queue = new SaveQueue({
  send,
  drafts,
  emit,
  say,
  nameOf: refOf,
  isShown,
  undoOf: (answer) => undoOf(answer),
  labelOf,
});
on("removed", ({ redo }) => {
  if (redo) queue.forgetVersions();
});
drafts.storeJobs((ref) => queue.jobs.filter((job) => job.ref === ref).map((job) => job.stored()));

export const saveState = () => queue.summary();
export const stuckJobs = (ref = null) => queue.stuck(ref);
export const unsaved = () => queue.jobs.length > 0 || drafts.hasDrafts();
export const jobIn = (ref, slot) => queue.jobIn(ref, slot);
/** Whether a change of a note is on its way, which may rename its file. */
export const isSaving = (ref) =>
  queue.jobs.some((job) => job.ref === ref && (job.state === "waiting" || job.state === "saving"));
export const forgetVersion = (ref, etag) => queue.forgetVersion(ref, etag);
export const rename = (from, to) => queue.rename(from, to);
export const found = (ref) => queue.found(ref);
export const giveUp = (job) => queue.giveUp(job);

/** @param {SaveRequest} request */
export const save = (request) => queue.save(request);

/**
 * What the form shows in a place of a note: what is typed there, else what is being saved; undefined if
 * neither is, and in the past.
 */
export const heldIn = (ref, slot) =>
  state.place.at ? undefined : (drafts.draftOf(ref, slot) ?? jobIn(ref, slot));

/** Takes what is in an input now. `begun`: `{etag, base, title}` of the note as the form shows it. */
export function updateDraft(ref, slot, value, begun) {
  const job = jobIn(ref, slot);
  if (value === (job ?? drafts.draftOf(ref, slot) ?? begun).base && !job?.sent) {
    // As it was: there is nothing to be saved any more.
    if (job) giveUp(job);
    return drafts.drop(ref, slot);
  }
  if (job && value === job.value) return drafts.drop(ref, slot);
  // The server may have applied the save: what is typed now is based on the text that it sent.
  const base = job && { etag: job.etag, base: job.sent ? job.value : job.base, title: job.title };
  return drafts.hold(ref, slot, value, base ?? begun);
}

/** Gives up what is typed in one place, and what was refused there. */
export function revert(ref, slot) {
  drafts.drop(ref, slot);
  const job = jobIn(ref, slot);
  if (job?.isStuck) giveUp(job);
}

/** Has what was typed written: in one place, in one note, or all of it. */
export function commit(ref = null, slot = null) {
  const typed = drafts.draftsOf(ref).filter((draft) => slot === null || draft.slot === slot);
  return Promise.all(
    typed.map((draft) => {
      const saved = save(SaveQueue.requestOf(draft));
      drafts.drop(draft.ref, draft.slot);
      return saved;
    }),
  );
}

/**
 * Waits till all that can be written is; false if the server does not take it now. What waits for a decision
 * does not hold it up.
 */
export async function flush() {
  commit();
  while (!queue.isIdle) {
    await new Promise((done) => {
      const stop = on("saving", () => {
        stop();
        done();
      });
    });
  }
  return queue.jobs.every((job) => job.isStuck);
}

/** Sends a job once more, with what the place holds now. */
export function retry(job) {
  if (job.slot && drafts.draftOf(job.ref, job.slot) && !job.sent) return commit(job.ref, job.slot);
  return queue.retry(job);
}

/** Settles a change that clashed with another: `mine` writes it over, `theirs` gives it up. */
export function settle(job, side) {
  // What was typed since is compared with theirs too, and the question put again.
  if (job.slot && drafts.draftOf(job.ref, job.slot)) return retry(job);
  if (side !== "mine") return giveUp(job);
  job.keep = "mine";
  return retry(job);
}

/** Takes over what this tab, or tabs that are closed, left behind. */
export async function recover() {
  for (const { ref, drafts: typed, jobs } of await drafts.takeLeft()) {
    // Earlier versions of the page stored the key as `once`, and not whether it was sent.
    for (const job of jobs)
      save({
        ...job,
        idempotencyKey: job.idempotencyKey ?? job.once,
        sent: job.sent ?? job.once !== undefined,
        ref,
        value: job.slot === BODY ? job.body : job.value,
      });
    for (const draft of typed) {
      drafts.hold(draft.ref, draft.slot, draft.value, draft);
      commit(draft.ref, draft.slot);
    }
  }
}

on("online", (online) => {
  if (online) queue.retryFailed();
});
addEventListener("pagehide", () => commit());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) commit();
});
