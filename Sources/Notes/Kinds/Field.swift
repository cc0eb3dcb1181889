import Bytes
import Text

/// The declaration of a field: its type, and the values that are allowed.
package struct Field: Sendable, Equatable {
  /// The type of one value.
  package enum ValueType: String, Sendable, CaseIterable {
    case text, integer, boolean
    /// A day, stored as `YYYY-MM-DD`.
    case date
    /// A day with a time or without, stored as it was given.
    case moment
    /// How often a record comes again, such as `weekly`.
    case recurrence
    /// One of the field's `values`, which are in ascending order.
    case choice
    /// A list of tags.
    case tags
    /// The name of a record of the kind `target`, by that kind's key.
    case reference
  }

  /// The effect on a record of deleting the record that it refers to.
  package enum DeleteRule: String, Sendable, CaseIterable {
    /// The deletion is refused.
    case deny
    /// The reference is taken out.
    case detach
    /// The record is deleted too.
    case cascade
  }

  package var name: String
  package var type: ValueType
  /// Whether the field holds any number of values.
  package var isList: Bool
  /// The choices, from the lowest to the highest.
  package var values: [String]
  /// The kind that references name.
  package var target: String?
  package var onDelete: DeleteRule
  /// Whether a record is blocked while one that it refers to here is open.
  package var isBlocking: Bool
  package var isRequired: Bool
  /// Whether text of blanks alone is refused.
  package var isNotEmpty: Bool
  /// The default: the value of a new record and of a missing field, as it is typed, or `today` for a day.
  package var defaultValue: String?
  package var minimum: Int?
  package var maximum: Int?
  /// Whether `friday` and `3d` lie in the past.
  package var looksBack: Bool
  /// Whether a new list is written as one text with commas.
  package var usesCommas: Bool
  /// How a merge settles the field if both sides changed it; nil for a conflict.
  package var merge: MergeRule?
  package var comment: String?

  package init(
    _ name: String, _ type: ValueType, isList: Bool = false, values: [String] = [], target: String? = nil,
    onDelete: DeleteRule = .deny, isBlocking: Bool = false, isRequired: Bool = false,
    isNotEmpty: Bool = false, defaultValue: String? = nil, minimum: Int? = nil, maximum: Int? = nil,
    looksBack: Bool = false, usesCommas: Bool = false, comment: String? = nil
  ) {
    self.name = name
    self.type = type
    self.isList = isList || type == .tags
    self.values = values
    self.target = target
    self.onDelete = onDelete
    self.isBlocking = isBlocking
    self.isRequired = isRequired
    self.isNotEmpty = isNotEmpty
    self.defaultValue = defaultValue
    self.minimum = minimum
    self.maximum = maximum
    self.looksBack = looksBack
    self.usesCommas = usesCommas
    self.comment = comment
  }
}

extension Field {
  /// The fields that every note has, whatever its kind; a kind may declare one of them more strictly.
  package static let common = [
    Field("id", .text), Field("title", .text), Field("aliases", .text, isList: true), Field("kind", .text),
    Field("created", .moment, looksBack: true), Field("tags", .tags),
  ]

  /// Whether every note may have a field of this name, so that its value is never a number or boolean.
  package static func isCommon(_ name: String) -> Bool { common.contains { $0.name.isSameName(as: name) } }

  /// The fields that keep a note off a site.
  private static let publicationFlags = ["private", "draft", "publish"]

  /// Whether a field may keep a note off a site.
  static func isPublicationFlag(_ name: String) -> Bool {
    publicationFlags.contains { $0.isSameName(as: name) }
  }

  /// The flag of publication that a name is one slip of the finger away from: a note with `pirvate: true` is published.
  package static func publicationFlag(near name: String) -> String? {
    publicationFlags.first { flag in
      let isShort = flag.hasPrefix(name.lowercased()) && name.count + 1 < flag.count
      return !flag.isSameName(as: name) && !isShort && flag.first == name.lowercased().first
        && Spelling.slip(of: name, among: [flag]) != nil
    }
  }

  /// Dates that records of every kind may have: a change reads their values as it reads those of a task.
  private static let datesOfEveryKind = ["due", "scheduled"]

  /// The date of a name that is read as a date in every kind; nil for other names.
  package static func dateOfEveryKind(_ name: String) -> Field? {
    datesOfEveryKind.contains { $0.isSameName(as: name) } ? Field(name, .date) : nil
  }

  /// Fields that no change can set, with the reason.
  static let fixed = [
    "id": "the id of a note can't change",
    "modified": "it is derived from history and never stored",
    "body": "the text is not a field: --body replaces it, slip append adds to it",
    "path": "the path is not a field: slip mv moves the file",
  ]

  /// Whether the field holds days or moments.
  package var isTime: Bool { type == .date || type == .moment }

  /// The way in which weekdays and distances lie from today.
  package var direction: DateInterval.Direction { looksBack ? .back : .ahead }

  /// The default, unless it is `today` and so counts only when a record is made.
  var lastingDefault: String? { isTime && defaultValue == "today" ? nil : defaultValue }
}

extension String {
  /// Says whether two names are equal but for case.
  package func isSameName(as other: String) -> Bool {
    if hasSameBytes(as: other) { return true }
    if let first = utf8.first, let second = other.utf8.first, first < 0x80, second < 0x80,
      first | 0x20 != second | 0x20
    {
      return false
    }
    guard isASCII, other.isASCII else { return lowercased().hasSameBytes(as: other.lowercased()) }
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (utf8.makeIterator(), other.utf8.makeIterator())
    while let first = left.next(), let second = right.next() {
      guard first == second || (first | 0x20 == second | 0x20 && first.isLetterOrDigit && !first.isDigit)
      else {
        return false
      }
    }
    return true
  }
}

/// Why a text is not a value of a field, in the words "FIELD: VALUE is not ...".
struct ValueRefusal: Error, Equatable {
  let message: String
}

extension Field {
  /// Reads a value as a note stores it; nil if there is none.
  ///
  /// - Throws: `ValueRefusal` if it is not of the field's type.
  func stored(_ value: FieldValue) throws(ValueRefusal) -> TypedValue? {
    switch value {
    case .empty: return nil
    case .map: throw refusal("a map", "is not allowed")
    case .list(let elements):
      guard isList else { throw refusal("a list", "is not allowed: the field has one value") }
      return try list(elements.filter { $0 != .empty }.map(\.text))
    case .text(let text):
      guard !isList else { return try list(spelledElements(value)) }
      return text.withoutBlanksAround.isEmpty && type != .text ? nil : try single(text)
    }
  }

  private func list(_ elements: [String?]) throws(ValueRefusal) -> TypedValue? {
    var read: [TypedValue] = []
    for element in elements {
      guard let element else { throw refusal("a list", "can't contain a list or a map") }
      read.append(try single(element))
    }
    return read.isEmpty ? nil : .list(read)
  }

  /// Reads one value as a note stores it.
  func single(_ text: String) throws(ValueRefusal) -> TypedValue {
    switch type {
    case .text, .tags: return .text(text)
    case .reference: return .reference(Self.bareReference(text))
    case .integer: return .integer(try integer(text))
    case .boolean: return .boolean(try boolean(text))
    case .choice: return .choice(try choice(text))
    case .recurrence: return .text(try recurrence(text))
    case .date:
      if let day = CivilDate(text) ?? Timestamp(rfc3339: text)?.civilDate { return .date(day) }
      throw refusal(text, "is not a date (YYYY-MM-DD)")
    case .moment:
      if let stamp = Timestamp.adopted(text) { return .moment(stamp, text) }
      throw refusal(text, "is not a date (2026-11-21, 2026-11-21T09:30:00+01:00)")
    }
  }

  private func integer(_ text: String) throws(ValueRefusal) -> Int {
    let allowed = (minimum ?? .min)...max(minimum ?? .min, maximum ?? .max)
    guard text.utf8.count <= 20, let number = Int(text.withoutBlanksAround), allowed.contains(number) else {
      throw refusal(text, "is not a whole number\(rangeInWords)")
    }
    return number
  }

  private var rangeInWords: String {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): " from \(minimum) to \(maximum)"
    case (let minimum?, nil): ", \(minimum) or more"
    case (nil, let maximum?): ", \(maximum) or less"
    case (nil, nil): ""
    }
  }

  private func boolean(_ text: String) throws(ValueRefusal) -> Bool {
    switch text.withoutBlanksAround.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: throw refusal(text, "is neither true nor false")
    }
  }

  private func recurrence(_ text: String) throws(ValueRefusal) -> String {
    if Recurrence(text) != nil { return text.withoutBlanksAround }
    let near = Spelling.nearest(to: text, among: Recurrence.words).map { "did you mean \($0)?" }
    let forms = Recurrence.words.joined(separator: ", ")
    throw refusal(
      text,
      "is not a recurrence; "
        + (near ?? "write \(forms), 3d, 2w, 6m, every friday, or +2w from the day it is done"))
  }

  private func choice(_ text: String) throws(ValueRefusal) -> Int {
    let bare = text.withoutBlanksAround
    if let index = values.firstIndex(where: { $0.isSameName(as: bare) }) { return index }
    throw refusal(text, "is not one of its values: \(values.joined(separator: ", "))")
  }

  /// The target of a wiki link, else the text.
  package static func bareReference(_ text: String) -> String {
    let bytes = Array(text.withoutBlanksAround.utf8)
    guard bytes.count > 4, bytes.starts(with: "[[".utf8), bytes.suffix(2).elementsEqual("]]".utf8) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let target = WikiLabels.parts(of: bytes[2..<bytes.count - 2]).target
    return String(decoding: target, as: UTF8.self).withoutBlanksAround
  }

  func refusal(_ value: String, _ why: String) -> ValueRefusal {
    ValueRefusal(
      message: "\(Visible.escape(name)): \(value.isEmpty ? "nothing" : Visible.escape(value)) \(why)")
  }
}

extension Field {
  /// Reads one value as it is typed: as in a note, and days by their relative names.
  ///
  /// - Throws: `ValueRefusal` if it is not of the field's type.
  func typed(_ text: String, clock: ClockReading) throws(ValueRefusal) -> TypedValue {
    switch type {
    case .date:
      if let reason = timeOfDay(text, clock: clock) { throw refusal(text, reason) }
      if let day = day(text, clock: clock) { return .date(day) }
      throw refusal(
        text,
        severalDays(text, clock: clock) ?? meantDay(text, clock: clock)
          ?? "is not a date (2026-11-21, today, friday, dec 5, 3d)")
    case .moment:
      if let stamp = DateInterval.moment(named: text, clock: clock, looking: direction) {
        return .moment(stamp, stamp.rfc3339)
      }
      if let day = day(text, clock: clock) {
        return .moment(Timestamp(date: day, secondOfDay: 0, offsetSeconds: 0), day.description)
      }
      throw refusal(
        text,
        severalDays(text, clock: clock) ?? meantDay(text, clock: clock)
          ?? "is not a date (2026-11-21, 2026-11-21T09:30:00+01:00, today, dec 5, 3d)")
    default: return try single(text)
    }
  }

  /// The refusal of a text that may mean a day or two.
  private func meantDay(_ text: String, clock: ClockReading) -> String? {
    let meant = DateInterval.meant(text, clock: clock, looking: direction).map { ShellWord.quoted($0) }
    guard !meant.isEmpty else { return nil }
    let fault = meant.count > 1 ? "is ambiguous: it can be two dates" : "is not a date"
    return "\(fault); did you mean \(meant.joined(separator: " or "))"
  }

  /// Why a text that names a month or a year is refused: a field holds one day.
  private func severalDays(_ text: String, clock: ClockReading) -> String? {
    guard let days = DateInterval.parse(text, clock: clock, looking: direction)?.days else { return nil }
    return "is more than one day; write one day, such as \(days.first) or \(days.last)"
  }

  /// The reason why a date with a time of day is refused in a field of days.
  private func timeOfDay(_ text: String, clock: ClockReading) -> String? {
    dayAndTime(text, clock: clock).map { day, time in
      "has a time, but the field stores only a date; write \(name):\(day) \(name)-time:\(time)"
    }
  }

  /// The day and the time of day that a text names, by the user's clock, for a field that stores the day alone; nil for
  /// any other text. A time alone is one of today.
  package func dayAndTime(_ text: String, clock: ClockReading) -> (day: CivilDate, time: String)? {
    if type == .date, let time = TimeReader.clockText(text) { return (clock.today, time) }
    guard type == .date, !text.utf8.elementsEqual("now".utf8),
      let stamp = DateInterval.moment(named: text, clock: clock, looking: direction)
    else { return nil }
    let local = Timestamp(seconds: stamp.seconds, offsetSeconds: clock.offset(stamp.seconds))
    return (local.civilDate, DatedLine.time(local.secondOfDay))
  }

  /// Whether a change of the field can set a text, such as `next week` or `monday 9am` for a date.
  package func readsDate(_ text: String, clock: ClockReading) -> Bool {
    guard isTime else { return false }
    return dayAndTime(text, clock: clock) != nil || (try? typed(text, clock: clock).day) != nil
  }

  /// The day that a text names: of a distance the day so far away, of a period ahead its first day.
  private func day(_ text: String, clock: ClockReading) -> CivilDate? {
    if let point = DateInterval.point(text, clock: clock, looking: direction) { return point.day }
    return DateInterval.parse(text, clock: clock, looking: direction)?.day
      ?? DateInterval.start(ofNext: text, clock: clock)
  }
}
