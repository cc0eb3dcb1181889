/// The chapter on files.
extension HelpTopic {
  static let files = HelpTopic(
    name: "files", title: "Files and guarantees",
    summary: "how notes look on disk, and what slip does to them",
    text: #"""
      A note is a Markdown file with front-matter in YAML between lines of three
      dashes.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip new "Rye bread" +food minutes:60 -b "Begins with [[Sourdough]]."
        pvmnkdzt
        New note: Rye bread
        $ slip show "Rye bread" --raw
        ---
        id: pvmnkdzt
        title: Rye bread
        created: 2026-11-21T09:32:00+01:00
        tags: [food]
        minutes: 60
        ---
        Begins with [[Sourdough]].
        $ git ls-files
        .slipbox/config.yaml
        2026/11/rye-bread-pvmnkdzt.md

      id is eight letters, made by chance, and fixed for life. created is written
      once. When a note was changed last is not in the file: history knows it. title
      may be missing: then it is the heading that opens the text, else the name of
      the file. tags are there and as #tags in the text. Every other key
      is yours, and is kept as it is.

      Notes are files that end in .md or .markdown, wherever they are in the box,
      except hidden files, files in hidden folders and what git ignores. A name that
      begins with a dot is hidden. Files that notes link to belong to the box too.

      In .slipbox are the settings, kinds and templates, committed with the notes.
      Caches, locks, drafts and texts that could not be saved (recovered/) are in
      .git/slipbox. The next command rebuilds a missing cache.

      Promises
      A change of one field changes the lines of that field. Comments, order, quotes,
      line ends, a byte-order mark and a missing last newline stay.

        $ slip set "Rye bread" minutes:55 --dry-run
        diff --git a/2026/11/rye-bread-pvmnkdzt.md b/2026/11/rye-bread-pvmnkdzt.md
        index c586bf4..43c10e2 100644
        --- a/2026/11/rye-bread-pvmnkdzt.md
        +++ b/2026/11/rye-bread-pvmnkdzt.md
        @@ -3,6 +3,6 @@ id: pvmnkdzt
         title: Rye bread
         created: 2026-11-21T09:32:00+01:00
         tags: [food]
        -minutes: 60
        +minutes: 55
         ---
         Begins with [[Sourdough]].

      Front-matter that is not valid YAML is shown, found and never rewritten. So are
      notes between lines of +++.

      The next command reads the changes of editors, git and other tools.
      Changes of yours that are staged or not yet committed are never swept into a
      commit of slip's.

      A command that is killed, or a machine that loses power, leaves the old or the
      new state, and the next command goes on. Files are synced to the disk before
      the branch moves. After everything git fsck --strict finds nothing and git
      status is clean.

      Nothing in a box is run: no template, kind or setting of a clone.

      Without slip
      git log tells the story, git push is the backup, and any editor works. To leave
      is to stop: the files are as readable as before.

      """#)
}
