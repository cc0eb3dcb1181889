/// The requests that the server answers.
enum Methods {
  static let handlers: [String: MethodHandler] = [
    "textDocument/completion": MethodHandler { (params: PlaceParams, request) in
      try Completion(request, params).list()
    }
  ]
}
