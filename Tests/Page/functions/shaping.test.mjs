import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { daysOf } = await load("sittings.js");

const entry = (time, note, more = {}) => ({ time, author: "Ada", device: "desk", changes: note ? [{ note }] : [], ...more });
const shape = (days) => days.map(({ day, sittings }) => [day, sittings.map((entries) => entries.length)]);

test("groups changes of one note that follow each other, by days", () => {
  const entries = [
    entry("2026-01-02T10:20:00Z", "a"), entry("2026-01-02T10:05:00Z", "a"), entry("2026-01-02T10:00:00Z", "b"),
    entry("2026-01-02T09:58:00Z", "a"), entry("2026-01-02T09:00:00Z", "a"), entry("2026-01-01T23:59:00Z", "a"),
  ];
  assert.deepEqual(shape(daysOf(entries)), [["2026-01-02", [2, 1, 1, 1]], ["2026-01-01", [1]]]);
});

test("keeps apart what several people, devices or notes changed", () => {
  const time = "2026-01-02T10:00:00Z";
  const both = { changes: [{ note: "a" }, { note: "b" }] };
  const entries = [
    entry(time, "a"), entry(time, "a", { author: "Bob" }), entry(time, "a", { author: "Bob", device: "phone" }),
    entry(time, null, both), entry(time, null, both), entry(time, null), entry(time, null),
  ];
  assert.deepEqual(shape(daysOf(entries)), [["2026-01-02", [1, 1, 1, 1, 1, 1, 1]]]);
  assert.deepEqual(daysOf([]), []);
});
