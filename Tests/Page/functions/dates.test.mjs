import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { state } = await load("store.js");
const { moment, short, timed } = await load("dates.js");
const { timeWrittenIn } = await load("quickadd.js");
const { textOf, timeOf } = await load("kinds.js");

test("writes the time of day behind its day", () => {
  const day = short("2031-01-05");
  assert.equal(timed("2031-01-05"), day);
  assert.equal(timed("2031-01-05", "14:30"), `${day} 14:30`);
  assert.equal(timed("2031-01-05T08:15:00"), `${day} 08:15`);
  assert.equal(timed("2031-01-05 08:15", "14:30"), `${day} 14:30`);
  assert.equal(timed("soon"), "soon");
  const at = new Date("2031-01-05T12:00:00Z");
  const clock = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  assert.equal(timed("2031-01-05T12:00:00Z").split(" ").at(-1), clock);
});

test("has no words such as today for whoever looks at a past day", () => {
  const before = { ...state.place };
  const day = "2025-09-29";
  Object.assign(state, { place: { ...before, at: null }, box: { today: day } });
  assert.equal(short(day), "today");
  assert.equal(short("2025-09-28"), "yesterday");
  state.place.at = day;
  assert.notEqual(short(day), "today");
  assert.match(moment("2025-09-29T10:00:00Z"), /29/);
  Object.assign(state, { place: before, box: null });
});

test("reads the time of day from the field beside a date", () => {
  const note = { fields: { due: "2031-01-05", "due-time": "14:30" } };
  assert.equal(timeOf(note, "due"), "14:30");
  assert.equal(timeOf(note, "wait"), "");
  assert.equal(textOf({ name: "due", type: "date" }, "2031-01-05", {}, "14:30"), `${short("2031-01-05")} 14:30`);
  assert.equal(timeWrittenIn('+due: 2031-01-05\n+due-time: "14:30"\n', "due"), "14:30");
  assert.equal(timeWrittenIn("+due: 2031-01-05\n", "due"), "");
});
