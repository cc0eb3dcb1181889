#include <git2.h>
#include <zlib.h>
#include <git2/sys/filter.h>
#include <git2/sys/repository.h>

/// Makes libgit2 fsync objects, refs and their folders (GIT_OPT_ENABLE_FSYNC_GITDIR); the option call is
/// variadic.
static inline int slipbox_git_enable_fsync(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, enabled);
}

/// Switches libgit2's check of a repository's owner (GIT_OPT_SET_OWNER_VALIDATION); the option call is
/// variadic.
static inline int slipbox_git_validate_owner(int enabled) {
  return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, enabled);
}

/// Switches libgit2's check that an object that was read has the name it was asked by
/// (GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION); the option call is variadic.
static inline int slipbox_git_verify_hashes(int enabled) {
  return git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, enabled);
}

/// Has libgit2 open repositories with these two extensions, which it would refuse (GIT_OPT_SET_EXTENSIONS).
/// The first moves some settings to a file of the work tree, the second only forbids to delete objects.
/// The option call is variadic.
static inline int slipbox_git_accept_extensions(void) {
  const char *names[] = {"worktreeconfig", "preciousobjects"};
  return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, (size_t)2);
}
