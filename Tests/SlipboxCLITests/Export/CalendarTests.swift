import Foundation
import SlipboxTesting
import Testing

/// A calendar is read by others: by the rules of RFC 5545, and by a program that knows nothing of slip.
@Suite struct CalendarTests {
  private let site: ExportedSite

  init() throws {
    let long = String(repeating: "Żółw 🜁, semi; back\\slash ", count: 12)
    site = try ExportedSite([
      "day.md":
        "---\nid: kqzmvtrp\ntitle: All day\nkind: task\ndue: 2026-12-01\ntags: [a, 'b, c']\n---\nOne\n\nTwo, three; \\ end\n",
      "hour.md":
        "---\nid: bcdfghjk\ntitle: \"\(long.replacing("\\", with: "\\\\"))\"\nkind: task\ndue: 2026-12-01\ndue-time: '17:30'\ndone: true\nfinished: 2026-11-30\n---\n",
      "moment.md":
        "---\nid: cdfghjkl\ntitle: \"Tab\\tand\\u0007bell\\nBEGIN:VALARM\"\ndue: 2026-12-01T08:00:00+02:00\n---\nCR\r\nLF\r\n",
      "none.md": "---\ntitle: None\n---\n",
    ])
  }

  private func calendar() throws -> [UInt8] {
    let ran = try site.sh("cd box && slip export ical -o ../due.ics")
    #expect(ran.status == 0, "\(ran.errors)")
    return try #require(site.shell.folder.read("due.ics"))
  }

  /// The lines of a calendar, unfolded; every rule about lines is asked.
  private func lines(_ bytes: [UInt8]) throws -> [String] {
    #expect(bytes.suffix(2) == [0x0D, 0x0A])
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0D) {
      let line = rest[..<end]
      #expect(line.count <= 75 && !line.contains(0x0A) && rest[end + 1] == 0x0A)
      #expect(String(validating: line, as: UTF8.self) != nil, "a character is cut")
      if line.first == 0x20 { lines[lines.count - 1] += line.dropFirst() } else { lines.append(Array(line)) }
      rest = rest[(end + 2)...]
    }
    #expect(rest.isEmpty)
    return try lines.map { line in
      #expect(line.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      return try #require(String(validating: line, as: UTF8.self))
    }
  }

  @Test func linesFollowTheRules() throws {
    let lines = try lines(try calendar())
    #expect(lines.first == "BEGIN:VCALENDAR" && lines.last == "END:VCALENDAR")
    #expect(lines.count { $0 == "BEGIN:VTODO" } == 2 && lines.count { $0 == "END:VTODO" } == 2)
    #expect(lines.count { $0 == "BEGIN:VEVENT" } == 1 && !lines.contains("BEGIN:VALARM"))
    let times = lines.filter { $0.hasPrefix("DUE") || $0.hasPrefix("DTSTART") }
    #expect(Set(times) == ["DUE;VALUE=DATE:20261201", "DUE:20261201T163000Z", "DTSTART:20261201T060000Z"])
    #expect(lines.contains("DESCRIPTION:One\\n\\nTwo\\, three\\; \\\\ end"))
    #expect(lines.contains("CATEGORIES:a,b\\, c"))
    for name in ["UID", "DTSTAMP", "SUMMARY"] { #expect(lines.count { $0.hasPrefix("\(name):") } == 3) }
  }

  /// A recurring task has a rule and a beginning, and an alarm for each reminder; My Day and waiting are no deadlines.
  @Test func datesAndRulesFollowTheFields() throws {
    let site = try ExportedSite([
      "a.md":
        "---\nid: kqzmvtrp\ntitle: A\nkind: task\ndue: 2026-12-05\ndue-time: '17:30'\nscheduled: 2026-12-01\nrecur: every saturday\nuntil: 2026-12-30\nreminder: [1h30m, 1d]\n---\n",
      "b.md": "---\nid: bcdfghjk\ntitle: B\nkind: task\nwait: 2099-12-05\nreminder: banana\n---\n",
      "c.md": "---\nid: cdfghjkl\ntitle: C\nkind: task\ndue: 2026-12-05\nrecur: +1w\nreminder: 1h\n---\n",
    ])
    let ran = try site.sh("cd box && slip agenda --ical")
    let lines = Set(ran.output.split(whereSeparator: \.isNewline).map(String.init))
    for line in [
      "DTSTART:20261130T230000Z", "DUE:20261205T163000Z", "RRULE:FREQ=WEEKLY;UNTIL=20261226T225959Z",
      "TRIGGER;RELATED=END:-PT1H30M", "TRIGGER;RELATED=END:-P1D", "DTSTART;VALUE=DATE:20991205",
      "DUE;VALUE=DATE:20261205", "TRIGGER;RELATED=END:PT8H",
    ] { #expect(lines.contains(line), "\(line): \(lines.sorted())") }
    #expect(ran.output.split(separator: "RRULE").count == 2)
    #expect(ran.output.split(separator: "BEGIN:VALARM").count == 4)
  }

  /// The reader of Debian's python3-icalendar finds the same, where it is on this machine.
  @Test(.enabled(if: Machine.succeeds("python3 -c 'import icalendar'"), "needs python3-icalendar"))
  func anotherReaderFindsTheSame() throws {
    _ = try calendar()
    try site.shell.folder.write(
      "read.py",
      """
      import icalendar
      calendar = icalendar.Calendar.from_ical(open("due.ics", "rb").read())
      for part in calendar.walk():
          if part.name in ("VTODO", "VEVENT"):
              when = part.get("due") or part.get("dtstart")
              print(part.name, when.dt, repr(str(part["summary"])), repr(str(part.get("description", ""))), part.errors)
      """)
    let ran = try site.sh("python3 read.py")
    #expect(ran.status == 0, "\(ran.errors)")
    let long = String(repeating: "Żółw 🜁, semi; back\\\\slash ", count: 12)
    let lines = Set(ran.output.split(separator: "\n").map(String.init))
    #expect(lines.contains(#"VTODO 2026-12-01 'All day' 'One\n\nTwo, three; \\ end' []"#), "\(lines)")
    #expect(lines.contains("VTODO 2026-12-01 16:30:00+00:00 '\(long.dropLast())' '' []"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("VEVENT 2026-12-01 06:00:00+00:00") }, "\(lines)")
  }
}
