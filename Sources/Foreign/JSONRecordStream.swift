package import Bytes
package import Notes

/// Reads the records of a JSON text, one after the other.
///
/// Records are the elements of a list, objects one after the other, or one a line. Brackets and commas between records are
/// optional, so each form of a file is read alike. A record that is not well formed ends at the next line that begins
/// with a brace; the records after it are read.
package struct JSONRecordStream {
  private var reader: JSONReader
  /// The lists of records that are open.
  private var openLists = 0

  private init(_ bytes: [UInt8]) {
    reader = JSONReader(bytes)
    reader.skipByteOrderMark()
  }

  /// Calls `visit` for each record of a text, and `fault` for each that is not well formed, in order.
  ///
  /// The records of an object with a list `notes`, as `slip list --json` prints them, are those of that list.
  /// - Complexity: O(n), with one record in memory at a time but for a text that is one object.
  package static func read(
    _ bytes: [UInt8], visit: (JSONNode) -> Void, fault: (ForeignProblem) -> Void
  ) {
    var stream = JSONRecordStream(bytes)
    while true {
      stream.skipBetweenRecords()
      guard !stream.reader.isAtEnd else {
        // The file was cut off.
        if stream.openLists > 0 {
          fault(ForeignProblem(line: stream.reader.line, "unexpected end of text inside a list"))
        }
        return
      }
      let start = stream
      do throws(JSONProblem) {
        let node = try stream.reader.value()
        if let notes = node["notes"]?.elements {
          notes.forEach(visit)
        } else if node.members != nil {
          visit(node)
        } else {
          fault(ForeignProblem(line: node.line, "this is not a JSON object"))
        }
      } catch {
        let hasPassedRecord = stream.goBackToRecord(after: start)
        fault(ForeignProblem(line: hasPassedRecord ? start.reader.line : error.line, error.message))
        if !hasPassedRecord { stream.skipToNextRecord() }
      }
    }
  }

  /// Calls `visit` for the first record of a text that is well formed.
  package static func readFirst(_ bytes: [UInt8], visit: (JSONNode) -> Void) {
    var stream = JSONRecordStream(bytes)
    while true {
      stream.skipBetweenRecords()
      guard !stream.reader.isAtEnd else { return }
      do throws(JSONProblem) {
        let node = try stream.reader.value()
        guard let notes = node["notes"]?.elements else { return visit(node) }
        return notes.prefix(1).forEach(visit)
      } catch {
        stream.skipToNextRecord()
      }
    }
  }

  private mutating func skipBetweenRecords() {
    reader.skipBlanks()
    while let byte = reader.nextByte, ",[]".utf8.contains(byte) {
      if byte == UInt8(ascii: "[") { openLists += 1 }
      if byte == UInt8(ascii: "]") { openLists = max(0, openLists - 1) }
      reader.offset += 1
      reader.skipBlanks()
    }
  }

  /// Goes back to the first line that begins with a brace, without blanks before it, and that the reading of a record ran
  /// into: in a file with a record a line, a broken one goes no further than its line.
  ///
  /// - Returns: whether there is one.
  private mutating func goBackToRecord(after start: JSONRecordStream) -> Bool {
    let bytes = reader.bytes
    var (position, line) = (start.reader.offset, start.reader.line)
    while let end = bytes[position..<reader.offset].firstIndex(of: 0x0A) {
      (position, line) = (end + 1, line + 1)
      if position < bytes.count, bytes[position] == UInt8(ascii: "{") {
        (reader.offset, reader.line, openLists) = (position, line, start.openLists)
        return true
      }
    }
    return false
  }

  /// Goes to the next line that begins with a brace, after the place where reading stopped.
  private mutating func skipToNextRecord() {
    while let byte = reader.nextByte {
      reader.offset += 1
      guard byte == 0x0A else { continue }
      reader.line += 1
      let start = reader.bytes[reader.offset...].first { $0 != 0x20 && $0 != 0x09 }
      if start == UInt8(ascii: "{") { return }
    }
  }
}

/// Values of JSON as fields of notes.
extension JSONNode {
  /// Whether each scalar of the value is not a string, in the order of the value.
  package var plainScalars: [Bool] {
    switch value {
    case .null, .boolean, .number: [true]
    case .string: [false]
    case .array(let elements): elements.flatMap(\.plainScalars)
    case .object(let members): members.flatMap(\.node.plainScalars)
    }
  }

  /// The value as a field of a note holds it; nil for null.
  package var field: FieldValue? {
    switch value {
    case .null: nil
    case .boolean, .number, .string: text.map { .text($0) }
    case .array(let elements): .list(elements.map { $0.field ?? .empty })
    case .object(let members):
      .map(members.map { MapEntry(key: $0.key, value: $0.node.field ?? .empty) })
    }
  }
}
