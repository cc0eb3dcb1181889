internal import CArguments
import Glibc

/// The arguments that the process was started with.
package enum ProcessArguments {
  /// The arguments as bytes, the name of the program first.
  ///
  /// They come from the entry point of the C library. `CommandLine` finds none if a preloaded library has called
  /// `setenv` before the program began.
  package static var bytes: [[UInt8]] {
    guard let arguments = slipbox_arguments() else {
      return bytes(CommandLine.unsafeArgv, count: CommandLine.argc)
    }
    return bytes(arguments, count: slipbox_argument_count())
  }

  private static func bytes(
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int32
  ) -> [[UInt8]] {
    (0..<Int(count)).compactMap { index in
      arguments[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}
