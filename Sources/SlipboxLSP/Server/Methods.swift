/// The requests that the server answers.
enum Methods {
  static let handlers: [String: MethodHandler] = [completing, showing, finding].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  /// What may stand in the place of what is typed.
  static let completing: [String: MethodHandler] = [
    "textDocument/completion": MethodHandler { (params: PlaceParams, request) in
      try Completion(request, params).list()
    }
  ]
}
