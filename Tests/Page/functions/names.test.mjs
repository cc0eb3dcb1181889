import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./assets.mjs";

const { placesOf, filterLetters, sentences } = await load("names.js");

test("tells notes with the same title apart by their folders, else by their files", () => {
  const rows = [
    [[["Meeting", "a/Meeting.md"], ["Peat", "Peat.md"]], ["", ""]],
    [[["Meeting", "Meeting.md"], ["meeting", "a/b/Meeting.md"]], ["no folder", "a/b/"]],
    [[["A", "x/a-1.md"], ["A", "x/a-2.md"], ["A", "y/a.md"]], ["x/a-1.md", "x/a-2.md", "y/"]],
  ];
  for (const [notes, wanted] of rows) assert.deepEqual(placesOf(notes.map(([title, path]) => ({ title, path }))), wanted);
  assert.deepEqual(placesOf([{ title: null, path: "a/b.md" }, { path: "c.md" }]), ["a/", "no folder"]);
});

test("gives filters letters that no action and no other filter has", () => {
  assert.deepEqual(filterLetters(["good-papers", "old", "ox", "g"], ["g g", "g x", "g D", "j"]), ["o", "l", null, null]);
});

test("sentences after the first begin with a capital letter", () => {
  assert.equal(sentences(["a.md exists already", "nothing was changed; choose another name"]), "a.md exists already. Nothing was changed; choose another name");
  assert.equal(sentences(["refused"]), "refused");
});
