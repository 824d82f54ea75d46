# The sessions of README.md: each "$ ulpscope explain datasets/examples/X" block, word for word.
cd "$examples/../.." || exit 2
awk '/^```/ { inside = !inside; next } inside && /^\$ ulpscope explain/ { print $4 }' README.md >"$OLDPWD/cases"
for case in $(cat "$OLDPWD/cases"); do
    "$ulpscope" explain "$case" >"$OLDPWD/got"
    awk -v want="\$ ulpscope explain $case" '$0 == want { on = 1; next } /^```/ { on = 0 } on' README.md >"$OLDPWD/want"
    diff -u "$OLDPWD/want" "$OLDPWD/got" && echo "$case as in README.md"
done
