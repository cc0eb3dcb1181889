import SlipboxCore

/// How requests of one method are answered.
struct MethodHandler: Sendable {
  /// Who answers: those that only read go side by side, those that change go one after another.
  enum Lane: Sendable {
    case reading, changing
  }

  let lane: Lane
  private let respond: @Sendable (Request, RequestID, [UInt8]) throws -> [UInt8]

  init<Params: Decodable & Sendable, Result: Encodable & Sendable>(
    _ lane: Lane = .reading, _ answer: @escaping @Sendable (Params, Request) throws -> Result
  ) {
    self.lane = lane
    respond = { request, id, message in
      let params = try Message.decoded(MessageParams<Params>.self, message).params
      return Message.response(id, try answer(params, request))
    }
  }

  /// The response to a message: an answer, or why there is none.
  func response(to message: [UInt8], _ id: RequestID, _ request: Request) -> [UInt8] {
    do {
      try request.checkCancelled()
      let response = try respond(request, id, message)
      // What was changed is told also to a client that does not wait for it any more.
      if lane == .reading { try request.checkCancelled() }
      return response
    } catch let error as ResponseError {
      return Message.refusal(id, error)
    } catch let error as SlipboxError {
      return Message.refusal(id, ResponseError(error))
    } catch {
      return Message.refusal(id, ResponseError(.internalError, "\(error)"))
    }
  }
}
