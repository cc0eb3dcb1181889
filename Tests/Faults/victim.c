/* A small program for the self-test of shim.c: it writes FOLDER/note in the way that its second argument names.
 *
 *   safe       temporary file, fsync, rename, fsync of the folder              5 calls
 *   unsynced   the same without the first fsync                                4 calls
 *   nofolder   the same without the second fsync                               4 calls
 *   exchange   as safe, but exchanges the names and removes the old file       7 calls
 *   inplace    writes over the file and does not sync it                       2 calls
 *   tree       makes FOLDER/sub, a file and a link in it; syncs only the file   5 calls
 *   remove     removes the file                                                1 call
 *   child      runs itself with `safe`                                         5 calls, of a child
 *   outside    writes to a file outside                                        0 calls
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char text[] = "new text of the note\n";

static void check(int ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(74);
}

static void put(const char *path, int flags, int sync)
{
    int file = open(path, O_WRONLY | O_CREAT | flags, 0644);
    check(file >= 0, "open");
    for (size_t done = 0; done < sizeof text - 1;) {
        ssize_t n = write(file, text + done, sizeof text - 1 - done);
        check(n > 0, "write");
        done += n;
    }
    if (sync) check(fsync(file) == 0, "fsync");
    close(file);
}

static void sync_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY);
    check(fsync(folder) == 0, "fsync folder");
    close(folder);
}

int main(int count, char **arguments)
{
    if (count < 3) return 64;
    const char *way = arguments[2];
    char tmp[512], note[512];
    snprintf(tmp, sizeof tmp, "%s/note.tmp", arguments[1]);
    snprintf(note, sizeof note, "%s/note", arguments[1]);
    if (!strcmp(way, "child")) {
        int status;
        if (!fork()) execl("/proc/self/exe", arguments[0], arguments[1], "safe", (char *)0);
        wait(&status);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    if (!strcmp(way, "remove")) return unlink(note) ? 74 : 0;
    if (!strcmp(way, "inplace")) { put(note, O_TRUNC, 0); return 0; }
    if (!strcmp(way, "outside")) { put("/dev/null", 0, 0); return 0; }
    if (!strcmp(way, "tree")) {
        check(chdir(arguments[1]) == 0 && mkdir("sub", 0755) == 0, "mkdir");
        put("sub/file", 0, 1);
        check(link("sub/file", "sub/link") == 0, "link");
        return 0;
    }
    put(tmp, O_EXCL, strcmp(way, "unsynced") != 0);
    if (!strcmp(way, "exchange")) check(renameat2(AT_FDCWD, tmp, AT_FDCWD, note, RENAME_EXCHANGE) == 0, "exchange");
    else check(rename(tmp, note) == 0, "rename");
    if (strcmp(way, "nofolder")) sync_folder(arguments[1]);
    if (!strcmp(way, "exchange")) { check(unlink(tmp) == 0, "unlink"); sync_folder(arguments[1]); }
    return 0;
}
