package import Notes
import Synchronization

/// Makes random ids of notes and operations, on any thread.
package final class IDSource: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  /// - Parameter generator: where the letters come from.
  package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

  /// A new random note id.
  package func noteID() -> NoteID {
    generator.withLock { generator in
      var any = AnyGenerator(base: generator)
      let id = NoteID.random(using: &any)
      generator = any.base
      return id
    }
  }

  /// A random number, such as the seed of samples.
  package func number() -> UInt64 { generator.withLock { $0.next() } }

  /// A new random id of an operation.
  func operationID() -> OperationID { OperationID(noteID(), noteID()) }
}

/// Lets a generator that is known only at run time be handed to generic code.
private struct AnyGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable

  mutating func next() -> UInt64 { base.next() }
}
