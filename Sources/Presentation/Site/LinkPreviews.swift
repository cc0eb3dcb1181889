import Bytes
import NoteIndex
import Notes

/// The titles and first lines of notes, which a page shows beside a link that is pointed at.
///
/// They are spread over files by their addresses, so that a page loads few of them. They say no more than the pages that they
/// lead to.
struct LinkPreviews: Sendable {
  /// So many notes are in a file on average.
  private static let notesPerFile = 64

  /// The number of files: a power of two, so that it seldom changes; 0 without notes.
  let count: Int
  /// The numbers of the notes of each file.
  private let numbers: [[Int]]

  init(_ pages: [[UInt8]]) {
    var count = pages.isEmpty ? 0 : 1
    while count * Self.notesPerFile < pages.count { count *= 2 }
    var numbers = [[Int]](repeating: [], count: count)
    for (number, page) in pages.enumerated() {
      numbers[Self.file(ofPage: page, among: count)].append(number)
    }
    self.count = count
    self.numbers = numbers
  }

  /// The number of the file for the address of a page; the script of the pages computes the same.
  private static func file(ofPage page: [UInt8], among count: Int) -> Int {
    // Most paths are addresses as they are.
    if page.allSatisfy(isPlain) { return page.reduce(0) { ($0 * 31 + Int($1)) & 0xFFFF } % count }
    return SafeAddress.path(page).utf8.reduce(0) { ($0 * 31 + Int($1)) & 0xFFFF } % count
  }

  /// Whether a byte is the same in an address: a letter, a digit, or one of `-`, `.`, `/`, `_`.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x61...0x7A, 0x41...0x5A, 0x2D...0x39, 0x5F: true
    default: false
    }
  }

  /// The numbers of the notes of a file.
  func numbers(of file: Int) -> [Int] { numbers[file] }

  /// The bytes of a file: address, title and first lines of each note.
  func bytes(_ file: Int, _ contents: SiteContents) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for number in numbers[file] {
      writer.string(SafeAddress.path(contents.map.pages[number]))
      writer.string(contents.notes[number].title)
      writer.string(PageFacts.description(of: number, in: contents))
    }
    writer.endArray()
    return SiteScript.call("slipPreviews", String(file), writer.takeBytes())
  }
}

/// Previews of links: a box with the title and the first lines of the note that a link leads to, if the link is pointed at or
/// has the focus.
enum PreviewScript {
  static let javaScript = """
    (() => {
    "use strict";
    const own = document.currentScript, count = Number(own.dataset.previews) || 0, main = document.querySelector("main");
    if (!main || count === 0) return;
    const site = new URL(own.dataset.root || "./", location.href).href;
    const files = new Map();
    let wanted = null, timer = 0, box = null;
    const addressOf = (link) => {
      const address = link.href.split("#")[0];
      return address.startsWith(site) && address !== location.href.split("#")[0] ? address.slice(site.length) : "";
    };
    const fileOf = (address) => {
      let sum = 0;
      for (let i = 0; i < address.length; i += 1) sum = (sum * 31 + address.charCodeAt(i)) % 65536;
      return String(sum % count);
    };
    window.slipPreviews = (name, list) => {
      const notes = new Map();
      for (let i = 0; i < list.length; i += 3) notes.set(list[i], [list[i + 1], list[i + 2]]);
      files.set(name, notes);
      if (wanted) show(wanted);
    };
    const hide = () => {
      clearTimeout(timer);
      if (wanted) wanted.removeAttribute("aria-describedby");
      wanted = null;
      if (box) box.remove();
      box = null;
    };
    const show = (link) => {
      const address = addressOf(link), name = fileOf(address);
      if (!files.has(name)) {
        files.set(name, new Map());
        const script = document.createElement("script");
        script.src = site + "search/preview-" + name + ".js";
        document.head.append(script);
        return;
      }
      const note = files.get(name).get(address);
      if (!note || note[1] === "" || box) return;
      const place = link.getBoundingClientRect(), title = document.createElement("strong"), text = document.createElement("span");
      box = document.createElement("div");
      box.id = "s:preview";
      box.setAttribute("role", "tooltip");
      title.dir = text.dir = "auto";
      title.textContent = note[0];
      text.textContent = note[1];
      box.append(title, text);
      document.body.append(box);
      link.setAttribute("aria-describedby", "s:preview");
      const room = document.documentElement.clientWidth - box.offsetWidth - 8;
      const isBelow = place.bottom + box.offsetHeight + 8 < innerHeight || place.top < box.offsetHeight + 8;
      box.style.left = scrollX + Math.max(8, Math.min(place.left, room)) + "px";
      box.style.top = scrollY + (isBelow ? place.bottom + 4 : place.top - box.offsetHeight - 4) + "px";
    };
    const want = (event, delay) => {
      const link = event.target.closest ? event.target.closest("a[href]") : null;
      if (!link || link === wanted) return;
      hide();
      if (addressOf(link) === "") return;
      wanted = link;
      timer = setTimeout(() => show(link), delay);
    };
    main.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") want(event, 400); });
    main.addEventListener("pointerout", (event) => { if (wanted && !wanted.contains(event.relatedTarget)) hide(); });
    main.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) want(event, 400); });
    main.addEventListener("focusout", hide);
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
    document.addEventListener("scroll", () => { if (box) hide(); }, { passive: true });
    })();

    """
}
