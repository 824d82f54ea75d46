#!/bin/sh
# Every [Key] that a source file, table or header cites stands in papers/references.bib, every entry there has a
# note papers/KEY.md, and every note is cited or says where it is used.
set -eu
bad=0
cited=$(git ls-files '*.c' '*.h' '*.cu' 'tests/data/*' 'tools/man/*' |
    xargs grep -hoP '(?<![\w$\])])\[[A-Z][A-Z0-9a-z]*[A-Z0-9]\]' | tr -d '[]' | sort -u |
    grep -vxE 'NAME|SIZE|ROWS|FILTER|FILE' || true) # an index follows a name; operands have these
known=$(sed -nE 's/^@[a-z]+\{([A-Za-z0-9]+),.*/\1/p' papers/references.bib | sort -u)
[ -n "$known" ] || { echo "check_papers: papers/references.bib has no entries"; exit 1; }
for key in $cited; do
    printf '%s\n' "$known" | grep -qx "$key" || {
        echo "check_papers: [$key] is cited and not in papers/references.bib:"
        git grep -nF "[$key]" -- '*.c' '*.h' '*.cu' 'tests/data' 'tools/man' | head -n 3
        bad=1
    }
done
for key in $known; do
    [ -f "papers/$key.md" ] || { echo "check_papers: papers/$key.md is missing"; bad=1; }
    git grep -qF "[$key]" -- '*.c' '*.h' '*.cu' 'tests/data' 'tools/man' || {
        echo "check_papers: $key is in references.bib and nothing cites it"
        bad=1
    }
done
for note in papers/*.md; do
    key=$(basename "$note" .md)
    [ "$key" = README ] || printf '%s\n' "$known" | grep -qx "$key" || {
        echo "check_papers: $note has no entry in references.bib"
        bad=1
    }
done
exit "$bad"
