extension HelpTopic {
  static let query = HelpTopic(
    name: "query", title: "Queries", summary: "the language by which notes are found and chosen",
    text: """
      Queries, the same for slip list, slip search, --where and filters. Each
      argument is a term; all must fit. Case and accents never matter.

      Words
        ferment                     in title, tags, fields and text
        "second rise"               a phrase
        'ferment*'                  the beginning of a word
        title:bread  body:bread     in one of them

      Fields
        author:tolkien              the word in a field of the front-matter, whichever
                                    it is; 'author:le*guin' with a gap
        status:=open                exactly this
        status:open,closed          either
        rating:                     empty or absent; has:rating is the contrary
        rating:4..  rating:2..4     ranges, both ends whole; dates, numbers, else text
        priority:medium..high       choices in the order that their kind declares

      Names and dates
        +food  -food  tag:food      has a tag or a nested one (work finds
                                    work/clients); does not have it
        kind:book  id:kqz           of a kind; by the beginning of its id
        path:2026/11/               in a folder; 'path:*draft*' by a pattern
        created:2026-11  modified:7d  due:..yesterday   see slip help dates
        links:kqzmvtrp              links to that note; linked-by:kqzmvtrp is what
                                    that note links to
        links:                      no link to another note; has:links is any
        is:active                   not closed, finished or completed, and not put off
                                    to a later day, which is is:waiting
        is:blocked                  depends on something open; is:blocking is what
                                    something open depends on
        is:orphan                   no note links to it; is:untitled, is:conflicted
        @overdue                    a filter: slip filter lists them

      Together
        +food -done                 side by side: both
        +food OR +drink             either; OR beside other terms needs parentheses:
                                    (+food OR +drink) bread
        NOT bread                   without; AND, OR and NOT in capitals
        sort:-modified,title        the order, - for descending; slip search ranks
                                    without it; -urgency is what presses first
        limit:20                    no more than these

      In quotes, for the shell reads < and > itself
        'rating:>=4'  'rating >= 4'   greater and less: < <= > >=
        'author = Le Guin'          exactly, like author:=

      To search for special text, quote it twice: '"OR"', '"rating:4"',
      '"@home"'. So are 12:30, https://x and std::y without any.

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
                  where every box or a kind has a field of that name
        value   = text | text ".." text | text ".." | ".." text
        text    = letters without blanks, * for any of them
                | '"' anything '"', \\ before " and \\
        name    = a letter, then letters, digits, _ - and . | '"' anything '"'
      A value goes on after a blank as long as the words make one that the field
      can have, or that a record or a note has: 'due:next week', 'NOT group:The
      south wall'. Quotes inside settle it: 'author:"Le Guin" dune'.

      """)
}
