import ArgumentParser
import Presentation
import SlipboxCore

struct Completions: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script of a shell.",
    discussion: """
      The script completes commands, options, notes (by id and title), tags, field names, values, kinds, \
      filters and sort orders. To install it:

        bash    echo 'eval "$(slip completions bash)"' >> ~/.bashrc
        zsh     echo 'eval "$(slip completions zsh)"' >> ~/.zshrc
        fish    slip completions fish > ~/.config/fish/completions/slip.fish

      In ~/.zshrc, the line must come after the one with compinit.

      Examples:
        slip completions bash
        slip completions fish
      """)

  /// The name of the argument in help and messages.
  static let shellName = "shell"

  @Argument(
    help: ArgumentHelp(
      "\(Sentence.list(CompletionShell.allCases.map(\.rawValue), "or")).", valueName: shellName))
  var shell: CompletionShell

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws { try session.console.print(shell.script) }
}

/// A shell that completes command lines, with the script that it reads.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
  case bash, zsh, fish

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// Bash replaces a part of the word only, which slip works out of the line; it also puts the quotes.
  private static let bashScript = """
    # Completion of slip for bash. Each Tab asks slip itself; errors are silent.
    _slip() {
      local line
      COMPREPLY=()
      while IFS= read -r line; do
        COMPREPLY+=("$line")
      done < <(command slip _complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" "${COMP_TYPE:-9}" 2>/dev/null)
      case ${#COMPREPLY[@]}${COMPREPLY[0]} in
        1*:|1*/|1*=) compopt -o nospace 2>/dev/null ;;
      esac
      # A word after @ is not the name of a host.
      line=${COMP_LINE:0:COMP_POINT}
      [[ ${#COMPREPLY[@]} -gt 0 || ${line##*[[:space:]]} != *@* ]] || compopt +o bashdefault +o default 2>/dev/null
    }
    complete -o bashdefault -o default -F _slip slip

    """

  private static let zshScript = #"""
    #compdef slip
    # Completion of slip for zsh. Each Tab asks slip itself; errors are silent.
    _slip() {
      local line
      local -a open_values open_shown whole_values whole_shown
      while IFS= read -r line; do
        local value=${line%%$'	'*} note=${line#*$'	'}
        local shown=$value
        [[ -n $note ]] && shown="$value  -- $note"
        if [[ $value == *[:/=] ]]; then
          open_values+=("$value")
          open_shown+=("$shown")
        else
          whole_values+=("$value")
          whole_shown+=("$shown")
        fi
      done < <(command slip _complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
      # slip has already matched the words, ignoring case.
      local found=1 fold='m:{a-zA-Z}={A-Za-z}'
      (( $#whole_values )) && compadd -M "$fold" -l -d whole_shown -- "${whole_values[@]}" && found=0
      (( $#open_values )) && compadd -M "$fold" -l -S '' -d open_shown -- "${open_values[@]}" && found=0
      (( found )) && _files
    }
    if [[ $funcstack[1] == _slip ]]; then
      _slip "$@"
    else
      compdef _slip slip
    fi

    """#

  private static let fishScript = """
    # Completion of slip for fish. Each Tab asks slip itself; errors are silent.
    function __slip_complete
        set -l words (commandline -opc)
        set -l word (commandline -ct)
        set -e words[1]
        command slip _complete fish $words -- "$word" 2>/dev/null
        or __fish_complete_path "$word"
    end
    complete -c slip -f -a '(__slip_complete)'

    """
}
