import Notes

extension Healer {
  /// A text with git's markers, taken apart; nil without markers that pair.
  ///
  /// A line of a base that no version in history has was written there after the merge. It stays, in a further version.
  /// - Parameter paths: those of the note.
  func marked(
    _ bytes: [UInt8], at paths: [[UInt8]], isEverywhere: Bool = false
  ) throws(SlipboxError) -> MarkedText? {
    let marked = MarkedText(bytes, isEverywhere: isEverywhere)
    guard let marked, !marked.linesOfBasesAlone.isEmpty else { return marked }
    var known: Set<ArraySlice<UInt8>> = []
    for version in try versions(at: paths) where !MergeMarkers.isAnywhere(in: version) {
      known.formUnion(version.split { $0 == 0x0A || $0 == 0x0D })
    }
    return marked.keepingBases(unless: known.contains)
  }

  /// A text with its versions merged; as it is if it has no markers, and if the versions can't be merged.
  func settled(_ bytes: [UInt8], at paths: [[UInt8]]) throws(SlipboxError) -> NoteText {
    try marked(bytes, at: paths)?.merged(rules: rules) ?? NoteText(bytes)
  }
}
