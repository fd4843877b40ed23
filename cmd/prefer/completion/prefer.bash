# bash completion of prefer; load it with: source <(prefer completion bash)
_prefer() {
  local cur=${COMP_WORDS[COMP_CWORD]} word help
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    if [[ $word == :files ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$cur"))
    elif [[ $word == "$cur"* ]]; then
      COMPREPLY+=("$word")
    fi
  done < <(prefer complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _prefer prefer
