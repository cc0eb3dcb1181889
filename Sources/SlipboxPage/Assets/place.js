// @ts-check
// The address of a view: #/q/QUERY/REF@DATE, #/view/NAME/QUERY/REF, #/note/REF, #/deleted, #/history,
// #/today. Each can be bookmarked.

const encode = (text) =>
  encodeURIComponent(text).replace(/%3A/g, ":").replace(/%20/g, "+").replace(/%2C/g, ",");
const decode = (text) => {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
};

/** @param {Place} place */
export function format({ view, query, ref, at, name = "" }) {
  const past = at ? `@${encode(at)}` : "";
  const note = ref ? `/${encode(ref)}` : "";
  if (view === "view") {
    const filter = query || ref ? `/${encode(query)}` : "";
    return `#/view/${encode(name)}${filter}${note}${past}`;
  }
  return view === "notes" ? `#/q/${encode(query)}${note}${past}` : `#/${view}${note}${past}`;
}

/** @returns {Place} */
export function parse(hash) {
  const [path, past] = hash.replace(/^#\/?/, "").split("@");
  const parts = path.split("/");
  const place = { view: "notes", query: "", ref: null, at: past ? decode(past) : null };
  if (parts[0] === "q")
    return { ...place, query: decode(parts[1] ?? ""), ref: parts[2] ? decode(parts[2]) : null };
  if (parts[0] === "view" && parts[1]) {
    const [name, query, ref] = parts.slice(1, 4).map(decode);
    return { ...place, view: "view", name, query: query ?? "", ref: ref || null };
  }
  if (parts[0] === "note") return { ...place, ref: decode(parts.slice(1).join("/")) || null };
  if (["deleted", "history", "today", "todos"].includes(parts[0]))
    return { ...place, view: parts[0], ref: parts[1] ? decode(parts[1]) : null };
  return place;
}
