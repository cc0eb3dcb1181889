// The text of a note: read as it looks, written as Markdown; saved on Ctrl+S, on leaving, when the page is hidden, and after a long pause:
// one commit a sitting. Until then what is typed lies in the browser.

import { el, button, later, attribute } from "./dom.js";
import { state, emit, readOnly } from "./store.js";
import { save, hold, typedOf } from "./saver.js";
import { showMarkup } from "./markup.js";
import { LinkCompletion } from "./linking.js";

const PAUSE = 30000;

/** The one stretch in which two texts differ. */
function stretch(from, to) {
  let start = 0;
  const least = Math.min(from.length, to.length);
  while (start < least && from[start] === to[start]) start++;
  let end = 0;
  while (end < least - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { start, end: from.length - end, text: to.slice(start, to.length - end) };
}

/** What was typed since `sent`, put into `merged`; null where both touch the same place. */
export function carry(sent, typed, merged) {
  if (typed === sent) return merged;
  const mine = stretch(sent, typed), other = stretch(sent, merged);
  if (mine.end < other.start) return merged.slice(0, mine.start) + mine.text + merged.slice(mine.end);
  if (other.end < mine.start) {
    const moved = other.text.length - (other.end - other.start);
    return merged.slice(0, mine.start + moved) + mine.text + merged.slice(mine.end + moved);
  }
  return null;
}

export class Body {
  constructor(actions) {
    this.actions = actions;
    this.area = el("textarea", { class: "body-text", "aria-label": "Text in Markdown", spellcheck: "true", hidden: true, placeholder: "Write in Markdown; [[Title]] links to a note" });
    this.links = new LinkCompletion(this.area);
    this.view = el("div", { class: "markup", tabIndex: -1 });
    this.switch = button("Edit", () => (this.writing ? this.read() : this.write()), { class: "plain switch" });
    this.node = el("section", { class: "body", "aria-label": "Text" }, el("header", {}, el("h2", { text: "Text" }), this.switch), this.view, el("div", { class: "writing" }, this.area, this.links.node));
    this.pause = later(PAUSE, () => this.save());
    this.area.addEventListener("input", () => this.typed());
    // Another window does not end a sitting; a hidden page does.
    this.area.addEventListener("blur", () => { if (document.hasFocus()) this.save(); });
    this.area.addEventListener("keydown", (event) => {
      if (this.links.key(event)) return;
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.save(); }
      if (event.key === "Escape") { event.stopPropagation(); event.preventDefault(); this.read(); this.actions.left(); }
    });
    this.view.addEventListener("dblclick", () => this.write());
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.save(); });
  }

  get dirty() { return this.ref !== null && this.area.value !== this.shown; }

  /** Another note, or the same one as it is now. */
  show(ref, answer, { fresh }) {
    const body = answer.note.body ?? "";
    if (fresh) {
      this.leave();
      this.ref = ref;
      this.shown = body;
      this.etag = answer.etag;
      this.area.value = body;
      const left = typedOf(ref);
      if (left) { this.area.value = left.body; this.etag = left.etag; }
      this.writing = false;
      this.setMode(!readOnly() && (Boolean(left) || !body.trim()));
    } else if (this.sent !== undefined) return this.html(answer);
    else if (!this.dirty) { this.put(body); this.etag = answer.etag; } else {
      const kept = carry(this.shown, this.area.value, body);
      if (kept !== null) { this.put(kept, body); this.etag = answer.etag; hold(this.ref, { etag: this.etag, body: kept, title: this.actions.title() }); }
    }
    this.html(answer);
  }

  html(answer) {
    this.switch.hidden = readOnly();
    this.area.readOnly = readOnly();
    if (readOnly() && this.writing) this.setMode(false);
    if (this.lastHtml === answer.html && this.lastRef === this.ref) return;
    this.lastHtml = answer.html;
    this.lastRef = this.ref;
    this.free?.();
    this.free = showMarkup(this.view, answer.html, this.actions);
    this.view.classList.toggle("blank", !(answer.note.body ?? "").trim());
  }

  /** Puts a text into the area without moving the cursor from its words. */
  put(text, shown = text) {
    this.shown = shown;
    if (this.area.value === text) return;
    const change = stretch(this.area.value, text);
    const { selectionStart, selectionEnd, scrollTop } = this.area;
    const move = (at) => (at <= change.start ? at : at >= change.end ? at + change.text.length - (change.end - change.start) : change.start + change.text.length);
    this.area.value = text;
    this.area.setSelectionRange(move(selectionStart), move(selectionEnd));
    this.area.scrollTop = scrollTop;
    this.grow();
  }

  typed() {
    this.grow();
    hold(this.ref, this.dirty ? { etag: this.etag, body: this.area.value, title: this.actions.title() } : null);
    if (this.dirty) this.pause(); else this.pause.cancel();
  }

  async save() {
    this.pause.cancel();
    if (!this.ref || !this.dirty || this.sent !== undefined || readOnly() || state.gone) return;
    const { ref, etag } = this;
    const sent = this.area.value;
    this.sent = sent;
    hold(ref, null);
    const answer = await save({ ref, etag, body: sent, title: this.actions.title() });
    if (this.ref !== ref) return;
    this.sent = undefined;
    if (!answer) return emit("changed");
    const note = answer.notes.find((one) => (one.id ?? one.path) === ref) ?? answer.notes[0];
    this.shown = sent;
    // A text that was merged is read anew before it may be the base of the next change.
    if (note && !answer.merged?.some((one) => one.field === "body")) this.etag = note.etag;
    if (this.dirty) { hold(ref, { etag: this.etag, body: this.area.value, title: this.actions.title() }); this.pause(); }
  }

  /** The note is left: what was typed is saved first. */
  leave() {
    if (this.sent === undefined) this.save();
    else if (this.ref && this.area.value !== this.sent) {
      save({ ref: this.ref, etag: this.etag, body: this.area.value, title: this.actions.title() });
      hold(this.ref, null);
    }
    this.sent = undefined;
    this.ref = null;
  }

  reset() { if (this.ref) { this.area.value = this.shown; hold(this.ref, null); this.sent = undefined; } }

  setMode(writing) {
    this.writing = writing;
    this.area.hidden = !writing;
    this.view.hidden = writing;
    this.switch.textContent = writing ? "Preview" : "Edit";
    attribute(this.switch, "title", writing ? "Show the text as it looks (Escape)" : "Edit the text (e)");
    if (writing) this.grow();
  }

  write() { if (readOnly() || !this.ref) return; this.setMode(true); this.area.focus(); }
  async read() { this.save(); this.setMode(false); }

  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.area.style.height = "auto";
    this.area.style.height = `${Math.max(140, this.area.scrollHeight + 4)}px`;
  }
}
