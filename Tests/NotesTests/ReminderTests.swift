import Testing

@testable import Notes

/// The lengths before a date at which a calendar reminds.
@Suite struct ReminderTests {
  @Test(arguments: [
    ("30min", "-PT30M", "PT8H30M"), ("1h", "-PT1H", "PT8H"), ("1h30m", "-PT1H30M", "PT7H30M"),
    ("2 hours", "-PT2H", "PT7H"), ("1d", "-P1D", "-PT15H"), ("1w", "-P1W", "-P6DT15H"),
    ("1D 2h", "-P1DT2H", "-PT17H"), ("9h", "-PT9H", "PT0S"),
  ])
  func isRead(_ text: String, _ ofTime: String, _ ofDay: String) throws {
    let reminder = try #require(Reminder(text))
    #expect(reminder.duration(ofDay: false) == ofTime && reminder.duration(ofDay: true) == ofDay)
  }

  @Test(arguments: ["", "banana", "90", "0min", "min", "1h 1h", "30m1h", "-1h", "1.5h", "99999min", "1h30"])
  func isRefused(_ text: String) { #expect(Reminder(text) == nil) }

  @Test func listsAreRead() {
    #expect(Reminder.all("1h, 1d")?.count == 2)
    #expect(Reminder.all("1h, banana") == nil && Reminder.all("") == nil)
    let note = Note(path: [], text: NoteText(Array("---\nreminder: [1h, 90, 1d]\n---\n".utf8)))
    #expect(Reminder.all(of: note).count == 2)
    #expect(Reminder.fault(in: note)?.text == "90" && Reminder.fault(in: note)?.line == 2)
  }
}
