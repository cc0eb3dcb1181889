extension HelpTopic {
  static let query = HelpTopic(
    name: "query", title: "Queries", summary: "the language that selects notes",
    text: """
      Queries, the same for slip list, slip search, --where and filters. Each
      argument is a term; a note must match all of them. Case and accents never
      matter.

      Words
        ferment                     in title, tags, fields and text
        "second rise"               a phrase
        'ferment*'                  the beginning of a word
        title:bread  body:bread     in one of them

      Fields
        author:tolkien              the word in that field, which can be any field
                                    of the front matter; * is any text: 'author:le*'
        status:=open                exactly this
        status:open,closed          either
        rating:                     empty or absent; has:rating is the opposite
        rating:4..  rating:2..4     ranges including their ends: dates, numbers, texts
        priority:medium..high       choices in the order that their kind declares

      Names and dates
        +food  -food  tag:food      has a tag or a nested one (work finds
                                    work/clients); does not have it
        kind:book  id:kqz           of a kind; by the beginning of its id
        path:2026/11/               in a folder; 'path:*draft*' by a pattern
        created:2026-11  modified:7d  due:..yesterday   see slip help dates
        links:kqzmvtrp              links to that note; linked-by:kqzmvtrp: that note
                                    links to it
        links:                      no link to another note; has:links is the opposite
        is:active                   not closed, finished, completed or waiting;
                                    is:waiting: put off to a later day
        is:blocked                  depends on an open record; is:blocking: an open
                                    record depends on it
        is:orphan                   no note links to it; is:untitled, is:conflicted
        is:todo                     has an open check box
        todo:milk  todo:"two eggs"  has an open box with the word or phrase
        todo:#home                  has an open box with the tag in its text
        todo-due:..today            has an open box with a date in the range
        todo-due:                   has an open box without a date
        @overdue                    a saved filter: slip filter lists them,
                                    slip filter save NAME QUERY saves one

      Together
        +food -done                 side by side: both
        +food OR +drink             either; OR beside other terms needs parentheses:
                                    (+food OR +drink) bread
        NOT bread                   without; AND, OR and NOT in capitals
        sort:-modified,title        the order, - for descending; slip search ranks if
                                    it is missing; -urgency: the most urgent first
        limit:20                    at most 20 notes

      Comparisons, in quotes because the shell interprets < and >
        'rating:>=4'  'rating >= 4'   greater and less: < <= > >=
        'author = Le Guin'          exactly, like author:=

      To search for special text, quote it twice: '"OR"', '"rating:4"',
      '"@home"'. 12:30, https://x and std::y are searched as text without quotes.

      Examples
        slip list +food created:2026-03..2026-05
        slip list '(+food OR +drink) NOT has:rating'
        slip search '"second rise"' -done
        slip list 'rating:>=4' sort:-rating
        slip list kind:task is:active due:..eow sort:due,-priority
        slip list author:tolkien,guin path:2026/ limit:10
        slip list 'created >= 2026-11-01' 'NOT (status:closed OR +later)'

      Grammar
        query   = operand { ["AND"] operand } | operand { "OR" operand }
        operand = { "NOT" } ( term | "(" query ")" )
        term    = text | ("+" | "-") text | "@" name | field
        field   = name ":" [ value { "," value } ]
                | name ":" ( "=" | "<" | "<=" | ">" | ">=" ) text
                | name ( "=" | "<" | "<=" | ">" | ">=" ) text
                  if name is a field of every box or of a kind
        value   = text | text ".." text | text ".." | ".." text
        text    = characters without spaces; * matches any text
                | '"' anything '"', \\ before " and \\
        name    = a letter, then letters, digits, _ - and . | '"' anything '"'
      An unquoted value may contain spaces inside one argument of the shell, if the
      words are a value of the field or a title: 'due:next week', 'NOT group:The south
      wall'. Quotes make it explicit: 'author:"Le Guin" dune'.

      """)
}

/// The chapter on scripts.
extension HelpTopic {
  static let scripting = HelpTopic(
    name: "scripting", title: "Scripts", summary: "output for programs, exit codes, many notes at once",
    text: #"""
      Results go to standard output, messages to standard error. On a terminal rows
      are laid out for people; in a pipe they are plain, with tabs, and do not
      change.

        $ slip init
        ~/notes is a box now
        next: slip new "A first thought"
        $ slip new "Rye bread" +food -b "Flour, water, salt."
        pvmnkdzt
        New note: Rye bread
        $ slip new task "Feed the starter" due:2026-12-01 +food
        dhkqccwv
        New task: Feed the starter
        $ slip list +food | cat
        dhkqccwv	task	2026-11-21T09:33:00+01:00	Feed the starter	food
        pvmnkdzt	note	2026-11-21T09:32:00+01:00	Rye bread	food
        $ slip list kind:task --jsonl | fold -w 72
        {"id":"dhkqccwv","path":"2026/11/feed-the-starter-dhkqccwv.md","title":"
        Feed the starter","kind":"task","created":"2026-11-21T09:33:00+01:00","m
        odified":"2026-11-21T09:33:00+01:00","tags":["food"],"fields":{"priority
        ":"none","done":false,"due":"2026-12-01"},"urgency":2.8}
        $ slip list --format "{title} ({created})" sort:title
        Feed the starter (2026-11-21T09:33:00+01:00)
        Rye bread (2026-11-21T09:32:00+01:00)

      --json is one object with "schema": 2, --jsonl one object a line, --csv a table,
      --paths the files, --count the number; -0 ends names with NUL. The schema number
      changes if the meaning of the output changes. Until version 1.0, --schema 1
      prints fields that no kind declares as strings. --with body,links adds data that
      is not in the front matter.

      Chains
      A command that takes REFs reads them from standard input if you write -: the
      first column of each line. So a change can use the output of a list. --where
      QUERY selects notes without a pipe.

        $ slip list kind:task | slip set - +soon --yes
        Add tag soon: Feed the starter
        $ slip set --where +food rating:3 --expect 2 --yes
        Set rating 3: 2 notes
        slip undo reverses it

      Changes of notes that were not named one by one need a confirmation on a
      terminal, or --yes. --expect N fails if the number differs, --dry-run prints a
      patch for git apply. A text of several lines comes from standard input: -b -,
      --body -, slip append NOTE.

      Exit codes

        0    done, including empty lists and changes without effect
        1    nothing found, by slip search and the commands about links, headings
             and check boxes; with slip bake --check: a block is out of date
        64   wrong usage: an option, a query or a date that slip can't read
        65   wrong data: a value that is not allowed, an ambiguous name, broken YAML
        66   no such note, no box
        69   the remote of a sync can't be reached
        70   a bug in slip
        73   a file can't be created
        74   reading or writing failed
        75   temporary failure: a lock, a merge in progress; try again later
        77   permission denied
        78   broken configuration: settings, a kind or the repository
        130  Ctrl-C, or nothing was chosen

      If a text was saved but not committed, it is in its file. The next command
      commits it, unless a hook refused it (exit 77).

      Programs of your own
      slip NAME runs slip-NAME from your PATH if slip has no command with that name.
      It gets the remaining arguments, and SLIPBOX, the path of the box. Programs
      inside a box are never run.

      Environment
      SLIPBOX names a box, NO_COLOR turns colour off, VISUAL and EDITOR name the
      editor, PAGER the pager. slip uses git's variables for author and committer,
      such as GIT_AUTHOR_NAME, and the settings of GIT_CONFIG_COUNT and git -c. It
      ignores those that select a repository, such as GIT_DIR.

      """#)
}
