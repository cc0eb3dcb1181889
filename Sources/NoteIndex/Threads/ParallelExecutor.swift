/// Runs the work on each range of numbers, in parallel, and returns when all of it is done.
///
/// `concurrentMap` will do: `{ ranges, work in _ = concurrentMap(ranges, work) }`.
package typealias ParallelExecutor =
  @Sendable (_ ranges: [Range<Int>], _ work: @escaping @Sendable (Range<Int>) -> Void) -> Void
