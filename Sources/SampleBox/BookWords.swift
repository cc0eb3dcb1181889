/// The words of the invented books of a sample box, and of the remarks about all of them.
enum BookWords {
  /// A genre of books, with patterns for titles and summaries.
  struct Genre: Sendable {
    let tag: String
    let titles: [String]
    let summaries: [String]
  }

  static let genres = [
    Genre(
      tag: "novel",
      titles: [
        "The {person} of {place}", "{Season} in {place}", "What the {person} Knew",
        "What the {person} Told the {person2}", "The {person} Who Left {place}",
        "The {person} and the {person2}",
      ],
      summaries: [
        "A {person} comes back to {place} after {count} years and finds the house let to strangers.",
        "One {season} in {place}, told by a {person} who was not there.",
        "A {person} and a {person2} share a train compartment to {place} and, without wanting to, a secret.",
      ]),
    Genre(
      tag: "history",
      titles: [
        "A Short History of {subject}", "{Subject} in the Age of {age}", "How {subject} Came to {place}",
        "{Subject} on the Road to {place}", "A Short History of {subject} in {place}",
      ],
      summaries: [
        "How {subject} changed {place}, told from account books and court files.",
        "Argues that {subject} mattered more in those years than kings did.",
        "The story of {subject} in {count} chapters, each about one object in a museum in {place}.",
      ]),
    Genre(
      tag: "nature",
      titles: [
        "The Secret Life of {creature}", "Notes on {creature}", "Notes on the {creature} of {place}",
        "{Creature} and {subject}", "{Creature} and Their {season}",
        "One {season} with {creature}",
      ],
      summaries: [
        "A year spent watching {creature} near {place}, in all weathers.",
        "Everything that is known about {creature}, and a good deal that is not.",
        "Begins with {creature} and ends with what is left of the hedges around {place}.",
      ]),
    Genre(
      tag: "crime",
      titles: [
        "Death of the {person}", "The {person}'s Last Evening in {place}",
        "The {person} on the Night Train to {place}", "The {place} Ledger", "The {person} Is Missing",
        "Murder in {place}, in {season}",
      ],
      summaries: [
        "A {person} is found in the harbour of {place}, and the {person2} who finds the body says nothing for {count} days.",
        "The police in {place} have a suspect; the {person2} who cleans their offices has a better one.",
        "An old case in {place} is opened again because a {person2} can't let it rest.",
      ]),
    Genre(
      tag: "craft",
      titles: [
        "{Trade} for Patient People", "The {trade} Handbook", "{Trade} by Hand", "{Trade} in {place}",
        "{Trade} and {subject}", "The {place} School of {trade}", "Learning {trade} Late",
      ],
      summaries: [
        "A course in {count} lessons, with every mistake that a beginner in {trade} can make.",
        "Somebody who took up {trade} at fifty says what should have been said at the start.",
        "Half a handbook of {trade}, half a portrait of the workshop in {place} where it was learnt.",
      ]),
  ]

  static let people = [
    "Lighthouse Keeper", "Cartographer", "Piano Tuner", "Ferryman", "Schoolteacher", "Clockmaker",
    "Translator",
    "Beekeeper", "Night Porter", "Librarian", "Signalwoman", "Glassblower", "Bookbinder", "Surveyor",
  ]
  static let places = [
    "Trieste", "Aberdeen", "Gdynia", "Valparaíso", "Tromsø", "Lisbon", "Odessa", "Galway", "Bergen", "Riga",
    "Salonica", "Cádiz", "Halifax", "Nagasaki",
  ]
  static let seasons = ["Spring", "Summer", "Autumn", "Winter"]
  static let ages = ["Steam", "Sail", "Paper", "Empire", "the Telegraph", "Salt"]
  static let subjects = [
    "Salt", "Bookbinding", "Bread", "Clocks", "Weaving", "Maps", "Glass", "Timber", "Ink", "Bells", "Lamps",
    "Letters",
    "Pottery", "Bridges",
  ]
  static let trades = [
    "Bookbinding", "Weaving", "Pottery", "Joinery", "Lettering", "Basketry", "Dyeing", "Letterpress",
    "Grafting", "Baking",
  ]
  static let creatures = [
    "Swifts", "Moths", "Eels", "Hares", "Owls", "Mosses", "Herons", "Otters", "Bumblebees", "Crows", "Ferns",
    "Newts",
    "Oysters", "Lichens",
  ]

  static let firstNames = [
    "Clara", "Edmund", "Ingrid", "Jakub", "Maud", "Nikos", "Oskar", "Petra", "Rosalind", "Stefan", "Tove",
    "Ursula",
    "Victor", "Wanda", "Yusuf", "Zoë", "Agnes", "Bertil", "Dorota", "Emil",
  ]
  static let lastNames = [
    "Adeyemi", "Bergström", "Carrow", "Dahlgren", "Ellery", "Farkas", "Grzelak", "Hallam", "Ibsley", "Jansky",
    "Kowalczuk", "Lindqvist", "Marchetti", "Nakamura", "Oduya", "Pellew", "Quarrie", "Rosenbaum", "Sandoval",
    "Thorne",
    "Ueda", "Vasquez", "Whitcombe", "Yarrow",
  ]

  static let shelved = [
    "{name} recommended it.", "Bought second-hand, with somebody else's pencil in the margins.",
    "A present, and still unread.", "For the next long train journey.", "The first pages are good.",
    "Waits for the winter.", "Mentioned in three other books by now.", "Lent to {name}, and come back again.",
  ]
  static let underWay = [
    "At chapter {count}, and it gets better.", "Slow going, ten pages an evening.",
    "I mark more sentences than I can copy out.", "The first third is mostly preparation.",
    "{name} is reading it too, so no spoilers.", "Put aside for a while and taken up again.",
  ]
  static let praise = [
    "One of the best of the year.", "The last fifty pages are perfect.", "I will read it again.",
    "Gave a copy to {name}.", "Not a word too many.", "It changed how I look at the thing it describes.",
  ]
  static let doubts = [
    "Good in parts.", "The beginning is stronger than the end.", "Could have been half as long.",
    "Worth it for chapter {count} alone.", "I liked the people more than the plot.",
    "Better on the second evening than on the first.",
  ]
  static let complaints = [
    "I finished it out of stubbornness.", "Everybody in it talks alike.",
    "It repeats itself from page {count}0 on.",
    "The idea would have made a good essay.", "Given away afterwards.", "Not for me, but {name} loves it.",
  ]
}

/// Books in the public domain, with their summaries.
struct ClassicBook: Sendable {
  let title: String
  let author: String
  let tag: String
  let summary: String

  private init(_ title: String, _ author: String, _ tag: String, _ summary: String) {
    self.title = title
    self.author = author
    self.tag = tag
    self.summary = summary
  }

  static let all = [
    ClassicBook(
      "Middlemarch", "George Eliot", "novel",
      "A provincial town and the marriages that people in it make by mistake."),
    ClassicBook(
      "Moby-Dick", "Herman Melville", "novel",
      "A captain hunts the whale that took his leg, and the book hunts everything else about whales."),
    ClassicBook(
      "Walden", "Henry David Thoreau", "nature",
      "Two years in a hut by a pond, with accounts kept to the half cent."),
    ClassicBook(
      "The Moonstone", "Wilkie Collins", "crime",
      "A diamond is stolen at a birthday party and every witness tells it differently."),
    ClassicBook(
      "Emma", "Jane Austen", "novel",
      "A clever young woman arranges the lives of others and misreads all of them, her own first."),
    ClassicBook(
      "Persuasion", "Jane Austen", "novel",
      "Eight years after she was talked out of it, a woman meets the man she did not marry."),
    ClassicBook(
      "Frankenstein", "Mary Shelley", "gothic", "A student makes a living being and runs away from it."),
    ClassicBook(
      "Dracula", "Bram Stoker", "gothic",
      "Letters and diaries of people who put together too slowly what their guest is."),
    ClassicBook(
      "The Time Machine", "H. G. Wells", "science-fiction",
      "A traveller finds that comfort has divided mankind in two."),
    ClassicBook(
      "Bleak House", "Charles Dickens", "novel", "A lawsuit that has outlived everybody who understood it."),
    ClassicBook(
      "Great Expectations", "Charles Dickens", "novel",
      "A boy from the marshes comes into money and is wrong about where it came from."),
    ClassicBook(
      "Jane Eyre", "Charlotte Brontë", "novel",
      "A governess who does not let herself be pitied, and a house with a locked floor."),
    ClassicBook(
      "Wuthering Heights", "Emily Brontë", "gothic",
      "Two houses on a moor and a love that does damage for two generations."),
    ClassicBook(
      "Anna Karenina", "Leo Tolstoy", "novel",
      "One marriage ends and another begins, with a lot of haymaking between them."),
    ClassicBook(
      "Fathers and Sons", "Ivan Turgenev", "novel",
      "A student who believes in nothing visits people who believe in a little."),
    ClassicBook(
      "Crime and Punishment", "Fyodor Dostoevsky", "crime",
      "A poor student kills, and his own thoughts find him before the police do."),
    ClassicBook(
      "Madame Bovary", "Gustave Flaubert", "novel", "A country doctor's wife wants life to be like her books."
    ),
    ClassicBook(
      "Effi Briest", "Theodor Fontane", "novel",
      "A girl is married too young, and an old packet of letters is found too late."),
    ClassicBook(
      "The Doll", "Bolesław Prus", "novel",
      "A merchant in Warsaw falls for an aristocrat who does not look at merchants."),
    ClassicBook(
      "Lord Jim", "Joseph Conrad", "sea", "One jump from a ship, and a life spent on the far side of it."),
    ClassicBook(
      "Typhoon", "Joseph Conrad", "sea",
      "A captain without imagination steers straight into the storm, which may be why he comes out."),
    ClassicBook(
      "Three Men in a Boat", "Jerome K. Jerome", "travel",
      "A holiday on the Thames in which nothing goes right and nobody minds."),
    ClassicBook(
      "A Tramp Abroad", "Mark Twain", "travel", "A walking tour of Europe that is done mostly by train."),
    ClassicBook(
      "The Voyage of the Beagle", "Charles Darwin", "nature",
      "Five years of looking closely, before it was clear what all of it meant."),
    ClassicBook(
      "The Natural History of Selborne", "Gilbert White", "nature",
      "A parson watches swallows, worms and a tortoise for twenty years."),
    ClassicBook(
      "Meditations", "Marcus Aurelius", "philosophy",
      "Notes of an emperor to himself, which he never meant to be read."),
    ClassicBook(
      "Letters from a Stoic", "Seneca", "philosophy",
      "Short letters about time, crowds and travel, none of which help if you bring yourself along."),
    ClassicBook(
      "Essays", "Michel de Montaigne", "essays",
      "A man asks what he knows and finds the question more useful than the answers."),
    ClassicBook(
      "Cranford", "Elizabeth Gaskell", "novel",
      "A small town of ladies who save candles and keep up appearances, kindly told."),
    ClassicBook(
      "The Wind in the Willows", "Kenneth Grahame", "children",
      "A mole leaves his spring cleaning and discovers the river."),
  ]
}
