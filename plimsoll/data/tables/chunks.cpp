#include "plimsoll/data/tables/chunks.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace plimsoll::data {
namespace {

std::size_t count_of(std::string_view text, char wanted) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

// Quotation marks in each piece of a text.
std::vector<std::size_t> marks_of(std::string_view text, const Dialect& dialect, std::size_t bytes) {
    std::vector<std::size_t> marks((text.size() + bytes - 1) / bytes);
    if (!dialect.quotes) return marks;
    in_parallel(marks.size(),
                [&](std::size_t i) { marks[i] = count_of(text.substr(i * bytes, bytes), '"'); });
    return marks;
}

// Numbers the lines of chunks that follow one another.
void number_lines(std::vector<Chunk>& chunks, std::size_t first_line) {
    in_parallel(chunks.size(), [&](std::size_t i) { chunks[i].lines = count_of(chunks[i].text, '\n') + 1; });
    for (auto& chunk : chunks) {
        chunk.line = first_line;
        first_line += chunk.lines - 1;
    }
}

// The first record that begins at or after `at`, where an odd number of marks came before means that `at` is
// inside quotation marks.
std::size_t record_from(std::string_view text, const Dialect& dialect, std::size_t at, bool inside) {
    for (; at < text.size(); ++at) {
        if (dialect.quotes && text[at] == '"') inside = !inside;
        if (text[at] == '\n' && !inside) return at + 1;
    }
    return text.size();
}

}  // namespace

std::size_t parallel_width() { return std::max(1U, std::thread::hardware_concurrency()); }

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::exception_ptr problem;
    std::mutex mutex;
    const auto loop = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            problem = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t i = 1; i < std::min(parallel_width(), count); ++i) helpers.emplace_back(loop);
        loop();
    }
    if (problem) std::rethrow_exception(problem);
}

std::vector<Chunk> cut_at_records(std::string_view text, const Dialect& dialect, std::size_t first_line,
                                  std::size_t bytes) {
    const auto marks = marks_of(text, dialect, bytes);
    std::vector<Chunk> chunks;
    std::size_t begin = 0, before = 0;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        before += marks[i];
        const std::size_t border = (i + 1) * bytes;
        if (border < begin) continue;  // inside a record longer than a chunk
        const std::size_t end =
            border >= text.size() ? text.size() : record_from(text, dialect, border, before % 2 == 1);
        if (end > begin) chunks.push_back({text.substr(begin, end - begin)});
        begin = end;
    }
    number_lines(chunks, first_line);
    return chunks;
}

}  // namespace plimsoll::data
