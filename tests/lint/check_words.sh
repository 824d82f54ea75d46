#!/bin/sh
# Words that have no place in the tree: unfinished work, paths of one machine, files with no noun.
set -eu
bad=0
if git grep -nE '\b(TODO|FIXME|XXX|HACK)\b' -- ':!tests/lint/check_words.sh'; then
    echo "check_words: unfinished work belongs in an issue"
    bad=1
fi
if git grep -nE '(^|[^a-z])/(home|root|work|Users)/[a-z]' -- ':!tests/lint/check_words.sh' ':!*.h5'; then
    echo "check_words: a path of one machine"
    bad=1
fi
if git ls-files | grep -E '(^|/)(utils?|common|misc|helpers?)([./]|$)'; then
    echo "check_words: a file or folder without a noun of its own"
    bad=1
fi
exit "$bad"
