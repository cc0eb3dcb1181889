// The search of a site: it runs in the browser, without a server, also from a folder on this machine. Its
// data are scripts in the folder `search`, which call it.

(() => {
  "use strict";
  const root = document.currentScript.dataset.root || "";
  const byId = (id) => document.getElementById("s:" + id);
  const form = byId("search"),
    input = byId("query"),
    found = byId("found"),
    count = byId("count"),
    list = byId("list");
  if (!form || !input) return;
  const MOST = 50;
  let data = null,
    isAsked = false;
  const words = new Map(),
    asked = new Set();

  const special = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    þ: "th",
    ħ: "h",
    ı: "i",
    ŋ: "n",
    ŧ: "t",
    ſ: "s",
    ĸ: "k",
    ς: "σ",
  };
  const fold = (text) =>
    text
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[\u0300-\u036f\u00ad\u200b-\u200d]/g, "")
      .replace(/[^\0-\x7f]/g, (letter) => special[letter] ?? letter)
      .normalize("NFC");
  const alone = /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Thai}|\p{sc=Laoo}|\p{sc=Khmr}|\p{sc=Mymr}/u;
  const wordsOf = (text) => {
    const result = [];
    for (const run of text.match(/[\p{L}\p{N}\p{M}_'\u2019]+/gu) || []) {
      let word = "";
      for (const letter of run) {
        if (!alone.test(letter)) {
          word += letter;
          continue;
        }
        if (word) result.push(word);
        result.push(letter);
        word = "";
      }
      if (word) result.push(word);
    }
    return result;
  };
  const load = (name) => {
    if (asked.has(name)) return;
    asked.add(name);
    const script = document.createElement("script");
    script.src = root + "search/" + name + ".js";
    document.head.append(script);
  };
  window.slipNotes = (name, value) => {
    data = value;
    data.folded = data.notes.map((note) => [note[0], ...(note[5] || [])].map(fold));
    data.tagKeys = data.tags.map((tag) => tag.toLowerCase());
    data.foldedTags = data.tags.map(fold);
    data.files = new Set(data.words);
    search();
  };
  window.slipWords = (name, value) => {
    words.set(name, value);
    search();
  };
  // The name of the file with the words that begin as one does.
  const fileOf = (word) => {
    const points = Array.from(word)
      .slice(0, 2)
      .map((letter) => letter.codePointAt(0));
    if (points.length < 2) return "c" + (points[0] >> 5).toString(16);
    if (/^[a-z0-9]{2}/.test(word)) return word.slice(0, 2);
    return "u" + points.map((point) => point.toString(16)).join("-");
  };
  const markWord = (scores, word) => {
    for (let i = 0; i < data.folded.length; i += 1)
      for (const name of data.folded[i]) {
        const at = name.indexOf(word);
        if (at < 0) continue;
        scores[i] = Math.max(scores[i], at === 0 || !/[\p{L}\p{N}]/u.test(name[at - 1]) ? 4 : 3);
      }
    const tags = new Set();
    data.foldedTags.forEach((tag, number) => {
      if (tag.split("/").some((part) => part.startsWith(word))) tags.add(number);
    });
    if (tags.size > 0)
      data.notes.forEach((note, i) => {
        if (scores[i] < 2 && note[4].some((tag) => tags.has(tag))) scores[i] = 2;
      });
    // A word with a hyphen, or of a script without blanks, has several parts: a note has to have all of them.
    // Single letters are not in the files.
    const all = wordsOf(word);
    const parts = all.filter((part) => all.length === 1 || part.length > 1 || alone.test(part));
    const files = parts.map(fileOf);
    for (const file of files) if (data.files.has(file)) load(file);
    if (parts.length === 0 || !files.every((file) => words.has(file))) return;
    const having = new Uint8Array(data.notes.length);
    parts.forEach((part, place) => {
      const pairs = words.get(files[place]);
      for (let at = 0; at < pairs.length; at += 2) {
        if (!pairs[at].startsWith(part)) continue;
        let number = 0;
        for (const step of pairs[at + 1].split(".")) {
          number += parseInt(step, 36);
          if (having[number] === place) having[number] = place + 1;
        }
      }
    });
    for (let i = 0; i < having.length; i += 1)
      if (having[i] === parts.length && scores[i] === 0) scores[i] = 1;
  };
  const markTag = (scores, name) => {
    const tags = new Set();
    data.tagKeys.forEach((tag, number) => {
      if (tag === name || tag.startsWith(name + "/")) tags.add(number);
    });
    data.notes.forEach((note, i) => {
      if (note[4].some((tag) => tags.has(tag))) scores[i] = 1;
    });
  };
  // The notes that have all words and tags, the best first.
  const answer = (query) => {
    const terms = query.split(/\s+/).filter((term) => term.length > 0 && term !== "+" && term !== "-");
    const total = new Float64Array(data.notes.length).fill(1);
    for (const term of terms) {
      const scores = new Float64Array(data.notes.length);
      const isTag = term[0] === "+",
        isWithout = term[0] === "-";
      if (isTag || isWithout) markTag(scores, term.slice(1).replace(/^#/, "").toLowerCase());
      else if (term[0] === "#") markTag(scores, term.slice(1).toLowerCase());
      else markWord(scores, fold(term));
      for (let i = 0; i < total.length; i += 1) {
        if (isWithout) {
          if (scores[i] > 0) total[i] = 0;
        } else total[i] = scores[i] === 0 || total[i] === 0 ? 0 : total[i] + scores[i];
      }
    }
    const hits = [];
    if (terms.length > 0) for (let i = 0; i < total.length; i += 1) if (total[i] > 0) hits.push(i);
    // Notes are in the order of their dates; of equal hits the newest is the first.
    return hits.sort((a, b) => total[b] - total[a] || b - a);
  };
  const search = () => {
    const query = input.value.trim();
    found.hidden = query === "";
    if (query === "") return;
    if (!data) {
      count.textContent = "\u2026";
      return;
    }
    const started = performance.now();
    const hits = answer(query);
    list.replaceChildren(
      ...hits.slice(0, MOST).map((number) => {
        const [title, address, day, kind] = data.notes[number];
        const item = document.createElement("li"),
          link = document.createElement("a"),
          small = document.createElement("small");
        link.href = root + address;
        link.dir = "auto";
        link.textContent = title;
        small.textContent = data.kinds[kind] === "note" ? day : day + " " + data.kinds[kind];
        link.append(small);
        item.append(link);
        return item;
      }),
    );
    count.textContent =
      hits.length === 1
        ? "1 note"
        : hits.length + " notes" + (hits.length > MOST ? ", the first " + MOST : "");
    form.dataset.milliseconds = (performance.now() - started).toFixed(1);
  };
  const begin = () => {
    if (!isAsked) {
      isAsked = true;
      load("notes");
    }
  };
  form.hidden = false;
  input.addEventListener("focus", begin);
  input.addEventListener("input", () => {
    begin();
    search();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = list.querySelector("a");
    if (first) first.click();
  });
  form.addEventListener("keydown", (event) => {
    const links = [input, ...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Escape") {
      input.value = "";
      search();
      input.focus();
    } else if (event.key === "ArrowDown" && at >= 0) {
      event.preventDefault();
      links[Math.min(at + 1, links.length - 1)].focus();
    } else if (event.key === "ArrowUp" && at > 0) {
      event.preventDefault();
      links[at - 1].focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(input|textarea|select)$/i.test(event.target.tagName || "");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!form.contains(event.target)) found.hidden = true;
  });
})();
