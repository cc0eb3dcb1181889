import Notes

/// Dates of other programs in the user's own zone.
struct LocalDates {
  let clock: ClockReading

  /// The instant at an offset of the user's.
  func local(_ seconds: Int64) -> Timestamp {
    Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds))
  }

  /// The beginning of a day.
  func start(of day: CivilDate) -> Timestamp { local(clock.start(of: day)) }

  /// Reads `20260105T093000Z`, as taskwarrior writes every date.
  func taskwarrior(_ text: String) -> Timestamp? {
    guard text.utf8.count == 16, text.utf8.last == UInt8(ascii: "Z"), let stamp = Timestamp.adopted(text)
    else {
      return nil
    }
    return local(stamp.seconds)
  }

  /// The day alone where it is the first second of one, else the day with the time.
  func short(_ stamp: Timestamp) -> String {
    stamp.secondOfDay == 0 ? stamp.civilDate.description : stamp.rfc3339
  }
}
