// Well-formed HTML as a tree of nodes, for functions that read the browser's: Node has no parser of HTML.

const VOID = new Set(["br", "hr", "img", "input", "meta", "link"]);
const RAW = new Set(["script", "style"]);
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
const decoded = (text) => text.replace(/&(\w+);/g, (all, name) => ENTITIES[name] ?? all);

const textNode = (data) => ({ nodeType: 3, data, textContent: data, childNodes: [] });

/** An element with its attributes and children. */
export function element(localName, attributes = {}, childNodes = []) {
  return {
    nodeType: 1,
    localName,
    childNodes,
    getAttribute: (name) => attributes[name] ?? null,
    get textContent() { return childNodes.map((child) => child.textContent).join(""); },
    querySelectorAll: (name) => childNodes.flatMap((child) => child.nodeType === 1 ? [...(child.localName === name ? [child] : []), ...child.querySelectorAll(name)] : []),
  };
}

/** The body of a document. */
export function bodyOf(html) {
  const body = element("body");
  const open = [body];
  let rest = html;
  while (rest) {
    const tag = /^<!--[^]*?-->|^<(\/?)([a-z][a-z0-9:]*)((?:"[^"]*"|[^">])*)>/i.exec(rest);
    if (!tag) {
      const text = /^<?[^<]*/.exec(rest)[0];
      open.at(-1).childNodes.push(textNode(decoded(text)));
      rest = rest.slice(text.length);
      continue;
    }
    rest = rest.slice(tag[0].length);
    const [all, isEnd, name, written] = tag;
    if (all.startsWith("<!--")) {
      open.at(-1).childNodes.push({ nodeType: 8, data: all.slice(4, -3), textContent: "", childNodes: [] });
      continue;
    }
    if (isEnd) {
      if (open.at(-1).localName === name && open.length > 1) open.pop();
      continue;
    }
    const attributes = Object.fromEntries([...written.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, key, value = ""]) => [key, decoded(value)]));
    const node = element(name, attributes);
    open.at(-1).childNodes.push(node);
    if (RAW.has(name)) {
      const end = rest.indexOf(`</${name}`);
      node.childNodes.push(textNode(rest.slice(0, end)));
      rest = rest.slice(rest.indexOf(">", end) + 1);
    } else if (!VOID.has(name)) open.push(node);
  }
  return body;
}
