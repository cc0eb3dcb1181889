import Notes

extension Baking {
  /// The blocks that are out of date or can't be answered, as findings.
  package var findings: [Finding] {
    stale.map { Finding(.blocks, $0.path, line: $0.line, "the list is out of date", remedy: "slip bake") }
      + faulty.map { place in
        Finding(
          .blocks, place.path, line: place.line, "the list has an error: \(place.problem ?? "")",
          remedy: "correct its command")
      }
  }
}
