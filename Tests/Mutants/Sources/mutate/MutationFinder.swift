import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the mutations of a file.
///
/// Left out is code that no test can notice by its result: reserved room, hash values, preconditions, attributes and
/// patterns, which have no switch.
final class MutationFinder: SyntaxAnyVisitor {
  private(set) var mutations: [Mutation] = []
  private let converter: SourceLocationConverter

  /// The mutations of a source file in the order of their first bytes.
  static func mutations(of source: String) -> [Mutation] {
    let parsed = Parser.parse(source: source)
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let finder = MutationFinder(
      converter: SourceLocationConverter(fileName: "", tree: parsed))
    finder.walk(folded)
    return finder.mutations.sorted { ($0.offset, $0.kind.rawValue) < ($1.offset, $1.kind.rawValue) }
  }

  private init(converter: SourceLocationConverter) {
    self.converter = converter
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: - What has no switch

  /// Calls that change no result.
  private static let silent: Set<String> = [
    "precondition", "assert", "preconditionFailure", "assertionFailure", "fatalError", "reserveCapacity",
    "deallocate", "free", "withExtendedLifetime",
  ]

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    node.name.text == "hash" ? .skipChildren : .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    Self.silent.contains(name(of: node)) ? .skipChildren : .visitChildren
  }

  // MARK: - Operators and literals

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator else { return .visitChildren }
    switch sign.text {
    case "<": add(.bound, node, call: "mutantLess", sign)
    case "<=": add(.bound, node, call: "mutantLessOrEqual", sign)
    case ">": add(.bound, node, call: "mutantGreater", sign)
    case ">=": add(.bound, node, call: "mutantGreaterOrEqual", sign)
    case "&&": add(.logic, node, call: "mutantAnd", sign)
    case "||": add(.logic, node, call: "mutantOr", sign)
    case "+": add(.sum, node, call: "mutantPlus", sign)
    case "-": add(.sum, node, call: "mutantMinus", sign)
    case "+=": add(.sum, node, call: "mutantAdd", sign, before: "&")
    case "-=": add(.sum, node, call: "mutantSubtract", sign, before: "&")
    case "==", "!=", "===", "!==": addCondition(Syntax(node))
    default: break
    }
    if sign.text == "&&" || sign.text == "||" {
      addOperand(node.leftOperand)
      addOperand(node.rightOperand)
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    addOperand(node.condition)
    return .visitChildren
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { addOperand(condition) }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(.truth, Syntax(node), before: "(", after: " != mutant(#))")
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    add(.number, Syntax(node), before: "(mutant(#) ? 1 + \(node.literal.text) : ", after: ")")
    return .visitChildren
  }

  // MARK: - Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard isRemovable(node) else { return .visitChildren }
    add(.statement, Syntax(node), before: "if !mutant(#) { ", after: " }")
    return .visitChildren
  }

  /// Whether the code still has a result without the statement.
  private func isRemovable(_ node: CodeBlockItemSyntax) -> Bool {
    if node.item.is(ContinueStmtSyntax.self) || node.item.is(BreakStmtSyntax.self) { return !isOnly(node) }
    var expression = node.item.as(ExprSyntax.self) ?? node.item.as(ExpressionStmtSyntax.self)?.expression
    if let tried = expression?.as(TryExprSyntax.self) { expression = tried.expression }
    guard let expression else { return false }
    if let call = expression.as(FunctionCallExprSyntax.self) {
      return !Self.silent.contains(name(of: call)) && !isOnly(node)
    }
    guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
    if infix.operator.is(AssignmentExprSyntax.self) { return !isOnly(node) }
    return infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
      && !["==", "!=", "<=", ">="].contains(infix.operator.trimmedDescription) && !isOnly(node)
  }

  /// Whether the statement stands alone in a function or closure with a result, or in the body of a guard.
  private func isOnly(_ node: CodeBlockItemSyntax) -> Bool {
    guard let items = node.parent?.as(CodeBlockItemListSyntax.self), items.count == 1 else { return false }
    let block = items.parent
    if block?.is(ClosureExprSyntax.self) == true { return true }
    if block?.is(AccessorBlockSyntax.self) == true { return true }
    let owner = block?.parent
    if owner?.is(GuardStmtSyntax.self) == true { return true }
    return owner?.as(FunctionDeclSyntax.self)?.signature.returnClause != nil
  }

  // MARK: - Making

  private func addOperand(_ node: ExprSyntax) {
    if let infix = node.as(InfixOperatorExprSyntax.self),
      let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
      ["==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||"].contains(sign)
    {
      return
    }
    if node.is(BooleanLiteralExprSyntax.self) { return }
    addCondition(Syntax(node))
  }

  private func addCondition(_ node: Syntax) {
    add(.condition, node, before: "((", after: ") != mutant(#))")
  }

  private func add(_ kind: Mutation.Kind, _ node: Syntax, before: String, after: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    add(
      kind, node,
      [
        .init(offset: start, length: 0, text: before, closes: false),
        .init(offset: end, length: 0, text: after, closes: true),
      ])
  }

  private func add(
    _ kind: Mutation.Kind, _ node: InfixOperatorExprSyntax, call: String, _ sign: TokenSyntax,
    before: String = ""
  ) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    let middle = sign.positionAfterSkippingLeadingTrivia.utf8Offset
    add(
      kind, Syntax(node), at: sign.positionAfterSkippingLeadingTrivia,
      [
        .init(offset: start, length: 0, text: "\(call)(#, \(before)", closes: false),
        .init(offset: middle, length: sign.text.utf8.count, text: ",", closes: false),
        .init(offset: end, length: 0, text: ")", closes: true),
      ])
  }

  private func add(
    _ kind: Mutation.Kind, _ node: Syntax, at place: AbsolutePosition? = nil, _ edits: [Mutation.Edit]
  ) {
    var depth = 0
    var parent = node.parent
    while let next = parent {
      depth += 1
      parent = next.parent
    }
    let start = place ?? node.positionAfterSkippingLeadingTrivia
    mutations.append(
      Mutation(
        kind: kind, line: converter.location(for: start).line, offset: start.utf8Offset,
        code: node.trimmedDescription.split(separator: "\n").first.map(String.init) ?? "",
        edits: edits, depth: depth))
  }

  private func name(of call: FunctionCallExprSyntax) -> String {
    call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
      ?? call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
  }
}
