import Glibc

/// The memory of another process.
enum ProcessMemory {
  /// The largest that was resident, in bytes; 0 where the system does not tell.
  static func peakBytes(of process: pid_t) -> Int {
    let status = (try? TextFile.read("/proc/\(process)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1_024
  }
}
