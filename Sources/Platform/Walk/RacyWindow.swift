import Glibc

/// The moment from which files were looked at, and how finely their file system tells times apart.
///
/// A file that is written twice within the grain of the clock has the same time after both: whoever looked in
/// between would take the second state for the first. A time is therefore racy when a later change could
/// still carry it.
///
/// Linux stamps files with the clock of its last tick. The same clock is read here, before anything is looked
/// at: however late a tick comes, no later change bears an earlier time than this moment.
package struct RacyWindow: Sendable, Equatable {
  /// The system's clock before the first look, in nanoseconds since 1970.
  package let moment: Int64
  /// The distance from the moment, in nanoseconds, at which times can be relied on.
  package let grain: Int64

  package init(moment: Int64, grain: Int64) {
    self.moment = moment
    self.grain = grain
  }

  /// The present moment, for files on a local file system or another.
  init(isLocal: Bool) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    self.init(moment: nanosecondsSince1970(time), grain: isLocal ? Self.grain : Self.grainElsewhere)
  }

  /// Five times the longest tick, against slow writers and small steps of the clock.
  private static let grain: Int64 = 50_000_000
  /// The times are another machine's, or cut to two seconds.
  private static let grainElsewhere: Int64 = 2_500_000_000

  /// The same moment for files that are not on a local file system, or not known to be.
  var elsewhere: RacyWindow { RacyWindow(moment: moment, grain: max(grain, Self.grainElsewhere)) }

  /// Whether a later change could carry the same times.
  package func isRacy(_ stamp: FileStamp) -> Bool { isRacy(stamp.modified) || isRacy(stamp.changed) }

  /// Whether a later change could carry the same time; so could one of any time that lies in the future.
  func isRacy(_ time: Int64) -> Bool {
    // A whole second may be all that the file system keeps: then the time is anywhere within it.
    let slack = time % 1_000_000_000 == 0 ? grain + 999_999_999 : grain
    return time >= moment - slack
  }
}
