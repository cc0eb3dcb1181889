import Notes
import SlipboxTesting
import Testing

@Suite struct NoteIDTests {
  @Test(arguments: ["kqzmvtrp", "bbbbbbbb", "zzzzzzzz"])
  func readsAndWrites(text: String) {
    #expect(NoteID(text)?.description == text)
  }

  @Test(arguments: [
    "", "kqzmvtr", "kqzmvtrpp", "Kqzmvtrp", "kqzmvtra", "kqzmvtry", "kqzmvtr1", " kqzmvtrp", "kqzmvtrp\n",
    "kqzmvtré",
  ])
  func refusesOtherTexts(text: String) {
    #expect(NoteID(text) == nil)
  }

  @Test func randomIDsAreValidDifferentAndDependOnTheGeneratorAlone() {
    var generator = SplitMix64(seed: 1)
    let ids = (0..<5000).map { _ in NoteID.random(using: &generator) }
    #expect(Set(ids).count == 5000)
    #expect(ids.allSatisfy { NoteID($0.description) == $0 && $0.bytes.count == NoteID.length })
    #expect(Set(ids.flatMap { $0.description }).count == NoteID.alphabet.count)
    var again = SplitMix64(seed: 1)
    #expect(NoteID.random(using: &again) == ids[0])
  }

  @Test func numbersKeepTheOrderOfTheTexts() {
    #expect(NoteID(number: 0).description == "bbbbbbbb")
    #expect(NoteID(number: 1).description == "bbbbbbbc")
    #expect(NoteID(number: NoteID.count - 1).description == "zzzzzzzz")
    #expect(NoteID(number: NoteID.count) == NoteID(number: 0))
    var generator = SplitMix64(seed: 2)
    for _ in 0..<1000 {
      let numbers = (0..<2).map { _ in UInt64.random(in: 0..<NoteID.count, using: &generator) }
      let ids = numbers.map { NoteID(number: $0) }
      #expect((ids[0] < ids[1]) == (numbers[0] < numbers[1]))
      #expect((ids[0].description < ids[1].description) == (numbers[0] < numbers[1]))
    }
  }
}
