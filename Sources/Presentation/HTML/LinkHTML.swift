/// Links as HTML.
enum LinkHTML {
  /// Writes a link with its text; what leads nowhere is text.
  static func write(_ label: String, _ target: PageTarget, _ out: inout MarkupWriter) {
    if case .broken = target {
      out.add("<span class=\"broken\">")
      out.text(label)
      return out.add("</span>")
    }
    let isOpen = open(target, title: "", &out)
    out.text(label)
    if isOpen { out.add("</a>") }
  }

  /// Begins a link; says whether there is one to be ended.
  static func open(_ target: PageTarget, title: String, _ out: inout MarkupWriter) -> Bool {
    switch target {
    case .page(let address), .file(let address, _):
      out.add("<a")
      out.attribute("href", address)
    case .url(let url):
      guard let address = SafeAddress.external(url) else { return false }
      out.add("<a class=\"external\" rel=\"noopener noreferrer\"")
      out.attribute("href", address)
    case .tab(let url):
      guard let address = SafeAddress.forTab(url) else { return false }
      out.add("<a class=\"external\" rel=\"noopener noreferrer\" target=\"_blank\"")
      out.attribute("href", address)
    case .note(let ref, let part):
      out.add("<a")
      out.attribute("href", "#/note/" + SafeAddress.fragment(Array(ref.utf8)))
      out.attribute("data-note", ref)
      if let part { out.attribute("data-part", part) }
    case .missing(let name):
      out.add("<a class=\"missing\"")
      out.attribute("data-missing", name)
    case .missingFile(let name):
      out.add("<a class=\"missing\"")
      out.attribute("data-missing-file", name)
    case .attachment(let path, _):
      out.add("<a")
      out.attribute("data-file", String(decoding: path, as: UTF8.self))
    case .text, .broken: return false
    }
    if !title.isEmpty { out.attribute("title", title) }
    out.add(">")
    return true
  }

  /// Writes a tag of running text.
  static func writeTag(_ name: String, _ address: String?, _ out: inout MarkupWriter) {
    if let address {
      out.add("<a class=\"tag\"")
      out.attribute("href", address)
      out.add(">#")
      out.text(name)
      out.add("</a>")
    } else {
      out.add("#")
      out.text(name)
    }
  }
}
