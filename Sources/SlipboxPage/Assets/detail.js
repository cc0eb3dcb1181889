// @ts-check
// The note at the right: its form, text, conflicts, what links to it and its history.

import { el, button, focusIn, newId, replace } from "./dom.js";
import { get } from "./api.js";
import { state, emit, on, onAny, refOf, readOnly } from "./store.js";
import { kindOf, actionsFor, labelOf } from "./kinds.js";
import { moment, long } from "./dates.js";
import { commit, found, forgetVersion, isSaving, rename, save, stuckJobs } from "./saver.js";
import { BODY, slotOf } from "./savejob.js";
import { go, takeScrolled } from "./address.js";
import { Form } from "./form.js";
import { Body } from "./body.js";
import { returnToText, storedConflicts, stuck } from "./conflicts.js";
import { notePast, fieldPast, restoreNote, undo } from "./past.js";
import { say, sayError } from "./messages.js";
import { Backlinks } from "./backlinks.js";
import { openFile } from "./files.js";

export class Detail {
  /** `actions`: `open(ref)`, `make(title)`, `act(name, notes)`, `remove(notes)`, `back()`. */
  constructor(actions) {
    this.actions = actions;
    const ours = {
      change: (changes) => this.change(changes),
      set: (field, value, base) => this.set(field, value, base),
      begun: () => ({ etag: this.answer.etag, title: this.answer.note.title }),
      open: actions.open,
      past: (field) => this.past(field),
      make: actions.make,
      file: openFile,
      title: () => this.answer?.note.title ?? "",
      reload: () => {
        this.load(this.ref);
        return this.isLoaded();
      },
      left: () => this.focus(),
    };
    this.form = new Form(ours);
    this.body = new Body(ours);
    this.top = el("header", { class: "note-top" });
    this.alerts = el("div", { class: "alerts" });
    this.heading = el("h1", { class: "hidden-text", id: newId("note") });
    this.meta = el("p", { class: "meta muted" });
    this.buttons = el("div", { class: "buttons note-actions", role: "group", "aria-label": "Actions" });
    this.backlinks = new Backlinks(actions.open);
    this.history = el("div");
    this.content = el(
      "article",
      { class: "note", hidden: true },
      this.heading,
      this.top,
      this.alerts,
      this.form.title,
      this.meta,
      this.buttons,
      this.form.node,
      this.body.node,
      this.backlinks.node,
      this.history,
    );
    this.none = el("div", { class: "empty none-chosen" });
    this.node = el(
      "section",
      { class: "detail", "aria-labelledby": this.heading.id, tabIndex: -1 },
      this.none,
      this.content,
    );
    this.node.addEventListener("scroll", () => this.body.outline.mark(), { passive: true });
    returnToText(this.alerts, this.body);
    this.ref = null;
    this.round = 0;
    this.ready = Promise.resolve();
    on("written", ({ ref, etag, job }) => {
      this.body.written(job, etag);
      if (ref === this.shownRef) this.load(ref);
    });
    on("dropped", (job) => this.dropped(job));
    on("renamed", ({ from, to }) => {
      if (from === this.ref) this.goOn(to);
    });
    on("removed", (removal) => {
      this.removal = removal;
      // What the pane says of an earlier deletion is not what can be undone next.
      if (this.lost && !removal.redo && !removal.refs?.has(this.lost)) this.showNone();
    });
    on("changed", () => this.findLost());
    on("refused", ({ ref }) => {
      if (ref === this.unknown && ref === this.ref) this.load(ref);
    });
    on("online", (online) => {
      if (online && this.missed) this.load(this.missed);
    });
    onAny(["saving", "refused", "box"], () => this.showAlerts());
  }

  /** The note that the form shows; null while another one is read. */
  get shownRef() {
    return this.isReading ? null : this.ref;
  }

  /** Reads a note and shows it; `ready` says when. Until then the form of the one before takes nothing. */
  load(ref, { fresh = false } = {}) {
    const round = ++this.round;
    const other = ref !== this.ref || fresh || this.at !== state.place.at;
    this.missed = null;
    this.unknown = null;
    if (other && this.ref) commit(this.ref);
    if (!ref) {
      this.isReading = false;
      this.showNone();
      return (this.ready = Promise.resolve());
    }
    if (other) {
      this.isReading = true;
      if (this.content.contains(document.activeElement)) this.focus();
      this.content.inert = true;
    }
    return (this.ready = this.read(ref, round, other));
  }

  /** Waits till the note that was asked for last is shown: a later question stands in for an earlier one. */
  async isLoaded() {
    let last;
    do {
      last = this.ready;
      await last;
    } while (last !== this.ready);
  }

  async read(ref, round, other) {
    try {
      // A note without an id that was moved is found by its bytes.
      const etag = ref === this.ref && !this.answer?.note.id ? this.answer?.etag : undefined;
      const answer = await get("note", { ref, etag });
      if (round !== this.round) return;
      if (answer.ref) answer.note.ref = answer.ref;
      const own = refOf(answer.note);
      if (other) {
        this.ref = ref;
        this.at = state.place.at;
      }
      this.goOn(own);
      forgetVersion(own, answer.etag);
      this.isReading = false;
      this.show(answer, other);
      found(own);
    } catch (error) {
      if (round !== this.round) return;
      this.isReading = false;
      // The answer to the save says whether the note was moved or is gone.
      if (error.status === 404 && !other && isSaving(ref)) this.unknown = ref;
      else if (error.status === 404) this.showGone(ref, other);
      // Two files have one id: the row that was chosen tells which is meant.
      else if (error.code === "ambiguous" && state.cursor?.id === ref)
        go({ ref: state.cursor.path }, { replace: true });
      else if (error.code !== "offline") sayError(error);
      else if (other) {
        this.showNone("The server does not answer", "The note appears when the server is back.");
        this.missed = ref;
      }
    }
  }

  /** The note goes by this name now, and what waits for it too. */
  goOn(ref) {
    const before = this.ref;
    if (before === ref) return;
    this.ref = ref;
    if (this.body.ref === before) this.body.ref = ref;
    rename(before, ref);
    if (state.place.ref === before) go({ ref }, { replace: true });
  }

  /** A change was given up: the form shows what the note has. A text can be put back. */
  dropped(job) {
    if (job.ref !== this.shownRef) return;
    this.load(this.ref);
    if (job.slot !== BODY) return;
    say("Your text was discarded", {
      action: "Restore it",
      run: () => {
        if (this.ref === job.ref) this.body.putBack(job.value);
      },
    });
  }

  show(answer, fresh) {
    this.answer = answer;
    state.note = answer.note;
    this.removal = null;
    this.lost = null;
    state.gone = false;
    this.none.hidden = true;
    this.content.hidden = false;
    this.content.inert = false;
    this.content.classList.remove("gone");
    this.form.disable(false);
    this.body.node.inert = false;
    const { note } = answer;
    this.form.show(note, answer.titles ?? {}, fresh);
    this.body.show(refOf(note), answer, { fresh });
    const kind = kindOf(note);
    this.heading.textContent = note.title || "Untitled";
    replace(
      this.top,
      button("‹ List", this.actions.back, { class: "plain back" }),
      el("span", { class: "kind-name", text: kind.name }),
      note.id && el("code", { class: "muted", text: note.id, title: note.path }),
    );
    replace(
      this.meta,
      el("span", { title: long(note.created), text: `Created ${moment(note.created)}` }),
      " · ",
      el("span", { title: note.modified, text: `changed ${moment(note.modified)}` }),
    );
    this.showButtons(note);
    this.showAlerts();
    this.backlinks.show(answer.backlinks);
    if (fresh) {
      this.past_ = notePast(refOf(note));
      replace(this.history, this.past_.node);
      this.node.scrollTop = takeScrolled("note") ?? 0;
    } else this.past_?.refresh();
    emit("note");
  }

  showButtons(note) {
    const focus = focusIn(this.buttons)?.textContent ?? null;
    this.buttons.hidden = readOnly();
    replace(
      this.buttons,
      actionsFor(note).map((name) =>
        button(labelOf(name), () => this.actions.act(name, [this.target()]), { data: { action: name } }),
      ),
      button("Delete", () => this.actions.remove([this.target()]), {
        class: "plain danger",
        title: "Delete this note (#)",
      }),
    );
    if (focus !== null)
      (
        [...this.buttons.children].find((node) => node.textContent === focus) ??
        this.buttons.firstElementChild
      )?.focus();
  }

  showAlerts() {
    if (!this.answer || !this.ref) return;
    const jobs = stuckJobs(this.ref);
    // The text that waits for the note has the button that restores it.
    const isAwaited = jobs.some((job) => job.state === "lost");
    this.form.showFaults(this.answer.note);
    const signature = JSON.stringify([
      this.ref,
      jobs.map((job) => [job.idempotencyKey, job.state, job.conflicts, job.error?.message, job.value]),
      state.gone,
      this.answer.problem,
      this.answer.conflicts,
      state.box?.device,
      readOnly(),
    ]);
    if (signature === this.alertSignature) return;
    this.alertSignature = signature;
    replace(
      this.alerts,
      state.gone &&
        el(
          "section",
          { class: "conflict", role: "alert" },
          el("h2", { text: "This note was deleted elsewhere" }),
          el("p", { text: "Its form was closed. You can restore your text." }),
          !isAwaited &&
            el(
              "div",
              { class: "buttons" },
              button("Restore", () => restoreNote(this.answer.note), { class: "primary" }),
            ),
        ),
      jobs.map(stuck),
      this.answer.problem &&
        el(
          "section",
          { class: "conflict" },
          el("h2", { text: "The front matter can't be read" }),
          el("p", { text: this.answer.problem }),
        ),
      storedConflicts(this.ref, this.answer.conflicts ?? []),
    );
  }

  showGone(ref, other) {
    if (other || !this.answer) {
      this.showNone(
        "There is no such note",
        state.place.at
          ? "It did not exist on that day."
          : "It may have been deleted: see Deleted in the sidebar.",
      );
      return;
    }
    const { removal } = this;
    if (removal && (removal.refs === null || removal.refs.has(ref))) return this.showRemoved(ref, removal);
    state.gone = true;
    commit(ref);
    this.content.inert = false;
    this.content.classList.add("gone");
    this.form.disable(true);
    this.body.node.inert = true;
    this.buttons.hidden = true;
    this.showAlerts();
    emit("note");
  }

  /** The note was deleted in this page, or the change that made it was undone here. */
  showRemoved(ref, { operation, redo }) {
    const title = this.answer.note.title || "Untitled";
    const hadFocus = this.node.contains(document.activeElement);
    const back = async () => {
      await undo(operation, redo ? "Undo" : "Redo");
      this.actions.open(ref);
    };
    go({ ref: null }, { replace: true });
    this.showNone(
      redo ? `Undone: ${title}` : `Deleted: ${title}`,
      "",
      operation && button(redo ? "Redo" : "Undo", back, { class: "primary" }),
    );
    this.lost = ref;
    if (hadFocus) this.actions.back();
  }

  /** A note that was deleted is shown again as soon as it is back, unless one has opened another one. */
  async findLost() {
    const { lost } = this;
    if (!lost) return;
    const isBack = await get("note", { ref: lost }).then(
      () => true,
      () => false,
    );
    if (isBack && this.lost === lost && !state.place.ref) go({ ref: lost }, { replace: true });
  }

  showNone(title = "Today", text = "", action = this.actions.begin?.()) {
    if (this.ref) commit(this.ref);
    this.body.leave();
    this.ref = null;
    this.lost = null;
    this.answer = null;
    state.note = null;
    state.gone = false;
    this.alertSignature = null;
    this.heading.textContent = title;
    if (!this.content.hidden) this.node.scrollTop = 0;
    this.content.hidden = true;
    this.none.hidden = false;
    replace(
      this.none,
      el("h2", { text: title }),
      text && el("p", { text }),
      action,
      title === "Today" && this.actions.today,
    );
    emit("note");
  }

  target() {
    return { ...this.answer.note, etag: this.answer.etag };
  }

  async change(changes) {
    if (!this.answer || readOnly() || state.gone) return null;
    return save({ ref: this.ref, etag: this.answer.etag, changes, title: this.answer.note.title });
  }

  /** Sets one field to what was chosen. */
  set(field, value, base) {
    if (!this.answer || readOnly() || state.gone) return null;
    return save({
      ref: this.ref,
      etag: this.answer.etag,
      slot: slotOf(field.name),
      base,
      value,
      changes: [{ field: field.name, value }],
      title: this.answer.note.title,
    });
  }

  past(field) {
    fieldPast(this.answer.note, field, (changes) => this.change(changes));
  }

  /** The note has the focus as a whole, so that keys mean it. */
  focus() {
    this.node.focus({ preventScroll: true });
  }
}
