/// Takes in the words of documents, for one index together with the builders of other threads.
///
/// Used by one thread at a time.
package final class TextIndexBuilder {
  private let scanner = WordScanner()
  private let intake = WordIntake()

  package init() {}

  /// Starts a document, which comes after all that the builder has had.
  package func begin(_ document: Int) {
    precondition(
      document >= intake.nextDocument && document < IndexLayout.mostDocuments, "documents come in order")
    intake.begin(UInt32(document))
  }

  /// Adds one text of the document, through which no phrase reaches into another.
  ///
  /// - Complexity: O(n).
  package func add(_ text: UnsafeRawBufferPointer, to field: TextField) {
    intake.beginText(of: field)
    var receiver = intake
    scanner.scan(text, &receiver)
    intake.endText()
  }

  /// Adds one text of the document.
  package func add(_ text: ArraySlice<UInt8>, to field: TextField) {
    text.withUnsafeBytes { add($0, to: field) }
  }

  /// Adds one text of the document.
  package func add(_ text: String, to field: TextField) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0), to: field) }
  }

  /// The number after the last document.
  var nextDocument: Int { intake.nextDocument }

  /// The terms with all their postings.
  var table: TermTable {
    intake.empty()
    return intake.table
  }

  var lengths: [DocumentLengths] { intake.lengths }
}
