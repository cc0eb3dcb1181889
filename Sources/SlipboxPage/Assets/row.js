// @ts-check
// One row of the list, as the note's kind declares it. All rows have the same height.

import { el } from "./dom.js";
import { short, long, timed, today } from "./dates.js";
import {
  dayAction,
  kindOf,
  fieldOf,
  rowOf,
  valueOf,
  markOf,
  textOf,
  timeOf,
  labelOf,
  isStars,
  lateFields,
  stateField,
} from "./kinds.js";
import { own, refOf } from "./store.js";
import { leadCut } from "./viewdata.js";

export function starsText(value, field) {
  const top = field?.maximum ?? 5;
  return "★".repeat(value) + "☆".repeat(Math.max(0, top - value));
}

function tick(note, field, on, locked) {
  return el("button", {
    type: "button",
    class: "tick-box",
    role: "checkbox",
    "aria-checked": String(on),
    tabIndex: -1,
    disabled: locked,
    "aria-label": `${labelOf(field.name)}: ${note.title}`,
    data: { tick: field.name },
    text: on ? "✓" : "",
  });
}

/** A date: without a word it is the one by which a record is due; every other one is named. */
function dateCell(note, field, value, late, time) {
  const isDue = late.has(field.name);
  const past = isDue && note.active !== false && value < today();
  const text = timed(value, time);
  return el("span", {
    class: past ? "date late" : "date",
    title: [labelOf(field.name), long(value), time].filter(Boolean).join(" "),
    text: isDue ? text : `${labelOf(field.name).toLowerCase()} ${text}`,
  });
}

const createdCell = (note) =>
  el("span", {
    class: "date made",
    title: `Created ${long(note.created)}`,
    text: `created ${short(note.created)}`,
  });

/** What stands in the way of a record: it is overdue, blocked, or put off to a day. */
function standing(note) {
  const [word, day] = (note.state ?? "").split(" ");
  return word
    ? el("span", {
        class: `standing ${word}`,
        text: day ? `${word} till ${short(day)}` : word,
        title: day ? `${labelOf(word)} till ${long(day)}` : labelOf(word),
      })
    : null;
}

/** A sign of a record that is in My Day. */
function dayMark(note) {
  const kind = kindOf(note);
  const field = fieldOf(kind, dayAction(kind)?.field);
  return field && valueOf(note, field) === today()
    ? el("span", { class: "day-mark", role: "img", "aria-label": "In My Day", title: "In My Day", text: "☀" })
    : null;
}

/**
 * The cells of a row by where they stand: before the title, in its line, below it. `hasTimes`: dates have
 * their times of day.
 */
function cells(note, titles, locked, hasTimes = true) {
  const kind = kindOf(note);
  const late = lateFields();
  const lead = [],
    right = [],
    below = [],
    low = [];
  let before = true,
    dated = false;
  for (const part of rowOf(kind)) {
    if (part.field === "title") {
      before = false;
      continue;
    }
    if (part.field === "tags") continue;
    if (part.field === "created") {
      right.push(createdCell(note));
      dated = true;
      continue;
    }
    const field = fieldOf(kind, part.field);
    if (!field) continue;
    const value = valueOf(note, field);
    const mark = markOf(kind, field.name, value);
    if (field.type === "boolean" && !field.list) {
      (before ? lead : right).push(tick(note, field, value === true || value === "true", locked));
      continue;
    }
    if (part.only && (value === null || value === undefined)) continue;
    if (before) {
      lead.push(
        el("span", {
          class: field === stateField(kind) ? "row-mark state-mark" : "row-mark",
          title: mark ? `${labelOf(field.name)}: ${value}` : undefined,
          text: mark ?? "",
        }),
      );
      continue;
    }
    if (value === null || value === undefined || value === "") continue;
    if (part.stars || isStars(field))
      low.push(
        el("span", {
          class: "stars",
          role: "img",
          "aria-label": `${value} of ${field.maximum ?? 5}`,
          text: starsText(value, field),
        }),
      );
    else if (field.type === "date") {
      right.push(dateCell(note, field, value, late, hasTimes ? timeOf(note, field.name) : ""));
      dated = true;
    } else if (part.as) {
      if (mark)
        right.push(
          el("span", {
            class: mark.length > 3 ? "state" : "row-mark",
            text: mark,
            title: `${labelOf(field.name)}: ${value}`,
          }),
        );
    } else if (field.type === "choice") right.push(el("span", { class: "state", text: String(value) }));
    else below.push(el("span", { class: "fact", text: textOf(field, value, titles) }));
  }
  for (const [name, count] of Object.entries(note.counts ?? {}))
    low.push(
      el("span", {
        class: "count",
        text: String(count),
        title: `${name}: ${count}`,
        "aria-label": `${count} ${name}`,
      }),
    );
  low.push(...[dayMark(note), standing(note)].filter(Boolean));
  if (!dated) right.push(createdCell(note));
  if (own(note.fields, "conflicts") !== undefined)
    low.push(
      el("span", {
        class: "standing conflicted",
        title: "Changed on two devices; open the note to choose",
        text: "conflict",
      }),
    );
  return { lead, right, below, low };
}

const snippet = (parts) =>
  el(
    "div",
    { class: "snippet" },
    leadCut(parts, innerWidth < 720 ? 14 : 36).map((part) =>
      part.hit ? el("mark", { text: part.text }) : part.text,
    ),
  );

export function makeRow(
  note,
  { id, index, titles, selected, current, open, locked, gone = false, many = false },
) {
  const { lead, right, below, low } = cells(note, titles, locked || gone);
  const tags = note.tags?.length
    ? el("span", { class: "tags", text: note.tags.map((tag) => `#${tag}`).join(" ") })
    : el("span", { class: "tags none", text: "No tags" });
  const classes = [
    "row",
    note.active === false && "inactive",
    current && "current",
    selected && "selected",
    open && "open",
    note.snippet?.length && "with-snippet",
  ]
    .filter(Boolean)
    .join(" ");
  return el(
    "div",
    {
      role: "row",
      id,
      class: classes,
      draggable: locked || gone ? undefined : "true",
      "aria-rowindex": index + 1,
      "aria-selected": String(Boolean(selected)),
      data: { ref: refOf(note), index },
    },
    el(
      "div",
      { role: "gridcell", class: "cell-select" },
      el("button", {
        type: "button",
        tabIndex: -1,
        class: "select-box",
        role: "checkbox",
        "aria-checked": String(Boolean(selected)),
        "aria-label": `Select ${note.title}`,
        data: { select: "1" },
        disabled: locked && !many,
      }),
    ),
    el("div", { role: "gridcell", class: "cell-lead" }, lead),
    el(
      "div",
      { role: "gridcell", class: "cell-main" },
      el("div", { class: "line" }, el("span", { class: "row-title", text: note.title || "Untitled" }), right),
      el("div", { class: "line small" }, el("span", { class: "line-text" }, below, tags), low),
      note.snippet?.length ? snippet(note.snippet) : null,
    ),
  );
}

/** What a card says to those who do not see it: its title and the facts of its row. */
const spoken = (node) => node.textContent.replace(/\s+/g, " ").trim();

const isTick = (node) => node.classList.contains("tick-box");

/** The box that ticks a note off; null if its kind has none before the title. */
export const tickBox = (note, locked = false) => cells(note, {}, locked).lead.find(isTick) ?? null;

/** The same on a card, in which no control may be: it is for the mouse, and keys act on the card. */
export function tickMark(note, locked = false) {
  const box = tickBox(note, locked);
  if (!box) return null;
  const data = locked ? {} : { tick: box.dataset.tick };
  return el("span", { class: "tick-box", "aria-hidden": "true", data, text: box.textContent });
}

/** The day on which an agenda lists a note, the time, and the reason. */
const listedCell = ({ date, time, remark }) =>
  el("span", {
    class: "date",
    title: date ? long(date) : undefined,
    text: [date && short(date), time, remark].filter(Boolean).join(" "),
  });

/**
 * A note as a card of a board or a calendar, with the cells of its row. An agenda's card has the day on which
 * it is listed in place of the dates, and its box.
 */
export function makeCard(note, { titles, role, isSmall = false, open = false, time = null, box = null }) {
  const { lead, right, below, low } = cells(note, titles, true, !time);
  const marks = [box, ...lead.filter((node) => !isTick(node) && node.textContent)].filter(Boolean);
  const dates = note.listed
    ? [listedCell(note.listed), ...right.filter((node) => !node.classList.contains("date"))]
    : right;
  const facts = [...dates, ...below, ...low].filter((node) => node.textContent || !note.listed);
  const tags = note.tags?.length ? note.tags.map((tag) => `#${tag}`).join(" ") : "";
  const title = el("span", { class: "card-title", text: note.title || "Untitled" });
  const classes = ["card", isSmall && "small-card", note.active === false && "inactive", open && "open"];
  const card = el(
    "div",
    { class: classes.filter(Boolean).join(" "), role, tabIndex: -1, data: { ref: refOf(note) } },
    el("div", { class: "line" }, time && el("span", { class: "date", text: time }), marks, title),
    !isSmall &&
      (facts.length > 0 || tags) &&
      el("div", { class: "card-facts small" }, facts, tags && el("span", { class: "tags", text: tags })),
  );
  card.setAttribute(
    "aria-label",
    [time, spoken(title), ...facts.map((node) => node.getAttribute("aria-label") ?? spoken(node)), tags]
      .filter(Boolean)
      .join(", "),
  );
  return card;
}

export const emptyRow = (index) =>
  el(
    "div",
    { role: "row", class: "row waiting", "aria-rowindex": index + 1 },
    el(
      "div",
      { role: "gridcell", class: "cell-main", "aria-label": "Loading" },
      el("div", { class: "line" }, "…"),
    ),
  );
