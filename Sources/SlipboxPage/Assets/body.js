// @ts-check
// The text of a note: read as it looks, written as Markdown; saved on Ctrl+S, on leaving, when the page is
// hidden, and after a long pause: one commit a sitting. Until then what is typed lies in the browser.

import { el, button, later, attribute, focusIn, typeInto } from "./dom.js";
import { on, readOnly } from "./store.js";
import { draftOf, rebase } from "./drafts.js";
import { BODY } from "./savejob.js";
import { commit, heldIn, jobIn, updateDraft } from "./saver.js";
import { goToHeading, headingsIn, showMarkup } from "./markup.js";
import { Completion, caretPlace } from "./linking.js";
import { slugOf } from "./completion.js";
import { Outline, showHeading } from "./outline.js";
import { caretAt, firstSeen, headingWord, placeOf, selectedIn, wordAt, wordsOf } from "./sourceplace.js";
import { linked, marked, newLine, shifted, ticked, wordsIn } from "./editing.js";
import { indented } from "./lineediting.js";
import { startPasting } from "./pasting.js";
import { today } from "./dates.js";
import { say } from "./messages.js";
import { carry, diffRange, placeAfter } from "./textmerge.js";
import { Pictures } from "./pictures.js";
import { writingBar } from "./writingbar.js";

const PAUSE = 30000;
/** Pixels between the line of the caret and an edge of its pane. */
const EDGE = 24;
/**
 * As a text area holds it: it knows one line end alone. The server gives lines that stay the ends that they
 * had.
 */
const asTyped = (text) => text.replace(/\r\n?/g, "\n");

export class Body {
  constructor(actions) {
    this.actions = actions;
    this.area = el("textarea", {
      class: "body-text",
      "aria-label": "Text in Markdown",
      spellcheck: "true",
      hidden: true,
      placeholder: "Write in Markdown; [[Title]] links to a note, #tag is a tag",
    });
    this.completion = new Completion(this.area, () => this.path);
    this.bar = writingBar(this.area, (made, event) => this.apply(made, event));
    this.view = el("div", { class: "markup", tabIndex: -1 });
    this.outline = new Outline((number) => showHeading(this, number));
    this.switch = button("Edit", () => (this.writing ? this.read() : this.write()), {
      class: "plain switch",
    });
    this.words = el("span", { class: "muted words" });
    this.pictures = new Pictures(this);
    this.node = el(
      "section",
      { class: "body", "aria-label": "Text" },
      el("header", {}, el("h2", { text: "Text" }), this.words, this.pictures.nodes, this.switch),
      el(
        "div",
        { class: "text-columns" },
        this.outline.node,
        this.view,
        el("div", { class: "writing" }, this.area, this.completion.node, this.bar),
      ),
    );
    this.pause = later(PAUSE, () => this.save());
    this.count = later(250, () => this.countWords());
    this.ref = null;
    this.path = "";
    /** The text was edited: its caret is where one goes back to. */
    this.hasCaret = false;
    /** Where the caret was in the window, while the formatted text of what was typed is still to come. */
    this.sought = null;
    /** The text and the caret after the last mark that a key made. @type {{value: string, caret: number}?} */
    this.marking = null;
    this.area.addEventListener("input", () => this.typed());
    // Another window does not end a sitting: the focus of this one stays in the text. A hidden page does.
    this.area.addEventListener("blur", () =>
      setTimeout(() => {
        if (document.activeElement !== this.area) this.save();
      }),
    );
    this.area.addEventListener("keydown", (event) => {
      if (this.completion.key(event) || this.edited(event)) return;
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.save();
      }
      if (event.key === "Escape") {
        event.stopPropagation();
        event.preventDefault();
        this.read();
        this.actions.left();
      }
    });
    startPasting(this.area, {
      apply: (made, event) => this.apply(made, event),
      attach: (files) => this.pictures.attach(files),
    });
    this.view.addEventListener("dblclick", (event) => {
      if (!event.target.closest("a, input")) this.write();
    });
    on("saving", () => this.showUnsaved());
    const scrolled = () => {
      this.sought = null;
    };
    for (const type of ["wheel", "touchmove", "pointerdown"])
      addEventListener(type, scrolled, { passive: true, capture: true });
  }

  /** Another note, or the same one as it is now, with what is typed or being saved in place of its text. */
  show(ref, answer, { fresh }) {
    const body = asTyped(answer.note.body ?? "");
    const draft = readOnly() ? null : draftOf(ref, BODY);
    // What is typed while a text is on its way goes on from that.
    const carried =
      draft && draft.base !== undefined && !jobIn(ref, BODY)
        ? carry(draft.base, draft.value, body, this.pictures.place)
        : null;
    if (carried !== null && draft.etag !== answer.etag) rebase(draft, answer.etag, body, carried);
    const held = heldIn(ref, BODY);
    Object.assign(this, { ref, etag: answer.etag, base: body, path: answer.note.path });
    if (fresh) {
      this.pause.cancel();
      this.hasCaret = false;
      this.sought = null;
      this.area.value = held?.value ?? body;
      this.setMode(!readOnly() && (Boolean(held) || !body.trim()));
    } else this.put(held?.value ?? body);
    this.html(answer);
    // Another note never has the number of the one before it.
    if (fresh) this.countWords();
    else this.count();
  }

  /**
   * Whether a key edited the text as Markdown: it went on with a list, indented it, or marked the selection.
   */
  edited(event) {
    const { area } = this;
    const { value, selectionStart, selectionEnd } = area;
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const bare = !event.ctrlKey && !event.metaKey && !event.altKey;
    const isMark = command && (event.key === "b" || event.key === "i");
    const isFresh = this.marking?.value === value && this.marking.caret === selectionStart;
    const edit =
      event.isComposing || area.readOnly
        ? null
        : bare && event.key === "Enter" && !event.shiftKey
          ? newLine
          : bare && event.key === "Tab"
            ? (...text) => shifted(...text, event.shiftKey) ?? indented(...text, event.shiftKey)
            : command && event.key === "b"
              ? (...text) => marked(...text, "**", isFresh)
              : command && event.key === "i"
                ? (...text) => marked(...text, "*", isFresh)
                : command && event.key === "k"
                  ? linked
                  : null;
    const isMade = this.apply(edit?.(value, selectionStart, selectionEnd), event);
    if (isMark && area.value !== value) this.marking = { value: area.value, caret: area.selectionStart };
    return isMade;
  }

  /** Makes an edit in place of what an event does by itself; whether there is one. */
  apply(made, event) {
    if (!made) return false;
    event.preventDefault();
    event.stopPropagation();
    typeInto(this.area, made.from, made.to, made.text);
    this.area.setSelectionRange(made.start, made.end);
    return true;
  }

  /** Ticks the check box of a line, or opens it again; that is saved at once. */
  tick(box, line) {
    const made =
      this.area.value === this.shownText && !readOnly()
        ? ticked(this.area.value, line, box.checked, today())
        : null;
    if (made === null) {
      box.checked = !box.checked;
      return say("The text has changed; try again when it is saved", { error: true });
    }
    this.put(made);
    this.shownText = made;
    // The HTML of the last answer has the box as it was.
    this.lastHtml = null;
    this.typed();
    return this.save();
  }

  countWords() {
    this.outline.show(this.ref === null ? "" : this.area.value, this.view);
    const count = this.ref === null ? 0 : wordsIn(this.area.value);
    this.words.textContent = count ? `${count.toLocaleString()} ${count === 1 ? "word" : "words"}` : "";
  }

  /** What was saved is what the next text is typed over. */
  written(job, etag) {
    if (job.ref !== this.ref || job.slot !== BODY || !etag) return;
    this.base = job.value;
    this.etag = etag;
  }

  html(answer) {
    this.switch.hidden = readOnly();
    this.pictures.button.hidden = readOnly();
    this.area.readOnly = readOnly();
    if (readOnly() && this.writing) this.setMode(false);
    const text = asTyped(answer.note.body ?? "");
    // Boxes that were ticked since are shown so; their own answer is on its way.
    const isTicked = !this.writing && this.lastHtml === null && this.shownText === this.area.value;
    const isShown = (isTicked && text !== this.shownText) || this.lastHtml === answer.html;
    const shownAs = `${this.ref} ${readOnly()}`;
    if (isShown && this.shownAs === shownAs) return this.showUnsaved();
    this.lastHtml = answer.html;
    this.shownAs = shownAs;
    this.free?.();
    const focused = focusIn(this.view);
    const line = focused?.dataset.line;
    this.free = showMarkup(this.view, answer.html, {
      ...this.actions,
      tick: readOnly() ? null : (box, at) => this.tick(box, at),
    });
    if (line) this.view.querySelector(`input[data-line="${line}"]`)?.focus({ preventScroll: true });
    if (focused && document.activeElement === document.body) this.actions.left();
    this.shownText = text;
    // Boxes that were ticked over an older text are shown as soon as that is saved.
    if (!this.writing && !readOnly() && this.area.value !== this.shownText) this.save();
    this.view.classList.toggle("blank", !text.trim());
    this.showUnsaved();
    this.showCaret();
  }

  /** A text that can't be saved now is shown as it was typed, not as the note was before. */
  showUnsaved() {
    const job = this.ref === null || readOnly() ? null : jobIn(this.ref, BODY);
    if (!job || ["waiting", "saving"].includes(job.state) || this.lastHtml === null) return;
    this.lastHtml = null;
    this.free?.();
    this.free = null;
    this.view.classList.remove("blank");
    this.view.replaceChildren(el("pre", { class: "as-typed", text: job.value }));
    this.showCaret();
  }

  /** Puts a text into the area without moving the cursor from its words. */
  put(text) {
    if (this.area.value === text) return;
    const moved = placeAfter(this.area.value, text);
    const move = (at) => this.pictures.caretAfter(at, text) ?? moved(at);
    const { selectionStart, selectionEnd, scrollTop } = this.area;
    if (this.pictures.place !== null && document.activeElement === this.area) {
      // The browser can undo the link of a picture, and what was typed before it.
      const { start, end, text: link } = diffRange(this.area.value, text);
      typeInto(this.area, start, end, link);
    } else this.area.value = text;
    this.area.setSelectionRange(move(selectionStart), move(selectionEnd));
    this.area.scrollTop = scrollTop;
    this.grow();
  }

  /** A text that was given up is one that is typed again. */
  putBack(text) {
    this.write();
    this.area.value = text;
    this.typed();
  }

  typed() {
    this.grow();
    this.count();
    if (!this.ref || readOnly()) return;
    updateDraft(this.ref, BODY, this.area.value, {
      etag: this.etag,
      base: this.base,
      title: this.actions.title(),
    });
    if (draftOf(this.ref, BODY)) this.pause();
    else this.pause.cancel();
  }

  save() {
    this.pause.cancel();
    if (this.ref) commit(this.ref, BODY);
  }

  leave() {
    this.pause.cancel();
    this.ref = null;
  }

  setMode(writing) {
    this.writing = writing;
    this.area.hidden = !writing;
    this.view.hidden = writing;
    this.switch.textContent = writing ? "Preview" : "Edit";
    attribute(this.switch, "title", writing ? "Show the formatted text (Escape)" : "Edit the text (e)");
    if (writing) this.grow();
  }

  /**
   * Edits the text: the caret is at the word that was clicked, else at the heading that has the focus, else
   * where it was before if that is in sight, else behind a text that is whole in sight, else at the start of
   * the text if that is in sight, else where the text is in sight. That stays at its height.
   */
  write() {
    if (readOnly() || !this.ref) return;
    if (this.writing) return this.area.focus();
    const pane = this.pane();
    const words = wordsOf(this.view, this.area.value);
    const { top, bottom } = pane.getBoundingClientRect();
    const isSeen = (word) => {
      const { top: above, bottom: below } = placeOf(word);
      return above >= top && below <= bottom;
    };
    const clicked = selectedIn(this.view, words) ?? headingWord(headingsIn(this.view), words);
    const last = words.at(-1);
    const isWhole = !last || isSeen(last);
    const before = this.hasCaret ? wordAt(words, this.area.selectionStart) : null;
    const isClicked = clicked && isSeen(clicked);
    const isBefore = !isClicked && before && (this.sought || isSeen(before));
    // As in other editors: in front of a heading, so that a line above it can be begun.
    const isTop = !isWhole && !isClicked && !isBefore && this.view.getBoundingClientRect().top >= top;
    const seen = isWhole ? last : firstSeen(words, this.area.value, { top, bottom });
    const word = isClicked ? clicked : isBefore ? before : seen;
    const height = isBefore && this.sought ? this.sought.height : word && placeOf(word).top;
    const at = isBefore
      ? this.area.selectionStart
      : !word || (word === last && isWhole)
        ? this.area.value.length
        : isTop
          ? 0
          : isClicked && !clicked.isHeading
            ? word.at
            : caretAt(this.area.value, word.at);
    this.sought = null;
    this.setMode(true);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(at, at);
    if (word && !isTop && !(isWhole && pane.scrollTop === 0)) pane.scrollTop += this.caretHeight() - height;
  }

  /** Shows the formatted text, with the word of the caret at the height that the caret had. */
  read() {
    this.save();
    if (!this.writing) return;
    this.hasCaret = true;
    this.sought = { height: this.caretHeight(), isScrolled: this.pane().scrollTop > 0 };
    this.setMode(false);
    this.showCaret();
  }

  /** Scrolls to the word of the caret; again once the formatted text has all that was typed. */
  showCaret() {
    const { sought } = this;
    if (!sought || this.writing) return;
    const pane = this.pane();
    const word = wordAt(wordsOf(this.view, this.area.value), this.area.selectionStart);
    const { top, bottom } = pane.getBoundingClientRect();
    const isOut = word && (placeOf(word).top < top || placeOf(word).bottom > bottom);
    const height = Math.max(top + EDGE, Math.min(sought.height, bottom - 2 * EDGE));
    if (word && (sought.isScrolled || isOut)) pane.scrollTop += placeOf(word).top - height;
    if (this.shownText === this.area.value) this.sought = null;
  }

  /** What scrolls the text. */
  pane() {
    return this.node.closest(".detail");
  }
  caretHeight() {
    return this.area.getBoundingClientRect().top + caretPlace(this.area).top;
  }

  /** Edits the text with the caret at an offset of it, in sight. */
  writeAt(at) {
    if (!this.writing) this.setMode(true);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(at, at);
    const pane = this.pane();
    pane.scrollTop += this.caretHeight() - pane.getBoundingClientRect().top - 40;
  }

  /** Scrolls to a heading, by its text or as an address names it. */
  showPart(part) {
    const wanted = part.split("#").at(-1);
    const headings = headingsIn(this.view);
    const heading =
      headings.find((one) => one.textContent.trim() === wanted) ??
      headings.find((one) => slugOf(one.textContent) === slugOf(wanted));
    if (heading) goToHeading(heading);
    else if (!wanted.startsWith("^")) say(`There is no heading “${wanted}” in this note`, { error: true });
  }

  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.area.style.height = "auto";
    this.area.style.height = `${Math.max(140, this.area.scrollHeight + 4)}px`;
  }
}
