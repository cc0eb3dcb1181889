# The box of the screens: every kind, every state, wide, combining and right-to-left text, and adopted notes.
set -e
n=0
slip() { n=$((n + 1)); FIXED_SEED=$n command slip "$@" >/dev/null; }
mkdir -p recipes/bread
printf -- "---\ndate: 2025-02-04\n---\nSourdough needs time.\n" >recipes/bread/sourdough-with-seeds-of-every-kind.md
printf -- '---\ntitle: An old page\ndate: 2025-02-03\ntags: [web]\n---\nFrom the web.\n' >page.md
git init -q
slip init -q
slip new "Sourdough" +food -b "Flour, *water*, salt. See [[An old page]]."
slip new "会議の議事録を書いて全員に送ってから次の会議の予定を決める" +work/会議 -b "sourdough 日本"
slip new "مرحبا بالعالم" +ערבית -b "sourdough שלום"
slip new "$(printf "Cafe\314\201 zur scho\314\210nen Aussicht")" +food
slip new issue "Crash when the list is empty and nobody has ever made a note before" priority:high +ios +accessibility
slip new issue "Typo" +docs
slip new issue "Slow start" priority:low
slip new issue "Wrong colour" +design
slip close "Wrong colour"
slip new book "The Left Hand of Darkness" author:"Ursula K. Le Guin" added:2026-10-01
slip new book "吾輩は猫である" author:"夏目漱石" added:2026-10-02
slip new book "Dune" author:"Frank Herbert" added:2026-10-03
slip start "吾輩は猫である"
slip finish "Dune" rating:5
slip new group "House and garden"
slip new group "Empty"
slip new task "Repair the gate before the winter comes and the snow with it" due:2026-11-10 priority:high group:"House and garden"
slip new task "Call the library" due:2026-12-05 priority:low
slip new task "Buy seeds" group:"House and garden" my-day:today
slip new task "Sweep" group:"House and garden"
slip finish "Sweep"
