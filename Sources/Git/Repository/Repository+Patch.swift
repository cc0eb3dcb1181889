import Bytes
import CLibgit2

extension Repository {
  /// The change of one file as a patch that `git apply` takes; nil stands for no file.
  ///
  /// Wraps `git_patch_from_buffers`.
  package func patch(path: [UInt8], before: [UInt8]?, after: [UInt8]?) throws(GitError) -> [UInt8] {
    try GitLibrary.start()
    var options = git_diff_options()
    try GitLibrary.check(git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), "make a patch")
    options.flags |= GIT_DIFF_SHOW_BINARY.rawValue
    // A patch refers to the buffers it was made from, so it is printed while they are lent.
    let (status, bytes) = GitLibrary.buffer { printed in
      path.withCPath { name in
        Self.lending(before) { old, oldCount in
          Self.lending(after) { new, newCount in
            var patch: OpaquePointer?
            let made = git_patch_from_buffers(&patch, old, oldCount, name, new, newCount, name, &options)
            defer { git_patch_free(patch) }
            return made < 0 ? made : git_patch_to_buf(printed, patch)
          }
        }
      }
    }
    try GitLibrary.check(status, "make a patch")
    return bytes
  }

  /// Lends bytes with their count, an empty file as a pointer to no bytes, no file as no pointer.
  private static func lending(
    _ bytes: [UInt8]?, _ body: (UnsafeRawPointer?, Int) -> Int32
  ) -> Int32 {
    guard let bytes else { return body(nil, 0) }
    return (bytes + [0]).withUnsafeBytes { body($0.baseAddress, bytes.count) }
  }
}
