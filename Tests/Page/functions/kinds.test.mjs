import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { changesOfPlace, fieldOf, rankOfMark } = await load("kinds.js");

const kind = (values, as) => ({ name: "own", fields: [{ name: "rank", type: "choice", values }], row: [{ field: "rank", as }] });
const read = (one) => ["!", "!!", "!!!", "!!!!"].map((mark) => rankOfMark(one, mark)?.value);

test("reads marks of ranks as the command does", () => {
  assert.deepEqual(read(kind(["none", "low", "medium", "high"], { low: "!", medium: "!!", high: "!!!" })), ["low", "medium", "high", undefined]);
  assert.deepEqual(read(kind(["low", "medium", "high"], { high: "!" })), ["high", "medium", "high", undefined]);
  assert.deepEqual(read(kind(["high", "medium", "low"], { high: "!!!" })), ["low", "medium", "high", undefined]);
  assert.deepEqual(read(kind(["low", "high"], { high: "!!" })), [undefined, "high", "high", undefined]);
  assert.deepEqual(read(kind(["starter", "dessert"], { dessert: "D" })), [undefined, undefined, undefined, undefined]);
  assert.deepEqual(read(kind([], {})), [undefined, undefined, undefined, undefined]);
});

test("a list of several kinds has no fields of one", () => {
  assert.equal(fieldOf(null, "status"), undefined);
  assert.equal(fieldOf(undefined, "status"), undefined);
});

test("a new record gets the place of the focus where its kind has the field", () => {
  const issue = { name: "issue", fields: [{ name: "status" }, { name: "areas", list: true }] };
  assert.deepEqual(changesOfPlace([{ field: "status", value: "open" }], issue), [{ field: "status", value: "open" }]);
  assert.deepEqual(changesOfPlace([{ field: "areas", value: "page" }], issue), [{ field: "areas", add: "page" }]);
  assert.deepEqual(changesOfPlace([{ field: "tags", value: "home" }], issue), [{ field: "tags", add: "home" }]);
  assert.deepEqual(changesOfPlace([{ field: "due", value: "2026-12-24" }], issue), []);
});
