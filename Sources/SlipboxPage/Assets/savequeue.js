// @ts-check
// The changes that are to be saved, one after another. What could not be sent is tried again; what the server
// refused waits for a decision.

import { BODY, fieldOfSlot, SaveJob } from "./savejob.js";

/** Milliseconds before a failed save is sent again: the first time, by what it grows, and at most. */
const FIRST_WAIT = 500;
const GROWTH = 1.6;
const LONGEST_WAIT = 5000;

/** The version that a save made, which may be older than the note as it is now; null if it is not known. */
function versionMade(answer, job, note) {
  const made = answer.versions.find(
    (one) => [one.ref, one.path].includes(job.ref) || one.path === note?.path,
  );
  // Nothing had to be written: the note as it is now is the version.
  return made?.etag ?? (answer.already ? null : (note?.etag ?? null));
}

/** What became of a change that others made meanwhile; empty if there was none. */
function mergedText({ keep, conflicts }, { merged = [] }, labelOf) {
  const kept = keep === "mine" ? conflicts.map(({ field }) => field) : [];
  const names = (fields) => fields.map(labelOf).join(", ");
  const others = merged.map(({ field }) => field).filter((field) => !kept.includes(field));
  return [
    kept.length && `Your version was kept: ${names(kept)}`,
    others.length && `Merged with what was changed elsewhere: ${names(others)}`,
  ]
    .filter(Boolean)
    .join(". ");
}

const keyOf = (ref, etag) => `${ref} ${etag}`;

export class SaveQueue {
  /**
   * `send(job)` sends a change to the server and resolves with its answer; `drafts`: what is typed and not
   * sent yet; `emit(topic, detail)` says what happened; `say(text, options)` shows a message;
   * `undoOf(answer)` gives its button; `labelOf(field)` gives the name of a field as people read it;
   * `nameOf(note)` gives the name by which the server knows a note;
   * `isShown(ref)`: whether the note is in sight.
   */
  constructor({
    send,
    drafts,
    emit,
    say,
    nameOf,
    isShown,
    undoOf = (_answer) => ({}),
    labelOf = (field) => field,
    later = (run, wait) => setTimeout(run, wait),
  }) {
    this.send = send;
    this.drafts = drafts;
    this.emit = emit;
    this.say = say;
    this.undoOf = undoOf;
    this.labelOf = labelOf;
    this.nameOf = nameOf;
    this.isShown = isShown;
    this.later = later;
    /** @type {SaveJob[]} */
    this.jobs = [];
    /** @type {SaveJob | null} */
    this.running = null;
    this.wait = FIRST_WAIT;
    /**
     * The version that our change made of another one; null if others changed the note too.
     * @type {Map<string, string | null>}
     */
    this.versions = new Map();
  }

  /** The jobs that wait for a decision: of one note, or all. */
  stuck(ref = null) {
    return this.jobs.filter((job) => job.isStuck && (ref === null || job.ref === ref));
  }

  /** The last job of one place that is not done. */
  jobIn(ref, slot) {
    return this.jobs.filter((job) => job.ref === ref && job.slot === slot).at(-1);
  }

  /** The form shows this version now: it is no longer an older one of ours. */
  forgetVersion(ref, etag) {
    this.versions.delete(keyOf(ref, etag));
  }

  /** An undo gives older versions again: none of them leads to the version that was undone. */
  forgetVersions() {
    this.versions.clear();
  }

  changed(job) {
    this.drafts.keep(job.ref);
    this.emit("saving");
  }

  /**
   * Has a change written. Resolves with the answer, or with null if it was given up.
   * @param {SaveRequest} request
   * @returns {Promise<WriteAnswer | null>}
   */
  save(request) {
    return new Promise((done) => {
      const job = new SaveJob(request, done);
      if (job.slot !== null && !job.sent) this.replaceUnsent(job);
      this.jobs.push(job);
      this.changed(job);
      // Saves that failed come first.
      this.retryFailed();
    });
  }

  /**
   * A value that is set again before it was sent is written once, over what the first one was typed over. A
   * job that was sent keeps its place: its idempotency key tells whether it was applied, and which version it
   * made.
   */
  replaceUnsent(job) {
    for (const older of this.jobs.filter(
      (one) => one.ref === job.ref && one.slot === job.slot && !one.sent,
    )) {
      Object.assign(job, { etag: older.etag, base: older.base });
      older.move("drop");
      this.jobs.splice(this.jobs.indexOf(older), 1);
      older.done(null);
    }
  }

  finish(job, event, answer = null) {
    if (!this.jobs.includes(job)) return;
    job.move(event);
    this.jobs.splice(this.jobs.indexOf(job), 1);
    if (this.running === job) this.running = null;
    this.changed(job);
    job.done(answer);
  }

  /**
   * Later changes of the note were typed over what this job wrote, except for what others changed meanwhile.
   */
  rebaseQueued(job, etag, merged) {
    const foreign = new Set((merged ?? []).map((one) => one.field));
    const rebase = (later) => {
      if (later.etag !== job.etag) return;
      if (later.slot && later.slot === job.slot && !foreign.has(fieldOfSlot(job.slot)))
        later.base = job.value;
      later.etag = etag;
    };
    const { jobs, versions } = this;
    for (const later of jobs.slice(jobs.indexOf(job) + 1))
      if (later.ref === job.ref && !later.fields.some((field) => foreign.has(field))) rebase(later);
    for (const draft of this.drafts.draftsOf(job.ref))
      if (!foreign.has(fieldOfSlot(draft.slot))) rebase(draft);
    // What was typed on over the version that was kept wins over the same change of others.
    if (job.keep)
      for (const later of [...jobs.slice(jobs.indexOf(job) + 1), ...this.drafts.draftsOf(job.ref)])
        if (later.ref === job.ref && later.slot === job.slot && later.etag === job.etag)
          later.keep = job.keep;
    // A value that is put back gives an older version again: the newest one leads nowhere.
    if (job.etag !== etag) versions.set(keyOf(job.ref, job.etag), foreign.size ? null : etag);
    versions.delete(keyOf(job.ref, etag));
  }

  /** A note that goes by another name by now takes along what waits for it. */
  rename(from, to) {
    if (from === to) return;
    this.drafts.renameDrafts(from, to);
    for (const job of this.jobs) if (job.ref === from) job.ref = to;
    this.drafts.keep(from);
    this.drafts.keep(to);
    this.emit("renamed", { from, to });
  }

  /** Sends the next job, unless one is on its way. */
  async run() {
    if (this.running) return;
    const job = this.jobs.find((one) => one.state === "waiting");
    if (!job) return;
    this.running = job;
    job.move("send");
    job.sent = true;
    this.drafts.keep(job.ref);
    // The form may not have heard of its own last change yet.
    for (let next; (next = this.versions.get(keyOf(job.ref, job.etag))); ) job.etag = next;
    try {
      this.acknowledged(job, await this.send(job));
    } catch (error) {
      this.running = null;
      this.failed(job, error);
    }
    this.run();
  }

  acknowledged(job, answer) {
    // A change of a title is answered with the notes that link there too.
    const note = answer.notes.find((one) => [one.id, one.path, one.ref].includes(job.ref)) ?? answer.notes[0];
    this.wait = FIRST_WAIT;
    // A file without an id may have been moved.
    if (note && ![note.id, note.path].includes(job.ref)) this.rename(job.ref, this.nameOf(note));
    const etag = versionMade(answer, job, note);
    if (etag) this.rebaseQueued(job, etag, answer.merged);
    this.finish(job, "acknowledge", answer);
    const merged = mergedText(job, answer, this.labelOf);
    if (merged) this.say(merged, job.keep ? this.undoOf(answer) : {});
    else if (answer.hints?.length) this.say(answer.hints[0], this.undoOf(answer));
    this.emit("written", { ref: job.ref, note, etag, answer, job });
  }

  /** The server applied nothing: what was typed since is based on the version that the job was based on. */
  notApplied(job) {
    job.sent = false;
    const typed = job.slot && this.drafts.draftOf(job.ref, job.slot);
    if (typed && typed.etag === job.etag && typed.base === job.value) typed.base = job.base;
  }

  failed(job, error) {
    // The message is shown beside the note.
    error.message = error.message.replaceAll(`${job.ref}: `, "");
    job.error = error;
    if (error.isRefusal) {
      this.notApplied(job);
      const later =
        job.slot &&
        this.jobs
          .slice(this.jobs.indexOf(job) + 1)
          .find((one) => one.ref === job.ref && one.slot === job.slot);
      // The later text takes its place, over the same version.
      if (later) {
        Object.assign(later, { etag: job.etag, base: job.base });
        this.finish(job, "drop");
        return;
      }
    }
    if (error.status === 409 && error.conflicts.length) {
      job.move("clash");
      job.conflicts = error.conflicts;
    } else if (error.passing) this.defer(job, error);
    else if (error.code === "not-found") {
      job.move("lose");
      this.emit("changed");
    } else job.move("refuse");
    if (job.state === "refused" && !(job.typed && this.isShown(job.ref)))
      this.say(`Not saved: ${error.advice}`, { error: true });
    this.changed(job);
    // A value that was chosen and not typed can be chosen again.
    if (job.state === "refused" && !job.typed) {
      this.finish(job, "drop");
      this.emit("dropped", job);
    }
    this.emit("refused", job);
  }

  /** Sends a job again later. Later jobs of the note wait too: they are based on this one. */
  defer(job, error) {
    for (const one of this.jobs.slice(this.jobs.indexOf(job))) {
      if (one !== job && (one.ref !== job.ref || one.state !== "waiting")) continue;
      one.move("defer");
      one.error = error;
    }
    this.later(() => this.retryFailed(), this.wait);
    this.wait = Math.min(this.wait * GROWTH, LONGEST_WAIT);
  }

  /** Sends again what failed because the server did not answer. */
  retryFailed() {
    for (const job of this.jobs) if (job.state === "failed") job.move("retry");
    this.run();
  }

  /** A note that was gone is there again: what waits for it is sent. */
  found(ref) {
    const waiting = this.jobs.filter((job) => job.ref === ref && job.state === "lost");
    for (const job of waiting) job.move("retry");
    if (!waiting.length) return;
    this.emit("saving");
    this.run();
  }

  retry(job) {
    if (!job.isStuck && job.state !== "failed") return undefined;
    job.move("retry");
    this.emit("saving");
    return this.run();
  }

  giveUp(job) {
    this.finish(job, "drop");
    this.emit("dropped", job);
    this.run();
  }

  /** The state of the page: a word, a text, a short one if that is long, and the note that it is about. */
  summary() {
    const first = (...states) =>
      states.map((name) => this.jobs.find((job) => job.state === name)).find(Boolean);
    const conflict = first("conflict");
    const stuck = first("refused", "lost", "failed");
    if (conflict)
      return {
        word: "conflict",
        text: "Not saved: conflicting change",
        short: "Not saved",
        ref: conflict.ref,
      };
    if (stuck)
      return {
        word: "failed",
        text: `Not saved: ${stuck.error.message}`,
        short: "Not saved",
        ref: stuck.ref,
      };
    if (this.jobs.length) return { word: "saving", text: "Saving…" };
    if (this.drafts.hasDrafts()) return { word: "typed", text: "Not saved yet" };
    return { word: "saved", text: "Saved" };
  }

  /** Whether all that can be sent was. */
  get isIdle() {
    return !this.jobs.some((job) => job.state === "waiting" || job.state === "saving");
  }

  /** What a job sets in the text of a note, or in one field. @param {Draft} draft */
  static requestOf({ ref, slot, etag, base, value, title, keep }) {
    const change = slot === BODY ? { body: value } : { changes: [{ field: fieldOfSlot(slot), value }] };
    return { ref, etag, slot, base, value, title, keep, typed: true, ...change };
  }
}
