/// The words and fields that the rows search for, each in a known number of notes.
package struct Probes: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The word `qxrare`, in 10 notes.
  package static let rare = Probes(rawValue: 1)
  /// The word `qxcommon`, in a tenth of the notes.
  package static let common = Probes(rawValue: 2)
  /// The word `qxalpha`, in a twentieth.
  package static let alpha = Probes(rawValue: 4)
  /// The word `qxbeta`, in a twentieth; with `qxalpha` in a hundredth.
  package static let beta = Probes(rawValue: 8)
  /// The phrase `qxsilver qxlantern`, in a two-hundredth, and at least 5.
  package static let phrase = Probes(rawValue: 16)
  /// Both words of the phrase, far from each other, in a fiftieth.
  package static let apart = Probes(rawValue: 32)
  /// The tag `qxtag`, in a fiftieth.
  package static let tagged = Probes(rawValue: 64)
  /// An open issue of high priority among the tagged, a five-hundredth of all; others come about by chance.
  package static let urgent = Probes(rawValue: 128)

  /// Deals the probes out to notes.
  static func dealt(to count: Int, seed: UInt64) -> [Probes] {
    var random = CorpusRandom(seed: seed, stream: Stream.probes)
    var notes = [Probes](repeating: [], count: count)
    func deal(_ probes: Probes, to share: Int, where fits: (Probes) -> Bool = { _ in true }) {
      var chosen = notes.indices.filter { fits(notes[$0]) }
      for position in 0..<min(share, chosen.count) {
        chosen.swapAt(position, random.between(position, chosen.count - 1))
        notes[chosen[position]].formUnion(probes)
      }
    }
    deal(.rare, to: 10)
    deal(.common, to: count / 10)
    deal([.alpha, .beta], to: count / 100)
    deal(.alpha, to: count / 20 - count / 100) { $0.isDisjoint(with: [.alpha, .beta]) }
    deal(.beta, to: count / 20 - count / 100) { $0.isDisjoint(with: [.alpha, .beta]) }
    deal(.phrase, to: max(5, count / 200))
    deal(.apart, to: count / 50) { !$0.contains(.phrase) }
    deal(.tagged, to: max(5, count / 50))
    deal(.urgent, to: max(2, count / 500)) { $0.contains(.tagged) }
    return notes
  }
}
