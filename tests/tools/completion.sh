# What a shell offers, asked as a shell asks; both scripts parse.
"$ulpscope" completion bash >bash.sh && bash -n bash.sh
"$ulpscope" completion zsh >zsh.sh
if command -v zsh >/dev/null 2>&1; then zsh -n zsh.sh; fi
cat >ask.sh <<'END'
. ./bash.sh
ask() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _ulpscope
    echo "$*: ${COMPREPLY[*]}"
}
ask ulpscope e
ask ulpscope show --d
ask ulpscope show --dtype f8e4m3f
ask ulpscope diff --n
ask ulpscope models hopper.bf16
ask ulpscope completion ''
ask ulpscope explain case --format m
ask ulpscope explain c
END
bash ask.sh
"$ulpscope" completion fish
