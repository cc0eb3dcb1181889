import Bytes

/// Whether git merges the notes of this clone by their fields.
extension BoxSnapshot {
  func driverFindings() -> [Finding] {
    guard let fault = box.mergeDriverFault else { return [] }
    let file = BytePath.relative(fault.file, to: box.root) ?? fault.file
    return [
      Finding(
        .driver, file, "\(fault.message), so git pull and git merge merge notes line by line",
        way: .automatic, remedy: "registers slip's merge driver in this clone")
    ]
  }
}
