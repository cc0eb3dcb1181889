import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { linksIn } = await load("fieldlinks.js");

test("finds the links in the values of a field", () => {
  const note = {
    fields: {
      up: "[[Home#Start|the start]]",
      see: ["[[Ann]]", "[[Nobody]]", "see https://example.org/a, and <https://example.org/b>", 3],
      file: "[Plan](plans/plan.md)",
      cover: "pics/a.png",
      banner: "pics/none.png",
    },
    links: [
      { target: "Home#Start", form: "wiki", field: "up", id: "bbbbbbbb", path: "home.md", title: "Home" },
      { target: "Ann", form: "wiki", field: "see", path: "people/ann.md", title: "Ann" },
      { target: "Nobody", form: "wiki", field: "see", dangling: true },
      { target: "plans/plan.md", form: "markdown", field: "file", path: "plans/plan.md", title: "The plan" },
      { target: "pics/a.png", form: "path", field: "cover", path: "pics/a.png" },
      { target: "pics/none.png", form: "path", field: "banner", dangling: true },
      { target: "Other", form: "wiki", path: "other.md", title: "Other" },
    ],
  };
  const rows = {
    up: [{ text: "the start", ref: "bbbbbbbb", part: "Start" }],
    see: [
      { text: "Ann", ref: "people/ann.md", part: undefined },
      { text: "Nobody", missing: "Nobody" },
      { text: "https://example.org/a", address: "https://example.org/a" },
      { text: "https://example.org/b", address: "https://example.org/b" },
    ],
    file: [{ text: "Plan", ref: "plans/plan.md", part: undefined }],
    cover: [{ text: "pics/a.png", file: "pics/a.png" }],
    banner: [],
    none: [],
  };
  for (const [name, wanted] of Object.entries(rows)) assert.deepEqual(linksIn(note, name), wanted, name);
});
