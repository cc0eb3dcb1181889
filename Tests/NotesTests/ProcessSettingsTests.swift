import Notes
import Testing

/// Settings of the whole process, each in a process of its own because other tests run at the same time.
@Suite struct ProcessSettingsTests {
  @Test func `tags between colons are read if the box has them`() async {
    await #expect(processExitsWith: .success) {
      TextConventions.use(.colonTags, true)
      let tags = { (body: String) in BodyScan(NoteText(Array(body.utf8))).tags.map(\.name) }
      let longest = String(repeating: "a", count: 255)
      #expect(tags(":\(longest):") == [longest])
      #expect(tags(":a\(longest):").isEmpty)
      #expect(tags("Text :a:b: and c:d:e and :f:g") == ["a", "b"])
    }
  }

  @Test func `digits of a time are local only if it is asked for`() async {
    await #expect(processExitsWith: .success) {
      LocalZone.use(Kinds.clock)
      #expect(Timestamp.adopted("20210319202401")?.rfc3339 == "2021-03-19T20:24:01+00:00")
      let local = Timestamp.adopted("20210319202401", isLocal: true)
      #expect(local?.rfc3339 == "2021-03-19T20:24:01+01:00")
      #expect(LocalZone.rules == [Int](repeating: 3600, count: 160))
    }
  }
}
