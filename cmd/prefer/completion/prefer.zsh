#compdef prefer
_prefer() {
  local word help files
  local -a found
  while IFS=$'\t' read -r word help; do
    if [[ $word == :files ]]; then files=1; else found+=("$word"); fi
  done < <(prefer complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then compadd -- $found; fi
  if [[ -n $files ]]; then _files; fi
}
if [[ $funcstack[1] == _prefer ]]; then _prefer; else compdef _prefer prefer; fi
