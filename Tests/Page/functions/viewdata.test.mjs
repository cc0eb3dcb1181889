import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { addDays, addMonths, mondayOf, daysShown, moveOf, splitColumns, nextSort, directionOf, leadCut, followed, emptied, joined } =
  await load("viewdata.js");
const { format, parse } = await load("place.js");

test("counts days, weeks and months", () => {
  assert.equal(addDays("2026-02-27", 2), "2026-03-01");
  assert.equal(mondayOf("2026-11-22"), "2026-11-16");
  assert.equal(mondayOf("1969-12-31"), "1969-12-29");
  assert.equal(addMonths("2026-01-31", 1), "2026-02-28");
  assert.equal(addMonths("2026-01-31", -1), "2025-12-31");
});

test("shows the weeks of a month, or one week", () => {
  const november = daysShown("2026-11-21", false);
  assert.deepEqual([november[0], november.at(-1), november.length], ["2026-10-26", "2026-12-06", 42]);
  const february = daysShown("2027-02-10", false);
  assert.deepEqual([february[0], february.at(-1), february.length], ["2027-02-01", "2027-02-28", 28]);
  assert.deepEqual(daysShown("2026-11-21", true).length, 7);
});

test("moves by the action of the kind, else by a change", () => {
  const board = { movable: true, field: "status" };
  const [open, done, none] = [{ value: "open", actions: { issue: "reopen" } }, { value: "done", actions: {} }, { value: null }];
  assert.deepEqual(moveOf(board, { from: done, to: open, kind: "issue" }), { action: "reopen" });
  assert.deepEqual(moveOf(board, { from: open, to: done, kind: "issue" }), { changes: [{ field: "status", value: "done" }] });
  assert.deepEqual(moveOf(board, { from: open, to: none, kind: "issue" }), { changes: [{ field: "status", value: "" }] });
  assert.equal(moveOf(board, { from: open, to: open, kind: "issue" }), null);
  assert.equal(moveOf({ ...board, movable: false }, { from: open, to: done, kind: "issue" }), null);
  const tags = { movable: true, field: "tags" };
  const move = moveOf(tags, { from: { value: "a" }, to: { value: "b" }, kind: "note", isList: true });
  assert.deepEqual(move, { changes: [{ field: "tags", remove: "a" }, { field: "tags", add: "b" }] });
});

test("splits columns outside of brackets, and turns the order", () => {
  assert.deepEqual(splitColumns("title, pages / days(started, completed),tags"), ["title", "pages / days(started, completed)", "tags"]);
  assert.equal(nextSort("", "pages"), "pages");
  assert.equal(nextSort("pages", "pages"), "-pages");
  assert.equal(directionOf("-pages", "pages"), -1);
});

test("follows a row by its note or its group", () => {
  const rows = [{ note: [{ id: "a", path: "a.md" }] }, { note: [{ path: "b.md" }] }, { query: "kind:book" }];
  assert.deepEqual(rows.map((row) => followed(row, rows.toReversed())), [2, 1, 0]);
  assert.equal(followed({ note: [{ id: "z" }] }, rows), -1);
  assert.equal(followed(undefined, rows), -1);
});

test("joins queries", () => {
  assert.equal(joined("kind:task is:active", "", undefined, "due:"), "kind:task is:active due:");
  assert.equal(joined("+a OR +b", "due:"), "(+a OR +b) due:");
});

test("empties a field, and a list value by value", () => {
  assert.deepEqual(emptied({ name: "rating" }, 4), [{ field: "rating", value: "" }]);
  assert.deepEqual(emptied({ name: "rating" }, null), []);
  assert.deepEqual(emptied({ name: "tags", list: true }, ["a", "b"]), [{ field: "tags", remove: "a" }, { field: "tags", remove: "b" }]);
  assert.deepEqual(emptied({ name: "tags", list: true }, []), []);
});

test("addresses of views are read as they are written", () => {
  for (const more of [{}, { query: "a b/c" }, { ref: "kqzmvtrb" }, { query: "is:open", ref: "x/y.md", at: "2026-01-01" }]) {
    const place = { view: "view", name: "reading-list", query: "", ref: null, at: null, ...more };
    assert.deepEqual(parse(format(place)), place);
  }
  assert.equal(format({ view: "view", name: "week", query: "", ref: null, at: null }), "#/view/week");
});

test("cuts what stands before a hit", () => {
  const hit = { text: "hour", hit: true };
  const texts = (parts, most) => leadCut(parts, most).map((part) => part.text).join("");
  assert.equal(texts([{ text: "It takes more than half an " }, hit, { text: "." }], 14), "…than half an hour.");
  assert.equal(texts([{ text: "half an " }, hit], 14), "half an hour");
  assert.equal(texts([hit, { text: " later" }], 14), "hour later");
  assert.equal(texts([{ text: "Donaudampfschifffahrts" }, hit], 8), "…fffahrtshour");
  assert.deepEqual(leadCut([], 8), []);
});
