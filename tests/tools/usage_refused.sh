# What is not a command, an option or an operand: one line each, exit 2, nothing on stdout.
say() { "$ulpscope" "$@"; echo "exit $?" >&2; }
say
say shwo 1
say frobnicate
say --verison
say --version extra
say show
say show 1 2
say show 1 --dtyp bf16
say show 1 --dtype
say show 1 --threads 0
say show 1 --threads two
say show 1 --threads 99999999999999999999
say show 1 --format markdown
say show 1 --format xml
say completion bash --json
say -- show 1
