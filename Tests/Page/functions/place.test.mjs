import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { format, parse } = await load("place.js");

test("writes and reads the address of a view", () => {
  const rows = [
    ["#/q/", { view: "notes", query: "", ref: null, at: null }],
    ["#/q/kind:issue+is:active/kqzmvtrp", { view: "notes", query: "kind:issue is:active", ref: "kqzmvtrp", at: null }],
    ["#/q/a%2Fb/notes%2Fa%40b.md@2026-01-31", { view: "notes", query: "a/b", ref: "notes/a@b.md", at: "2026-01-31" }],
    ["#/deleted@HEAD~2", { view: "deleted", query: "", ref: null, at: "HEAD~2" }],
    ["#/history/kqzmvtrp", { view: "history", query: "", ref: "kqzmvtrp", at: null }],
    ["#/todos", { view: "todos", query: "", ref: null, at: null }],
  ];
  for (const [hash, place] of rows) {
    assert.deepEqual(parse(hash), place);
    assert.deepEqual(parse(format(place)), place);
  }
});

test("takes what it can of a foreign address", () => {
  const all = { view: "notes", query: "", ref: null, at: null };
  for (const hash of ["", "#", "#/", "#/nothing", "#/note/"]) assert.deepEqual(parse(hash), all);
  assert.deepEqual(parse("#/note/kqzmvtrp"), { ...all, ref: "kqzmvtrp" });
  assert.equal(parse("#/q/%E0%A4%A").query, "%E0%A4%A");
});
