import Bytes
import NoteIndex
import Notes

/// The rules by which Jekyll makes pages of files.
///
/// Source: Jekyll, "Working with drafts", "Posts", "Collections", "Directory structure", "Configuration options" and "Front
/// matter defaults".
struct JekyllPublication: Sendable {
  private let now: Timestamp
  /// The files that the setting `exclude` names.
  private let excluded: ExcludedPaths
  /// The folders with `_` from which Jekyll makes pages.
  private let shown: Set<String>
  /// The values of fields that `defaults` gives to files; nil for all files.
  private let defaults: [(files: ExcludedPaths?, values: [MapEntry])]

  /// Folders from which Jekyll makes no pages.
  private static let support: Set<String> = ["vendor", "node_modules"]

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    now = snapshot.clock.now
    var bytes = try snapshot.bytes(at: Array("_config.yml".utf8))
    if bytes == nil { bytes = try snapshot.bytes(at: Array("_config.yaml".utf8)) }
    let fenced = Array("---\n".utf8) + (bytes ?? []) + Array("\n---\n".utf8)
    let settings = Note(path: [], text: NoteText(fenced)).frontMatter
    excluded = ExcludedPaths((settings["exclude"]?.strings ?? []).map(Self.pattern))
    var shown: Set<String> = ["_posts", "_drafts"]
    if case .map(let collections)? = settings["collections"] {
      for case (let name, .map(let options)) in collections.map({ ($0.key, $0.value) }) {
        let isShown = options.contains { $0.key == "output" && $0.value.text?.lowercased() == "true" }
        if isShown { shown.insert("_\(name)") }
      }
    }
    self.shown = shown
    var defaults: [(files: ExcludedPaths?, values: [MapEntry])] = []
    if case .list(let elements)? = settings["defaults"] {
      for case .map(let element) in elements {
        guard case .map(let values)? = element.first(where: { $0.key == "values" })?.value else { continue }
        var path = ""
        if case .map(let scope)? = element.first(where: { $0.key == "scope" })?.value {
          path = scope.first { $0.key == "path" }?.value.text ?? ""
        }
        defaults.append((path.isEmpty ? nil : ExcludedPaths([Self.pattern(path)]), values))
      }
    }
    self.defaults = defaults
  }

  private static func pattern(_ text: String) -> ExcludedPaths.Pattern {
    ExcludedPaths.Pattern(text, source: "_config.yml", isBeginning: true)
  }

  /// The reason why Jekyll makes no page of a note; nil if it makes one.
  func withheld(_ note: Note, includesDrafts: Bool) -> WithheldNote? {
    let folders = BytePath.folder(of: note.path).split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self) }
    let isSupport =
      folders.first.map(Self.support.contains) ?? false || excluded.covers(note.path)
      || folders.contains { $0.hasPrefix("_") && !shown.contains($0) }
    if isSupport { return WithheldNote(reason: .support, written: "") }
    for (files, values) in defaults where files?.covers(note.path) ?? true {
      for value in values where note.frontMatter[value.key] == nil {
        let hidden = WithheldNote(flag: value.key, value.value)
        if let hidden, hidden.reason != .draft || !includesDrafts { return hidden }
      }
    }
    if folders.contains("_drafts"), !includesDrafts {
      return WithheldNote(reason: .draft, written: "in _drafts")
    }
    let isPost = folders.contains("_posts")
    let day = isPost ? Self.day(of: note) : nil
    if isPost, day == nil { return WithheldNote(reason: .support, written: "") }
    // Collections have dates in the front matter alone.
    if let date = note.frontMatter["date"]?.text, let time = Timestamp.adopted(date) {
      return time > now ? WithheldNote(reason: .scheduled, written: "date: \(date)") : nil
    }
    guard let day else { return nil }
    // Jekyll builds no site with a date that it can't read.
    let isHidden = Timestamp.adopted(day).map { $0 > now } ?? true
    return isHidden ? WithheldNote(reason: .scheduled, written: day) : nil
  }

  /// The day in the name of a post; nil without one: Jekyll makes no page then.
  private static func day(of note: Note) -> String? {
    let name = String(decoding: BytePath.name(of: note.path), as: UTF8.self)
    let parts = name.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].count == 4, parts[1...2].allSatisfy({ (1...2).contains($0.count) }),
      parts[0...2].allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let padded = parts[1...2].map { $0.count == 1 ? "0\($0)" : String($0) }
    return "\(parts[0])-\(padded[0])-\(padded[1])"
  }
}
