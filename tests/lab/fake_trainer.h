#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "plimsoll/base/files.h"
#include "tests/support/temp_dir.h"

namespace plimsoll::lab {

// A program in the place of plimsoll-torch: a script of sh, alone in a folder.
class FakeTrainer {
  public:
    explicit FakeTrainer(const std::string& script) {
        EXPECT_TRUE(atomic_write(program(), "#!/bin/sh\n" + script).ok());
        std::filesystem::permissions(program(), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::filesystem::path program() const { return folder_.path() / "trainer"; }
    [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }

  private:
    testing::TempDir folder_;
};

// A script that plays `plimsoll-torch worker`: `job` plays one run, in a subshell with $id, $seed, $config,
// $run (its folder, made) and $here. It ends with `finish`, or as plimsoll-torch train would: with its exit
// code and "error: WHERE: MESSAGE" on stderr. 100 + N ends the worker itself with N. `say` adds a line to the
// answers. Files in $here: `starts` has a line for each worker, `orders` for each order, `calls` ("SEED
// DEVICE") for each run.
inline std::string worker_script(const std::string& job) {
    const std::string before = R"(here=${0%/*}; device=$3; echo $$ >> $here/starts
state() { echo "{\"phase\": \"$1\", \"step\": 3, \"reason\": \"$2\"}" > $run/state.json; }
finish() { printf '{"step": 3, "loss": 1.5}\n' > $run/metrics.jsonl; state done; }
say() { echo "$1" >> $here/said.$$; }
play() {
    run=$runs/$id; mkdir -p $run
    while read -r key equals value; do case $key in init) seed=$value;; esac; done < $config
    cp $config $run/config.toml; echo "$seed $device" >> $here/calls
)";
    const std::string after = R"(
}
answer() {
    start="{\"event\":\"run\",\"stack\":$stack,\"number\":$number,\"run\":\"$id\""
    case $1 in
        0) say "$start,\"outcome\":\"done\"}"; return;;
        75) say "$start,\"outcome\":\"stopped\"}"; return;;
        1|2) kind=bad_input;; 3) kind=not_found;; 4) kind=unsupported;; 5) kind=io;;
        *) exit $(($1 - 100));;
    esac
    text=; while read -r line; do text=$line; done < $here/err.$$; text=${text#error: }
    say "$start,\"outcome\":\"error\",\"kind\":\"$kind\",\"where\":\"${text%%: *}\",\"message\":\"${text#*: }\"}"
}
trap 'told=1' TERM
echo "{\"plimsoll-worker\":1,\"device\":\"$device\",\"process\":$$}"
while read -r order; do
    echo "$order" >> $here/orders
    stack=${order#*\"train\":}; stack=${stack%%,*}
    runs=${order#*\"runs\":\"}; runs=${runs%%\"*}
    configs=${order#*\"configs\":[}; configs=${configs%%]*}
    IFS=,; set -- $configs; unset IFS; number=0
    for config in "$@"; do
        config=${config#\"}; config=${config%\"}; id=${config##*/}; id=${id%.toml}
        code=75; : > $here/err.$$
        [ -n "$told" ] || { ( play ) < /dev/null >&2 2> $here/err.$$; code=$?; }
        cat $here/err.$$ >&2; answer $code; number=$((number + 1))
    done
    say "{\"event\":\"finished\",\"stack\":$stack}"
    cat $here/said.$$; rm $here/said.$$
    [ -z "$told" ] || exit 75
done
)";
    return before + job + after;
}

}  // namespace plimsoll::lab
