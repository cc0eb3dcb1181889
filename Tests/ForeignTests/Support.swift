import Notes

@testable import Foreign

/// A clock that stands at 2026-11-21T09:30:00+01:00, in a zone without summer time.
let standingClock = ClockReading(
  now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })

extension ForeignRecord {
  /// The record on one line: kind, title, then what it has.
  var shown: String {
    var parts = ["\(line) \(kind ?? "note") \(title ?? "-")"]
    if let id { parts.append("id=\(id)") }
    if let path { parts.append("path=\(String(decoding: path, as: UTF8.self))") }
    if let created { parts.append("created=\(created.rfc3339)") }
    if !tags.isEmpty { parts.append("tags=\(tags.joined(separator: "|"))") }
    if let group { parts.append("group=\(group)") }
    for link in links { parts.append("\(link.field)->\(link.names.joined(separator: "|"))") }
    for field in fields { parts.append("\(field.name)=\(Self.shown(field.value))") }
    if let body, !body.isEmpty { parts.append("body=\(String(decoding: body, as: UTF8.self))") }
    return parts.joined(separator: "; ")
  }

  private static func shown(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): text
    case .list(let elements): "[\(elements.map(shown).joined(separator: "|"))]"
    case .map(let entries): "{\(entries.map { "\($0.key): \(shown($0.value))" }.joined(separator: "|"))}"
    case .empty: "~"
    }
  }
}

extension ForeignFile {
  /// The problems with their lines.
  var faults: [String] { problems.map { "\($0.line): \($0.message)" } }
}
