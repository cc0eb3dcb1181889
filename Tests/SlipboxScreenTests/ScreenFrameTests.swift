import Foundation
import Presentation
import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// Frames as people see them, as `Fixtures/frames`; `SLIPBOX_RECORD=1 swift test` writes them anew.
struct ScreenFrameTests {
  private static let sizes = [(80, 24), (120, 40), (40, 10), (200, 60)]

  private func check(_ name: String, _ screen: ScreenInTest) throws {
    let difference = try Snapshot.difference(screen.text + "\n", from: "frames/\(name).txt")
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(arguments: sizes.indices)
  func listsAndNotes(_ place: Int) throws {
    let size = Self.sizes[place]
    for (name, files) in [("records", smallBox), ("hostile", hostileBox), ("empty", [:])] {
      try check("\(name)-\(size.0)x\(size.1)", try ScreenInTest(files, size: size))
    }
  }

  @Test(arguments: sizes.indices)
  func whatLiesOverThem(_ place: Int) throws {
    let size = Self.sizes[place]
    let screen = try ScreenInTest(smallBox, size: size, query: "kind:task")
    try check("tasks-\(size.0)x\(size.1)", screen)
    screen.press(.text("?"))
    try check("help-\(size.0)x\(size.1)", screen)
    screen.press(.escape, .ctrl("p"))
    screen.type("note")
    try check("palette-\(size.0)x\(size.1)", screen)
    screen.press(.escape, .text("/"))
    screen.type(" is:")
    try check("filter-\(size.0)x\(size.1)", screen)
  }

  @Test func letterFormsOfSigns() throws {
    let style = Style(colour: false, unicode: false, hyperlinks: false)
    let screen = try ScreenInTest(smallBox, size: (80, 12), style: style)
    screen.press(.space)
    try check("ascii-80x12", screen)
    let ascii = screen.text.unicodeScalars.allSatisfy { $0.isASCII }
    #expect(ascii)
  }
}
