import Synchronization

/// How the name of a file holds a title.
package enum FileNaming: Sendable, Equatable {
  /// Characters that a file can't have are spaces.
  case plain
  /// Those of Logseq: a slash is `___`, and other characters that a file can't have are percent codes.
  case tripleLowbar
  /// The older form of Logseq: slashes and dots are percent codes too.
  case legacy
}

/// How titles follow from the names of files in a graph of Logseq.
///
/// It belongs to the process, as `TextConventions` do, because notes are read without the settings of their box.
/// Source: Logseq, `:file/name-format`, `:journal/file-name-format` and `:journal/page-title-format`.
package struct PageNames: Sendable, Equatable {
  private let naming: FileNaming
  /// The folder of journals, with its slash.
  private let journals: [UInt8]
  private let journalName: DateFormat
  private let journalTitle: DateFormat
  /// The other forms in which links name a journal.
  private let otherTitles: [DateFormat]

  private static let stored = Mutex<PageNames?>(nil)

  /// Those of the box that the program reads; nil for a box that is not a graph.
  package static var current: PageNames? {
    TextConventions.has(.pageNames) ? stored.withLock { $0 } : nil
  }

  /// Sets them for the box that the program reads.
  package static func use(_ names: PageNames?) {
    stored.withLock { $0 = names }
    TextConventions.use(.pageNames, names != nil)
  }

  /// - Parameters:
  ///   - journals: the folder of journals.
  ///   - journalName: the form of their names; nil, or one that can't be read, for Logseq's own.
  ///   - journalTitle: the form of their titles; the same.
  package init(
    naming: FileNaming = .tripleLowbar, journals: String? = nil, journalName: String? = nil,
    journalTitle: String? = nil
  ) {
    let format = { (text: String?, standard: [DateFormat.Part]) in
      text.flatMap { try? DateFormat($0) } ?? DateFormat(parts: standard)
    }
    self.naming = naming
    self.journals = Array((journals ?? "journals").utf8) + [UInt8(ascii: "/")]
    self.journalName = format(journalName, Self.lowbars)
    self.journalTitle = format(journalTitle, Self.english)
    otherTitles = [Self.english, Self.dashes, Self.lowbars].map { DateFormat(parts: $0) }
  }

  private static let english: [DateFormat.Part] = [
    .word(.shortMonthName), .text(" "), .word(.dayOrdinal), .text(", "), .word(.year),
  ]
  private static let dashes: [DateFormat.Part] = [
    .word(.year), .text("-"), .word(.month), .text("-"), .word(.day),
  ]
  private static let lowbars: [DateFormat.Part] = [
    .word(.year), .text("_"), .word(.month), .text("_"), .word(.day),
  ]

  /// A text that differs for different rules, for catalogues that were built with one of them.
  package var signature: String { "\(self)" }

  /// The title that the path of a file gives, whose name without its ending is known.
  func title(of path: [UInt8], stem: String) -> String {
    if let day = day(of: path, stem: stem) { return Self.text(journalTitle, of: day) }
    let slash = naming == .legacy ? "." : FileName.slash
    let decoded = Self.decoded(stem.replacing(slash, with: "/"))
    guard decoded.contains("/") else { return decoded }
    return decoded.split(separator: "/").joined(separator: "/")
  }

  /// The titles by which links name a journal beside its own; empty for other pages.
  ///
  /// Source: Logseq, `journal-title-formatters` in `frontend.date`.
  package func otherTitles(of path: [UInt8]) -> [String] {
    guard path.starts(with: journals),
      let day = day(of: path, stem: String(decoding: FileName.stem(of: path), as: UTF8.self))
    else { return [] }
    let title = Self.text(journalTitle, of: day)
    return otherTitles.map { Self.text($0, of: day) }.filter { $0 != title }
  }

  /// The day of a journal; nil for other pages.
  private func day(of path: [UInt8], stem: String) -> CivilDate? {
    guard path.starts(with: journals), !path[journals.count...].contains(UInt8(ascii: "/")) else {
      return nil
    }
    return journalName.day(in: stem)
  }

  private static func text(_ format: DateFormat, of day: CivilDate) -> String {
    format.text(of: day, at: Timestamp(date: day, secondOfDay: 0, offsetSeconds: 0))
  }

  /// A text with the characters of its percent codes; the text as it is if they are no UTF-8.
  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? text
  }
}

extension FileNaming {
  /// A title without the characters that the name of a file does not hold as they are.
  func encoded(_ title: String) -> String {
    if self == .plain { return title.replacing("/", with: " ") }
    var coded = ""
    var rest = title.unicodeScalars[...]
    while let first = rest.popFirst() {
      let isCode = first == "%" && rest.prefix(2).count { $0.properties.isASCIIHexDigit } == 2
      if isCode || Self.coded.contains(first) || self == .legacy && "./".unicodeScalars.contains(first) {
        coded += Self.code(first)
      } else {
        coded.unicodeScalars.append(first)
      }
    }
    guard self == .tripleLowbar else { return coded }
    let lowbar = Self.code("_")
    return coded.replacing("___", with: lowbar + lowbar + lowbar).replacing("_/", with: lowbar + "/")
      .replacing("/_", with: "/" + lowbar).replacing("/", with: FileName.slash)
  }

  private static let coded = Set("\\:*?\"<>".unicodeScalars)

  /// The percent code of a character of ASCII.
  private static func code(_ scalar: Unicode.Scalar) -> String {
    "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
  }
}
