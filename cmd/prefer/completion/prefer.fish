# fish completion of prefer
function __prefer_complete
  set -l words (commandline -opc)[2..] (commandline -ct)
  for line in (prefer complete -- $words 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c prefer -f -a '(__prefer_complete)'
