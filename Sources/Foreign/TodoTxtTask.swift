package import Notes

/// One task of todo.txt: a line with a mark when it is done, a priority, dates, words and marks.
package struct TodoTxtTask {
  package var title = ""
  package var isDone = false
  /// A letter from A to Z.
  package var priority: String?
  package var finished: CivilDate?
  package var created: CivilDate?
  package var projects: [String] = []
  package var contexts: [String] = []
  package private(set) var values: [(key: String, value: String)] = []
  /// Words with a colon, whether or not they are taken for a key with its value.
  private var unread: [(key: String, value: String)] = []

  package init() {}

  init(_ line: String) {
    var words = line.split(separator: " ").map(String.init)[...]
    if words.first == "x", words.count > 1 {
      isDone = true
      words.removeFirst()
    }
    var dates: [CivilDate] = []
    takePriority(&words)
    while dates.count < (isDone ? 2 : 1), let date = words.first.flatMap({ CivilDate($0) }), words.count > 1 {
      dates.append(date)
      words.removeFirst()
      // Some programs write the priority behind the date of completion; behind that of creation the title begins.
      if isDone, dates.count == 1 { takePriority(&words) }
    }
    if isDone { finished = dates.first }
    created = isDone ? dates.dropFirst().first : dates.first
    takeMarks(Array(words))
  }

  /// The word that gives a date of the task by a name such as `tomorrow`: an import of tomorrow would give it another one.
  func relativeDay(_ clock: ClockReading) -> String? {
    let named = unread.first { Self.dates.contains($0.key) && Self.isDay($0.value, clock) }
    return named.map { "\($0.key):\($0.value)" }
  }

  private static func isDay(_ text: String, _ clock: ClockReading) -> Bool {
    CivilDate(text) == nil && Timestamp.adopted(text) == nil
      && DateInterval.parse(text, clock: clock, looking: .ahead) != nil
  }

  /// The field with the tags that are further projects of a task.
  package static let projectsField = "projects"

  /// Keys with a date: those of todo.txt, and those that taskwarrior has.
  private static let dates: Set<String> = ["due", "t", "scheduled", "until", "wait", "start"]

  private mutating func takePriority(_ words: inout ArraySlice<String>) {
    guard priority == nil, let word = words.first, words.count > 1 else { return }
    let letter = String(word.dropFirst().dropLast())
    guard word == "(\(letter))", Self.isPriority(letter) else { return }
    priority = letter
    words.removeFirst()
  }

  /// Whether a text is a letter from A to Z.
  package static func isPriority(_ text: String) -> Bool {
    text.utf8.count == 1 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  /// Removes marks from the words: those of known keys at any position, others at the beginning and the end. Among the
  /// words they are part of a sentence.
  private mutating func takeMarks(_ words: [String]) {
    unread = words.compactMap { word in
      word.firstIndex(of: ":").map { (String(word[..<$0]), String(word[word.index(after: $0)...])) }
    }
    let isMark = words.map { Self.isProject($0) || Self.isContext($0) || Self.pair($0) != nil }
    let first = isMark.firstIndex(of: false) ?? words.count
    let last = isMark.lastIndex(of: false) ?? -1
    var rest: [String] = []
    for (index, word) in words.enumerated() {
      if Self.isProject(word) { projects.append(String(word.dropFirst())) }
      if Self.isContext(word) { contexts.append(String(word.dropFirst())) }
      let isOutside = index < first || index > last
      let pair = Self.pair(word)
      if let pair, isOutside || Self.knownKeys.contains(pair.key), value(pair.key) == nil {
        values.append(pair)
      } else if !isOutside || pair != nil {
        rest.append(word)
      }
    }
    title = (rest.isEmpty ? words.filter { Self.pair($0) == nil } : rest).joined(separator: " ")
    if title.isEmpty { title = words.joined(separator: " ") }
  }

  private static let knownKeys: Set<String> = ["due", "t", "rec", "pri", Recurrence.todoTxtDay]

  private static func isProject(_ word: String) -> Bool { word.hasPrefix("+") && word.utf8.count > 1 }

  private static func isContext(_ word: String) -> Bool { word.hasPrefix("@") && word.utf8.count > 1 }

  /// Returns a key with its value; nil for times, addresses and words with another meaning in a note.
  private static func pair(_ word: String) -> (key: String, value: String)? {
    guard let colon = word.firstIndex(of: ":") else { return nil }
    let (key, value) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
    let isName = key.utf8.allSatisfy {
      ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
    }
    guard let first = key.unicodeScalars.first, first.properties.isAlphabetic, isName, !value.isEmpty,
      !value.hasPrefix("/"), !value.hasPrefix(":"), !ReservedNames.contains(key)
    else { return nil }
    if ["due", "t", "scheduled"].contains(key), CivilDate(value) == nil { return nil }
    if ["done", "finished", "priority", "group", "wait", "recur", "depends", "my-day"].contains(key) {
      return nil
    }
    return (key, value)
  }

  func record(line: Int, _ clock: ClockReading, _ names: inout SourceNames) -> ForeignRecord {
    let day = created.map { " \($0)" } ?? ""
    var record = ForeignRecord(line: line, sourceName: names.next("todo.txt\(day) \(title)"))
    record.title = title
    record.kind = "task"
    record.hasOwnDate = created != nil
    record.created = (created ?? finished).map { LocalDates(clock: clock).start(of: $0) }
    record.tags = projects.dropFirst() + contexts
    record.group = projects.first
    if projects.count > 1 {
      record.fields.append((Self.projectsField, .list(projects.dropFirst().map { .text($0) })))
    }
    let letter = priority ?? value("pri")
    let words = ["A": "high", "B": "medium", "C": "low"]
    if let letter { record.add(words[letter] == nil ? "pri" : "priority", words[letter] ?? letter) }
    record.add("done", isDone ? "true" : "false")
    record.add("finished", finished?.description)
    record.add("due", value("due"))
    record.add("wait", value("t"))
    if let text = value("rec") {
      let recurrence = Recurrence.fromTodoTxt(text)
      let named = recurrence.map { Recurrence.text($0, onDay: value(Recurrence.todoTxtDay)) }
      record.add(recurrence == nil ? "rec" : "recur", named ?? text)
    }
    for (key, value) in values where !Self.knownKeys.contains(key) && record.text(of: key) == nil {
      record.add(key, value)
    }
    record.body = []
    return record
  }

  /// The value of `due:`, which is a date.
  fileprivate var dueDay: String? { value("due") }

  private func value(_ key: String) -> String? { values.first { $0.key == key }?.value }
}

extension TodoTxtTask {
  /// Adds a key with a value if a line can hold them, and reading it finds them again.
  package mutating func add(_ key: String, _ value: String) {
    let isWord = value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    guard isWord, Self.pair("\(key):\(value)") != nil, self.value(key) == nil else { return }
    values.append((key, value))
  }

  /// The task as a line without its end.
  package var line: String {
    var words = isDone ? ["x"] : []
    if let priority, !isDone { words.append("(\(priority))") }
    // The first date of a task that is done is that of its completion.
    words += [finished, isDone && finished == nil ? nil : created].compactMap { $0?.description }
    var titled = title.split(separator: " ").map(String.init)
    // Of two words with one key the first is read.
    let isRepeated = { (key: String) in titled.contains { Self.pair($0)?.key == key } }
    let (early, late) = (values.filter { isRepeated($0.key) }, values.filter { !isRepeated($0.key) })
    for (key, value) in early {
      let place = titled.firstIndex { Self.pair($0)?.key == key } ?? 0
      titled.insert("\(key):\(value)", at: place)
    }
    words += titled
    // Marks among the words of the title are in the line already.
    let present = Set(titled)
    words += (projects.map { "+\($0)" } + contexts.map { "@\($0)" }).filter { !present.contains($0) }
    words += late.map { "\($0.key):\($0.value)" }
    if let priority, isDone { words.append("pri:\(priority)") }
    return words.joined(separator: " ")
  }

  /// Whether reading the line gives the title, the priority, the projects and the contexts of the task: a word such as `+x`
  /// in a title is a project too.
  package var isExact: Bool {
    let read = TodoTxtTask(line)
    return read.title.hasSameBytes(as: title) && (read.priority ?? read.value("pri")) == priority
      && Set(read.projects) == Set(projects) && Set(read.contexts) == Set(contexts)
  }

  /// A name as one word: a project or a context.
  package static func word(_ name: String) -> String {
    String(decoding: name.utf8.map { $0 <= 0x20 ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }
}

/// Reads tasks of todo.txt: one a line, with a mark if it is done, a priority, dates, `+projects`, `@contexts` and
/// `key:value`.
///
/// Ids are computed from the words and the date of creation, so that a task retains its id when it is done and has moved
/// to `done.txt`.
///
/// Source: the rules of the format at github.com/todotxt/todo.txt; `t:` and `rec:` are those of Simpletask.
package enum TodoTxtTasks {
  /// The record of one line, as it is read from a file.
  package static func record(of line: String, clock: ClockReading) -> ForeignRecord {
    var names = SourceNames()
    return TodoTxtTask(Note.titleOnOneLine(line)).record(line: 1, clock, &names)
  }

  /// Whether each of the first lines has a mark of the format.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let lines = bytes[start...].prefix(10_000).split { $0 == 0x0A || $0 == 0x0D }
      .filter { $0.contains { $0 > 0x20 } }
    // The last line may be cut.
    let whole = bytes.count > 10_000 + start ? lines.dropLast() : lines[...]
    return !whole.isEmpty
      && whole.allSatisfy { line in String(validating: line, as: UTF8.self).map(isLikely) ?? false }
  }

  /// Whether a line begins with a priority, the mark of a task that is done, or a date without a time, or has a project, a
  /// context or a date.
  private static func isLikely(_ line: String) -> Bool {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1 else { return false }
    let isDate = { (place: Int) in CivilDate(words[place]) != nil }
    if words[0] == "x", isDate(1) { return true }
    if isDate(0) { return !TimeReader.isClockTime(words[1]) }
    let letter = String(words[0].dropFirst().dropLast())
    if words[0] == "(\(letter))", TodoTxtTask.isPriority(letter) { return true }
    let task = TodoTxtTask(line)
    return task.dueDay != nil || (!task.projects.isEmpty && !task.contexts.isEmpty)
  }

  /// - Parameter clock: determines the beginning of a day for the user.
  package static func read(_ bytes: [UInt8], clock: ClockReading) -> ForeignFile {
    var file = ForeignFile()
    var names = SourceNames()
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
    for (index, line) in bytes[start...].split(separator: end, omittingEmptySubsequences: false).enumerated()
    {
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      guard let text = String(validating: line, as: UTF8.self) else {
        file.problems.append(ForeignProblem(line: index + 1, "the line is not UTF-8"))
        continue
      }
      let task = TodoTxtTask(Note.titleOnOneLine(text))
      guard !task.title.isEmpty, task.title != "x" else {
        file.problems.append(ForeignProblem(line: index + 1, "the task has no title"))
        continue
      }
      if let word = task.relativeDay(clock) {
        file.problems.append(
          ForeignProblem(
            line: index + 1, "\(word): relative dates aren't read from files; write a date such as 2026-12-31"
          ))
        continue
      }
      file.records.append(task.record(line: index + 1, clock, &names))
    }
    return file
  }
}
