import Bytes
import Notes
import Platform
import SlipboxCore
import Synchronization

/// What one request is answered from: the open documents and boxes when it came, and the client.
struct Request: Sendable {
  let documents: Documents
  let boxes: Boxes
  let client: Client
  private let isCancelled: CancellationFlag

  init(_ documents: Documents, _ boxes: Boxes, _ client: Client, _ isCancelled: CancellationFlag) {
    self.documents = documents
    self.boxes = boxes
    self.client = client
    self.isCancelled = isCancelled
  }

  /// - Throws: `requestCancelled` if the client does not want the answer any more.
  func checkCancelled() throws(ResponseError) {
    if isCancelled.isSet { throw ResponseError(.requestCancelled, "cancelled") }
  }

  /// A document that is open, with the box and the path that it has in it.
  ///
  /// - Throws: `invalidParams` if none of this address is open.
  func place(_ uri: String) throws -> DocumentPlace {
    guard let document = documents[uri] else {
      throw ResponseError(.invalidParams, "\(uri) is not open")
    }
    return try place(of: document)
  }

  func place(of document: OpenDocument) throws -> DocumentPlace {
    guard let path = document.path, let (box, relative) = boxes.box(of: path) else {
      return DocumentPlace(
        document: document, path: document.path.map { BytePath.name(of: $0) } ?? [], box: nil)
    }
    return DocumentPlace(document: document, path: relative, box: try view(of: box))
  }

  /// A box with the open documents laid over it.
  func view(of box: OpenBox) throws -> BoxView { try boxes.view(of: box, documents) }

  /// The boxes of the client's folders and open documents.
  func views() throws -> [BoxView] { try boxes.all.map { try view(of: $0) } }
}

/// An open document, with the box and the path that it has in it.
struct DocumentPlace: Sendable {
  let document: OpenDocument
  /// The path in the box; the name of the file if there is no box.
  let path: [UInt8]
  /// Nil for a file that is in no box, or no note of one.
  let box: BoxView?

  /// The document as a note, which is made of its text.
  var note: Note { document.note(at: path) }

  /// The text of the document.
  var text: NoteText { note.wholeText }
}

/// Whether a request was taken back.
final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
