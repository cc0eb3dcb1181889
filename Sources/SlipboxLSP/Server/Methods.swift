/// The requests that the server answers.
enum Methods {
  static let handlers: [String: MethodHandler] = [completing, showing, finding].reduce(into: [:]) {
    $0.merge($1) { first, _ in first }
  }

  /// What may stand in the place of what is typed.
  static let completing: [String: MethodHandler] = [
    "textDocument/completion": MethodHandler { (params: PlaceParams, request) in
      try Completion(request, params).list()
    },
    "textDocument/prepareRename": MethodHandler { (params: PlaceParams, request) in
      try NameChanges.prepare(params, request)
    },
    "textDocument/codeAction": MethodHandler { (params: CodeActionParams, request) in
      try CodeActions.list(params, request)
    },
    "codeAction/resolve": MethodHandler(.changing) { (params: ChosenAction, request) in
      try CodeActions.resolve(params, request)
    },
    "textDocument/rename": MethodHandler(.changing) { (params: RenameParams, request) in
      try NameChanges.rename(params, request)
    },
    "workspace/willRenameFiles": MethodHandler(.changing) { (params: RenameFilesParams, request) in
      try FileRenaming.edit(params, request)
    },
    "workspace/executeCommand": MethodHandler(.changing) { (params: ExecuteParams, request) in
      try CommandRun.answer(params, request)
    },
  ]
}
