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
    let patch = try Handle("make a patch", free: git_patch_free) { made in
      path.withCPath { name in
        Self.lending(before) { old, oldCount in
          Self.lending(after) { new, newCount in
            git_patch_from_buffers(made, old, oldCount, name, new, newCount, name, &options)
          }
        }
      }
    }
    let (status, bytes) = GitLibrary.buffer { git_patch_to_buf($0, patch.pointer) }
    try GitLibrary.check(status, "print a patch")
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
