# shellcheck shell=bash
# Progress of a long job on stderr; sourced by tools/build and tools/install_packages. On a terminal it is one live line
# with a bar and an estimate of the time left, elsewhere a line a minute (PLIMSOLL_PROGRESS_SECONDS changes that).
# No colours; TERM=dumb counts as no terminal.
progress_live=''
if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then progress_live=yes; fi

# Sets now_ms; a call costs no process.
progress_clock() { now_ms=$((${EPOCHREALTIME/[.,]/} / 1000)); }

# Sets duration to "42 s" or "3 min 5 s" for the seconds $1.
progress_duration() {
    if (($1 < 60)); then duration="$1 s"; else duration="$(($1 / 60)) min $(($1 % 60)) s"; fi
}

progress_begin() { # progress_begin WORD UNIT [JOBS]: "building" "files", two at a time
    progress_word=$1 progress_unit=$2 progress_jobs=${3:-0} progress_left='' progress_width=80
    progress_clock
    progress_start=$now_ms progress_seen=$now_ms progress_spoke=$now_ms progress_drawn=0
}

# Sets progress_left, in milliseconds: what remains at the average pace so far, where each of progress_jobs steps under way
# counts as half done. Between two looks it counts down, and it approaches a new estimate within about ten seconds (a
# quarter of the time so far, when that is less) instead of jumping to it.
progress_estimate() { # progress_estimate DONE TOTAL
    local elapsed=$((now_ms - progress_start)) step=$((now_ms - progress_seen)) slow left=$((2 * ($2 - $1))) raw
    progress_seen=$now_ms
    if (($1 < 2)); then return; fi
    left=$((left > 2 * progress_jobs ? left - progress_jobs : left / 2))
    raw=$((elapsed * left / (2 * $1 + progress_jobs)))
    slow=$((elapsed < 40000 ? elapsed / 4 + 1 : 10000))
    if [[ -z $progress_left ]]; then progress_left=$raw; fi
    progress_left=$((progress_left - step))
    progress_left=$((progress_left + (raw - progress_left) * step / (step + slow)))
    if ((progress_left < 0)); then progress_left=0; fi
}

# Sets estimate to what the user reads of progress_left.
progress_words() {
    local duration seconds
    estimate="estimating the time left"
    if [[ -z $progress_left ]] || ((now_ms - progress_start < 2000)); then return; fi
    seconds=$(((progress_left + 999) / 1000))
    progress_duration $((seconds > 0 ? seconds : 1))
    estimate="about $duration left"
}

progress_line() { # progress_line TEXT: the live line, cut to the terminal
    if [[ -z $progress_live ]]; then return; fi
    printf '\r\033[K%s' "${1:0:progress_width - 1}" >&2
    progress_drawn=$now_ms
}

progress_draw() { # progress_draw DONE TOTAL
    local estimate text longest filled room size bar rest
    size=$(stty size <&2 2>/dev/null) && progress_width=${size#* }
    if ((progress_width < 20)); then progress_width=80; fi
    progress_words
    text="$1/$2 $progress_unit, $estimate"
    longest="$2/$2 $progress_unit, estimating the time left" # the bar keeps its length
    room=$((progress_width - ${#progress_word} - ${#longest} - 6))
    if ((room > 40)); then room=40; fi
    if ((room < 5)); then
        progress_line "$progress_word $text"
        return
    fi
    filled=$((room * $1 / $2))
    printf -v bar '%*s' "$filled" ''
    printf -v rest '%*s' "$((room - filled))" ''
    progress_line "$progress_word [${bar// /=}$rest] $text"
}

# Call it after every step and at least every second; it draws at most ten times a second.
progress_show() { # progress_show DONE TOTAL
    local estimate duration
    if (($2 <= 0 || $1 > $2)); then return; fi
    progress_clock
    progress_estimate "$1" "$2"
    if [[ -n $progress_live ]]; then
        if ((now_ms - progress_drawn >= 100)); then progress_draw "$1" "$2"; fi
    elif ((now_ms - progress_spoke >= ${PLIMSOLL_PROGRESS_SECONDS:-60} * 1000)); then
        progress_spoke=$now_ms
        progress_words
        progress_duration $(((now_ms - progress_start) / 1000))
        echo "$progress_word: $1 of $2 $progress_unit after $duration, $estimate" >&2
    fi
}

# Clears the live line, so that whatever is printed next starts on a clean one.
progress_end() {
    if [[ -n $progress_live ]]; then printf '\r\033[K' >&2; fi
}
