import Notes
import SlipboxTesting
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    ("2026-11-21T09:30:00.001+01:00", 1, "2026-11-21T09:30:00.001+01:00"),
    ("2026-11-21T09:30:00.25Z", 250, "2026-11-21T09:30:00.250+00:00"),
    ("2026-11-21T09:30:00.9999-05:00", 999, "2026-11-21T09:30:00.999-05:00"),
    ("2026-11-21T09:30:00.0+01:00", 0, "2026-11-21T09:30:00+01:00"),
  ])
  func millisecondsAreKept(text: String, milliseconds: Int, written: String) throws {
    let stamp = try #require(Timestamp(rfc3339: text))
    #expect(stamp.milliseconds == milliseconds)
    #expect(stamp.rfc3339 == written)
    #expect(Timestamp(rfc3339: written) == stamp)
    let second = Timestamp(seconds: stamp.seconds, offsetSeconds: stamp.offsetSeconds)
    #expect(milliseconds == 0 ? second == stamp : second < stamp)
    #expect(stamp < Timestamp(seconds: stamp.seconds + 1, offsetSeconds: stamp.offsetSeconds))
  }

  @Test(arguments: [
    ("2026-11-21T09:30:00+01:00", 1_795_249_800, 3600), ("1970-01-01T00:00:00+00:00", 0, 0),
    ("1969-12-31T23:59:59-00:30", 1799, -1800), ("0001-01-01T00:00:00+00:00", -62_135_596_800, 0),
    ("9999-12-31T23:59:59+00:00", 253_402_300_799, 0), ("2024-02-29T12:00:00-11:59", 1_709_251_140, -43_140),
  ])
  func readsAndWritesRFC3339(text: String, seconds: Int64, offset: Int) throws {
    let stamp = try #require(Timestamp(rfc3339: text))
    #expect(stamp == Timestamp(seconds: seconds, offsetSeconds: offset))
    #expect(stamp.rfc3339 == text)
  }

  @Test(arguments: [
    ("2026-11-21T08:30:00Z", "2026-11-21T08:30:00+00:00"),
    ("2026-11-21t08:30:00z", "2026-11-21T08:30:00+00:00"),
    ("2026-11-21 08:30:00.123456789-00:00", "2026-11-21T08:30:00.123+00:00"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00+00:00"),
  ])
  func readsOtherSpellingsOfRFC3339(text: String, written: String) {
    #expect(Timestamp(rfc3339: text)?.rfc3339 == written)
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T08:30Z", "2026-11-21T08:30:00", "2026-11-21T08:30:00+0100",
    "2026-02-30T08:30:00Z",
    "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2026-11-21T08:30:61Z", "2026-11-21T08:30:00.Z",
    "2026-11-21T08:30:00+24:00", "2026-11-21T08:30:00+01:60", "2026-11-21T08:30:00Z ", "2026-1-21T08:30:00Z",
    "0000-01-01T00:00:00Z",
  ])
  func refusesWhatIsNotRFC3339(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func anyNumbersMakeATimestampThatCanBeWrittenAndRead() {
    var generator = SplitMix64(seed: 3)
    let odd: [Int64] = [.min, .max, 0, -1, -62_135_596_800, 253_402_300_799, 253_402_300_800]
    for index in 0..<3000 {
      let seconds =
        index < odd.count
        ? odd[index] : Int64.random(in: -90_000_000_000...300_000_000_000, using: &generator)
      for offset in [
        0, 60, -86_340, 86_340, .max, .min, Int.random(in: -1000...1000, using: &generator) * 60,
      ] {
        let stamp = Timestamp(seconds: seconds, offsetSeconds: offset)
        #expect(Timestamp(rfc3339: stamp.rfc3339) == stamp)
        #expect(stamp.rfc3339.hasPrefix(stamp.civilDate.description))
      }
    }
  }

  @Test func anOffsetWithSecondsIsWrittenForTheSameInstant() {
    let stamp = Timestamp(seconds: 0, offsetSeconds: 1172)
    #expect(stamp.rfc3339 == "1970-01-01T00:19:00+00:19")
    #expect(Timestamp(rfc3339: stamp.rfc3339)?.seconds == 0)
  }

  @Test func isOrderedByInstantFirst() throws {
    let early = try #require(Timestamp(rfc3339: "2026-11-21T23:00:00+05:00"))
    let late = try #require(Timestamp(rfc3339: "2026-11-21T19:00:00+00:00"))
    #expect(early < late)
    #expect(early.civilDate.description == "2026-11-21")
    #expect(Timestamp(seconds: late.seconds, offsetSeconds: 14 * 3600).civilDate.description == "2026-11-22")
  }
}
