package import Notes

/// What a command takes from the world around it, read once and handed in: the core never looks itself.
package struct Surroundings {
  /// The time of the command; `today` is fixed by it.
  package let clock: ClockReading
  /// The absolute working directory.
  package let workingDirectory: [UInt8]
  /// The folder of the user's own configuration (`$XDG_CONFIG_HOME/slipbox`), where there is one.
  package let configurationFolder: [UInt8]?
  /// The value of `$SLIPBOX`.
  package let boxVariable: [UInt8]?
  /// The name of this device in commit trailers.
  package let device: String
  /// The source of new ids.
  package var random: any RandomNumberGenerator & Sendable
  /// Takes what the user should know although the command goes on.
  package let warn: (String) -> Void
  /// Starts the work on what is kept of a box that no command should wait for; by default nothing.
  package var startMaintenance: (_ box: [UInt8]) -> Void = { _ in }

  /// Takes how many of many notes are read, from any thread; by default nothing listens.
  package var reading: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }

  package init(
    clock: ClockReading, workingDirectory: [UInt8], configurationFolder: [UInt8]?, boxVariable: [UInt8]?,
    device: String, random: any RandomNumberGenerator & Sendable, warn: @escaping (String) -> Void
  ) {
    self.clock = clock
    self.workingDirectory = workingDirectory
    self.configurationFolder = configurationFolder
    self.boxVariable = boxVariable
    self.device = device
    self.random = random
    self.warn = warn
  }

  /// A new random note id.
  package mutating func newID() -> NoteID {
    var generator = AnyGenerator(base: random)
    let id = NoteID.random(using: &generator)
    random = generator.base
    return id
  }
}

/// Lets a generator that is known only at run time be handed to generic code.
private struct AnyGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable

  mutating func next() -> UInt64 { base.next() }
}
