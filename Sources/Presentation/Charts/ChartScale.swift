/// The scale of a chart's counts: from 0 to four times a number that people like.
struct ChartScale: Sendable, Equatable {
  static let steps = 4
  /// The count between two ticks.
  let step: Int

  /// The count at the upper end.
  var top: Int { step * Self.steps }

  /// - Parameter most: the largest count to be shown.
  init(_ most: Int) {
    let wanted = max(1, (most + Self.steps - 1) / Self.steps)
    var unit = 1
    while unit * 10 <= wanted, unit < Int.max / 100 { unit *= 10 }
    let liked = [10, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    // Below ten every whole number is liked.
    if wanted < 10 {
      step = wanted
    } else {
      step = liked.map { $0 * unit / 10 }.first { $0 >= wanted } ?? wanted
    }
  }
}
