import { Argument, type Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** What a shell is given to complete a word: the script asks "paytag complete" with the words so far. */
const scripts = {
  bash: `# paytag: source <(paytag completion bash)
_paytag() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(paytag complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _paytag paytag
`,
  zsh: `#compdef paytag
# source <(paytag completion zsh)
_paytag() {
  local line value about
  local -a candidates
  while IFS= read -r line; do
    [[ -z $line ]] && continue
    value=\${\${line%%$'\\t'*}//:/\\\\:} about=\${line#*$'\\t'}
    candidates+=("$value\${about:+:$about}")
  done < <(paytag complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#candidates} )); then _describe paytag candidates; else _files; fi
}
compdef _paytag paytag
`,
  fish: `# paytag completion fish | source
function __paytag_candidates
  set -l found (paytag complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test -n "$found"
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c paytag -f -a '(__paytag_candidates)'
`,
};

/** The shells that there is a script for. */
export const shells = Object.keys(scripts);

/** `paytag completion`: prints the script of a shell. */
export const addCompletion = (program: Command, terminal: Terminal): void =>
  void program
    .command('completion')
    .description('print what completes commands, options and values in a shell: source <(paytag completion bash)')
    .addArgument(new Argument('<shell>', 'which').choices(shells))
    .action((shell: keyof typeof scripts) => terminal.out(scripts[shell]));
