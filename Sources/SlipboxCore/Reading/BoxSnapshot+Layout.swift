import NoteIndex
package import Notes

extension BoxSnapshot {
  /// The layout of the box, with the settings of the program beside slip.
  ///
  /// - Throws: `.configuration` if the layout is not known.
  package func layout() throws(SlipboxError) -> Layout {
    let reader = LayoutReader(box: box) { _ in }
    return try computedLayout.value { () throws(SlipboxError) in
      try settings.layout(adapting: reader.adapting)
    }
  }

  /// The exclusions that the settings of a program name, if git does not have these settings; nil if other clones have
  /// them.
  func exclusionsOfThisClone(_ name: Layout.Name) throws(SlipboxError) -> ExcludedPaths? {
    let committed = try committedFiles()
    for file in LayoutReader(box: box, ignore: { _ in }).files(of: name) {
      if try !committed.isTracked(file) { return box.excluded }
    }
    return nil
  }

  /// The settings of the program beside slip that are ignored, each as one line.
  func ignoredConventions() -> [String] {
    var ignored: [String] = []
    guard let name = Layout.Name(rawValue: settings.layoutName) else { return [] }
    _ = LayoutReader(box: box) { ignored.append($0) }.adapting(Layout(name))
    return ignored
  }
}
