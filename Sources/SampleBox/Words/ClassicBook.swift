/// Books that are in the public domain, with what they are about.
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
