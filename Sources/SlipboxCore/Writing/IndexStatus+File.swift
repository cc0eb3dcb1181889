import Git
import Platform

extension IndexTime {
  fileprivate init(_ time: FileTime?) {
    self.init(seconds: time?.seconds ?? 0, nanoseconds: Int64(time?.nanoseconds ?? 0))
  }
}

extension Repository.IndexStatus {
  /// The state of a file that does not exist (any more) is all zero: git looks at its bytes.
  init(_ status: FileStatus?) {
    self.init(
      modified: IndexTime(status?.modified), changed: IndexTime(status?.changed),
      device: status?.device ?? 0, inode: status?.inode ?? 0, mode: status?.mode ?? 0,
      owner: status?.owner ?? 0, group: status?.group ?? 0, size: status?.size ?? 0)
  }
}
