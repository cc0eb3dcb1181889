/// The topic on templates.
extension HelpTopic {
  static let templates = HelpTopic(
    name: "templates", title: "Templates", summary: "notes with places that are filled when a note is made",
    text: """
      A template is a note .slipbox/templates/NAME.md with places that are filled when
      a note is made of it. Nothing in it is executed.

        slip new "Monday's meeting" --template meeting

      Some are taken by themselves: KIND.md for slip new KIND, note.md for plain notes
      (--no-template leaves them out), daily.md for slip daily, inbox.md for the note
      of slip capture.

        ---
        tags: [meeting]
        with: "{{field:client}}"   # comments, quotes and order stay
        ---
        # {{title}}

        {{date:dddd, D MMMM YYYY}}, after [[{{date -7d}}]]

        {{selection}}

        {{title}}         the title
        {{id}}            the id of the new note
        {{date}}          the day as 2026-11-21: today, with slip daily its own day
        {{date:FORMAT}}   the day in another form
        {{date +1d}}      a day before or after, by d w m y; {{date -1d:FORMAT}} too
        {{time}}          the time as 09:30
        {{field:NAME}}    a field of the new note; a list with commas
        {{selection}}     the text of -b, also that of -b -; without it, the
                          text is added at the end

      FORMAT is made of YYYY YY, MMMM (November) MMM MM M, DD D, dddd (Monday) ddd, HH
      mm ss, Z (the offset), and of weeks by ISO 8601: GGGG (their year) WW. Write
      other letters in brackets: [week] WW. Names are English.

      \\{{ means {{. An unknown placeholder is an error, with file and
      line, and nothing is made.

      The front-matter of a template gives fields and tags. What is given on the
      command line beats it, and it beats the defaults of the kind; what follows from
      a field by its kind follows from one of a template too. A field whose value is
      empty when it is filled is left out. id, created, kind and the title that was
      given are always those of the new note; kind: is used if no kind was given.

      """)
}
