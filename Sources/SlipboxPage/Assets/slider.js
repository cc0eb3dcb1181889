// @ts-check
// The past: everything as of a day between the first commit and today; it can be looked at and not changed.

import { el, button, later } from "./dom.js";
import { state, onAny } from "./store.js";
import { go } from "./address.js";
import { toNumber, fromNumber, long, isDate } from "./dates.js";

export class Slider {
  /** `left()` is called when one leaves the slider by a key. */
  constructor(left) {
    this.left = left;
    this.range = el("input", { type: "range", class: "past-range", step: 1, "aria-label": "Day" });
    this.day = el("input", { type: "date", class: "past-day", "aria-label": "Day" });
    this.text = el("strong", { class: "past-text" });
    this.node = el(
      "div",
      { class: "past-bar", role: "region", "aria-label": "The past", hidden: true },
      this.text,
      el("span", { class: "read-only", text: "read only" }),
      this.range,
      this.day,
      button("Return to the present", () => this.now(), { class: "primary" }),
    );
    this.turn = later(90, (date) => go({ at: date }, { replace: true }));
    this.range.addEventListener("input", () => {
      const date = fromNumber(Number(this.range.value));
      this.show(date);
      this.turn(date);
    });
    this.day.addEventListener("change", () => {
      if (isDate(this.day.value)) {
        this.show(this.day.value);
        this.turn(this.day.value);
      }
    });
    // A digit begins a date.
    this.range.addEventListener("keydown", (event) => {
      if (/^\d$/.test(event.key)) this.day.focus();
    });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        // The list of that day; Escape there returns to the present.
        this.left();
      }
    });
    onAny(["box", "place"], () => this.draw());
  }

  get today() {
    return new Date().toLocaleDateString("sv-SE");
  }

  draw() {
    const { at } = state.place;
    this.node.hidden = !at;
    document.body.classList.toggle("past", Boolean(at));
    if (!at || this.turn.waits()) return;
    this.show(at);
  }

  show(at) {
    const first = isDate(state.box?.first) ? state.box.first : this.today;
    this.range.min = toNumber(first);
    this.range.max = toNumber(this.today);
    const named = isDate(at);
    if (named) {
      this.range.value = toNumber(at);
      this.day.value = at.slice(0, 10);
    }
    this.text.textContent = named ? `As it was on ${long(at)}` : `As it was at ${at}`;
    this.range.setAttribute("aria-valuetext", this.text.textContent);
  }

  async open() {
    if (!state.place.at) await go({ at: state.box?.today ?? this.today });
    this.draw();
    this.range.focus();
  }

  now() {
    this.turn.cancel();
    go({ at: null });
    document.dispatchEvent(new CustomEvent("slip-focus-lost"));
  }
}
