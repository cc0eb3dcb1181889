// @ts-check
// Pictures that are added to the open note: chosen, pasted or dropped.

import { el, button } from "./dom.js";
import { sendPicture } from "./api.js";
import { emit, readOnly } from "./store.js";
import { say, sayError } from "./messages.js";
import { afterSaves } from "./turns.js";
import { undoOf } from "./past.js";
import { doneText } from "./summary.js";
import { placeAfter } from "./textmerge.js";

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MOST_MEGABYTES = 32;

/** The link to a picture that a text has at a place; empty if there is none. */
const linkAt = (text, place) => /^!(?:\[\]\([^)\n]*\)|\[\[[^\]\n]*\]\])/.exec(text.slice(place))?.[0] ?? "";

export class Pictures {
  /** `body`: the text that pictures are put into. */
  constructor(body) {
    this.body = body;
    /** Where the text will have the link of the picture that is being sent; null while none is. */
    this.place = null;
    this.turn = Promise.resolve();
    /** Where the pictures go that were not sent yet, each with the text that it counts in. */
    this.marks = new Set();
    // What is typed from now on goes behind them.
    body.area.addEventListener("input", () => {
      for (const mark of this.marks) this.move(mark);
    });
    this.file = el("input", {
      type: "file",
      accept: TYPES.join(),
      multiple: true,
      hidden: true,
      "aria-label": "Pictures to attach",
      on: {
        change: () => {
          this.attach([...this.file.files]);
          this.file.value = "";
        },
      },
    });
    this.button = button("Add picture", () => this.choose(), {
      class: "plain picture",
      title: "Attach a picture (or paste or drop one)",
    });
    this.nodes = [this.button, this.file];
  }

  choose() {
    this.file.click();
  }

  /**
   * Adds pictures to the box, each with its link at the caret, or at the end while the text is not edited.
   */
  async attach(files) {
    const { ref } = this.body;
    if (readOnly() || ref === null) return;
    const wrong = files.find(({ type, size }) => !TYPES.includes(type) || size > MOST_MEGABYTES << 20);
    if (wrong) {
      const why = TYPES.includes(wrong.type)
        ? `is larger than ${MOST_MEGABYTES} MB`
        : "can't be attached: only PNG, JPEG, GIF and WebP pictures";
      say(`${wrong.name} ${why}`, { error: true });
      return;
    }
    const { area, writing } = this.body;
    const mark = { text: area.value, place: writing ? area.selectionStart : area.value.length };
    if (!writing) area.setSelectionRange(mark.place, mark.place);
    // What is typed next is text.
    else if (document.activeElement === this.button) area.focus({ preventScroll: true });
    this.body.hasCaret = true;
    this.marks.add(mark);
    this.turn = this.turn.then(async () => {
      for (const file of files) {
        say(`Attaching ${file.name}…`);
        if (!(await this.attachOne(file, ref, mark))) break;
      }
      this.marks.delete(mark);
    });
  }

  /** Whether a picture was added to the note, which is still open; marks at its place go behind its link. */
  async attachOne(file, ref, mark, isAgain = false) {
    const { body } = this;
    const { area } = body;
    // The server puts the link into the text as it is saved.
    if (!(await afterSaves()) || body.ref !== ref) return false;
    const place = placeAfter(mark.text, body.base)(mark.place);
    Object.assign(mark, { text: body.base, place });
    this.place = place;
    try {
      const answer = await sendPicture(file, { ref, etag: body.etag, place });
      say(doneText(answer.subject), undoOf(answer));
      emit("fresh", answer.notes);
      emit("changed");
      await body.actions.reload();
    } catch (error) {
      // The text was changed elsewhere meanwhile: the place is found in the new one.
      if (error.status === 409 && !isAgain && body.ref === ref) {
        await body.actions.reload();
        return this.attachOne(file, ref, mark, true);
      }
      sayError(error);
      return false;
    } finally {
      this.place = null;
    }
    const { value } = area;
    for (const one of this.marks) {
      this.move(one);
      if (one.place === place) one.place += linkAt(value, place).length;
    }
    return body.ref === ref;
  }

  /** Takes a mark to its place in the text as it is now. */
  move(mark) {
    const { value } = this.body.area;
    Object.assign(mark, { text: value, place: placeAfter(mark.text, value)(mark.place) });
  }

  /** Where a caret goes in a new text: behind the link that was put at its place; null if none was. */
  caretAfter(at, text) {
    const link = at === this.place ? linkAt(text, at) : "";
    return link ? at + link.length : null;
  }
}
