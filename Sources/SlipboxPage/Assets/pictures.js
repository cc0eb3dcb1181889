// @ts-check
// Pictures that are added to the open note: chosen, pasted or dropped.

import { el, button } from "./dom.js";
import { sendPicture } from "./api.js";
import { emit, readOnly } from "./store.js";
import { say, sayError } from "./messages.js";
import { afterSaves } from "./turns.js";
import { undoOf } from "./past.js";
import { doneText } from "./summary.js";

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const MOST_MEGABYTES = 32;
/** How often a text that is typed on meanwhile is saved before a picture is put into it. */
const ATTEMPTS = 3;

export class Pictures {
  /** `body`: the text that pictures are put into. */
  constructor(body) {
    this.body = body;
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
    for (const file of files) {
      say(`Attaching ${file.name}…`);
      if (!(await this.attachOne(file, ref))) return;
    }
  }

  /** Whether a picture was added to the note, which is still open. */
  async attachOne(file, ref) {
    const { body } = this;
    const { area } = body;
    // The server puts the link into the text as it is saved.
    for (let attempt = 0; attempt === 0 || area.value !== body.base; attempt++) {
      if (attempt === ATTEMPTS || body.ref !== ref || !(await afterSaves())) return false;
    }
    if (body.ref !== ref) return false;
    const place = body.writing ? area.selectionStart : area.value.length;
    try {
      const answer = await sendPicture(file, { ref, etag: body.etag, place });
      say(doneText(answer.subject), undoOf(answer));
      emit("fresh", answer.notes);
      emit("changed");
    } catch (error) {
      sayError(error);
      return false;
    }
    await body.actions.reload();
    if (body.ref !== ref) return false;
    const link = /^!\[\]\([^)\n]*\)/.exec(area.value.slice(place))?.[0] ?? "";
    if (area.selectionStart === place) area.setSelectionRange(place + link.length, place + link.length);
    return true;
  }
}
