import Synchronization

/// The side of the bar on which wiki links have their labels: `[[target|label]]`, in Dendron's vaults `[[label|target]]`.
///
/// It belongs to the process, as `LocalZone` does, because notes are read without the settings of their box.
package enum WikiLabels {
  private static let isFirst = Atomic<Bool>(false)

  /// Whether labels are before the bar. Those of embedded files are after it.
  package static var areFirst: Bool { isFirst.load(ordering: .relaxed) }

  /// Sets the side for the box that the program opens.
  package static func use(first: Bool) { isFirst.store(first, ordering: .relaxed) }

  /// Parts what is between the brackets of a wiki link; a backslash before the bar belongs to neither part.
  ///
  /// - Returns: no label if there is no bar.
  package static func parts(
    of inner: ArraySlice<UInt8>, isEmbed: Bool = false
  ) -> (target: ArraySlice<UInt8>, label: ArraySlice<UInt8>?) {
    guard let bar = inner.firstIndex(of: UInt8(ascii: "|")) else { return (inner, nil) }
    var before = inner[..<bar]
    if before.last == UInt8(ascii: "\\") { before.removeLast() }
    let after = inner[(bar + 1)...]
    return areFirst && !isEmbed ? (after, before) : (before, after)
  }

  /// A target and its label with the bar between them.
  package static func joined(_ target: [UInt8], _ label: [UInt8], isInTable: Bool = false) -> [UInt8] {
    let bar = Array((isInTable ? "\\|" : "|").utf8)
    return areFirst ? label + bar + target : target + bar + label
  }
}
