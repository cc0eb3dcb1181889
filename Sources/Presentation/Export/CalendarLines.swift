import Notes
import SlipboxCore

/// The lines of a calendar, folded at 75 octets and ended by CRLF.
///
/// Source: RFC 5545, sections 3.1 and 3.3.11.
struct CalendarLines {
  private static let longest = 75

  private var bytes: [UInt8] = []

  /// Adds a property whose value needs no escapes.
  mutating func add(_ name: String, _ value: String) { add(line: Array("\(name):\(value)".utf8)) }

  /// Adds a property with a day or an instant.
  mutating func add(_ name: String, _ moment: TaskFacts.Moment) {
    switch moment {
    case .day(let day): add("\(name);VALUE=DATE", String(day.description.filter { $0 != "-" }))
    case .instant(let seconds): add(name, TaskFacts.Moment.utc(seconds))
    }
  }

  /// Adds a property with texts, parted by commas.
  mutating func add(text name: String, _ values: [String]) {
    add(line: Array("\(name):".utf8) + values.map(Self.escaped).joined(separator: [UInt8(ascii: ",")]))
  }

  /// The lines so far, which are forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): result += [UInt8(ascii: "\\"), byte]
      case 0x0A: result += "\\n".utf8
      case 0x09, 0x20..<0x7F, 0x80...: result.append(byte)
      default: break
      }
    }
    return result
  }

  /// Adds a line in parts of which none has more than 75 octets or half of a character.
  private mutating func add(line: [UInt8]) {
    var rest = line[...]
    var room = Self.longest
    while rest.count > room {
      var cut = rest.startIndex + room
      while rest[cut] & 0xC0 == 0x80 { cut -= 1 }
      bytes += rest[..<cut] + Array("\r\n ".utf8)
      rest = rest[cut...]
      room = Self.longest - 1
    }
    bytes += rest + Array("\r\n".utf8)
  }
}
