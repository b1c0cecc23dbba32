#include "plimsoll/cli/advise/advise_text.h"

#include <algorithm>

#include "plimsoll/advise/depth_words.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/cli/print.h"

namespace plimsoll::cli {
namespace {

using advise::Advice;
using advise::ShapeReport;
using advise::share_text;

constexpr std::size_t page = 80;

// Words of `text` in lines of at most `columns`.
std::vector<std::string> words_in_lines(const std::string& text, std::size_t columns) {
    std::vector<std::string> lines(1);
    for (const auto& word : split(text, ' ')) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > columns) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
}

void print_wrapped(const std::string& text, const std::string& first = "  ", const std::string& rest = "  ") {
    bool begun = false;
    for (const auto& line : words_in_lines(text, page - 2 - rest.size())) {
        fmt::print("{}{}\n", begun ? rest : first, line);
        begun = true;
    }
}

bool is_mixer(const Advice& advice) { return advice.request.family == advise::AdviceFamily::mixer; }

std::string subject_of(const Advice& advice) {
    const auto& r = advice.request;
    std::string text = is_mixer(advice) ? "mixer" : "transformer";
    if (r.vocab > 0) text += fmt::format(", vocabulary {}", r.vocab);
    if (r.image.used()) {
        text += fmt::format(", {} patches of {}x{}x{}", r.image.patches(), r.image.patch, r.image.patch_width,
                            r.image.image_channels);
    } else {
        text += r.context > 0 ? fmt::format(", context {}", r.context) : ", tokens free";
    }
    return text;
}

std::string unit_of(const Advice& advice) {
    if (advice.request.vocab > 0) return "token";
    return advice.request.image.used() ? "image" : "input";
}

std::string shape_of(const ShapeReport& shape) {
    return fmt::format("{} x {}", shape.layout.depth, shape.layout.width);
}

std::string headline(const Advice& advice) {
    const auto& a = advice.answer;
    const auto& l = a.layout;
    std::string text = fmt::format("{} {} x {}", l.depth, is_mixer(advice) ? "blocks" : "layers", l.width);
    if (is_mixer(advice)) {
        text += fmt::format(" channels, {} tokens, both MLPs 4 times as wide", l.tokens);
    } else {
        text += fmt::format(", {} head{} of {}, feed-forward {}{}", l.heads, l.heads == 1 ? "" : "s",
                            l.head_dim, l.ffn, l.block == advise::Block::llama ? " gated" : "");
        if (l.embedding_rank > 0) text += fmt::format(", embedding rank {}", l.embedding_rank);
    }
    return fmt::format(
        "{}, {} parameters ({:.1f} % of the budget).", text, human_count(static_cast<double>(a.parameters)),
        100 * static_cast<double>(a.parameters) / static_cast<double>(advice.request.parameters));
}

std::string bytes_text(double bytes) { return bytes > 0 ? human_bytes(bytes) : "-"; }

std::string loss_text(const ShapeReport& shape) { return "+" + advise::percent_text(shape.expected_loss); }

// What the shapes are compared by: expected loss, or the share of capacity for mixers.
std::string merit_of(const Advice& advice, const ShapeReport& shape) {
    return is_mixer(advice) ? share_text(shape.capacity_share) : loss_text(shape);
}

void add_choice(Table& table, const Advice& advice, const ShapeReport& shape, Mark mark) {
    table.add(
        {shape.label, shape_of(shape), human_count(static_cast<double>(shape.parameters)),
         human_count(shape.forward_flops), bytes_text(shape.kv_bytes_per_token), merit_of(advice, shape),
         fmt::format("{:.1f}", shape.knee), fmt::format("{:.2f}", shape.depth_over_knee)},
        mark);
}

void print_choices(const Advice& advice) {
    Table table({{"choice", Align::left},
                 {"shape"},
                 {"params"},
                 {"FLOPs"},
                 {"KV"},
                 {is_mixer(advice) ? "share" : "loss"},
                 {"T"},
                 {"L/T"}});
    add_choice(table, advice, advice.answer, Mark::advised);
    for (const auto& shape : advice.alternatives) add_choice(table, advice, shape, Mark::none);
    fmt::print("\n");
    table.print();
    print_wrapped(fmt::format(
        "FLOPs: forward, per {}. {}{}", unit_of(advice),
        advice.answer.kv_bytes_per_token > 0 ? "KV: cached keys and values per token, 2 bytes each. " : "",
        is_mixer(advice)
            ? fmt::format("Share: of the most capacity at this budget, {} x {}.", advice.best_depth,
                          advice.best_width)
            : "Loss: expected increase over the best of this budget, by the load line. Shallow and deep end: "
              "of the depths that cost at most 1 % at their size. T: about the depth from which a layer adds "
              "to capacity instead of multiplying it (theory)."));
}

std::string kaplan_text(const ShapeReport& shape) {
    return shape.kaplan_loss_percent ? fmt::format("+{:.1f} %", *shape.kaplan_loss_percent) : "-";
}

void add_rival(Table& table, const Advice& advice, const ShapeReport& shape, const std::string& name,
               Mark mark) {
    std::vector<std::string> cells{name,
                                   shape_of(shape),
                                   human_count(static_cast<double>(shape.parameters)),
                                   human_count(shape.forward_flops),
                                   merit_of(advice, shape),
                                   fmt::format("{:.2f}", shape.depth_over_knee)};
    if (advice.request.vocab > 0) cells.push_back(kaplan_text(shape));
    table.add(std::move(cells), mark);
}

void print_rivals(const Advice& advice) {
    const bool with_loss = advice.request.vocab > 0;
    std::vector<Column> columns{{"what others say", Align::left},      {"shape"}, {"params"}, {"FLOPs"},
                                {is_mixer(advice) ? "share" : "loss"}, {"L/T"}};
    if (with_loss) columns.push_back({"Kaplan"});
    Table table(columns);
    add_rival(table, advice, advice.answer, "plimsoll", Mark::advised);
    for (const auto& shape : advice.rivals) add_rival(table, advice, shape, shape.label, Mark::none);
    fmt::print("\n");
    table.print();
    if (with_loss) {
        print_wrapped(
            "Loss: as above. Kaplan: the increase that Kaplan et al. measured at this width / depth, read "
            "off their figure 5; - where they did not measure.");
    }
    for (const auto& note : advice.rival_notes) print_wrapped(note);
}

Mark mark_of(advise::Severity severity) {
    switch (severity) {
        case advise::Severity::passed:
            return Mark::passed;
        case advise::Severity::note:
            return Mark::note;
        case advise::Severity::act:
            return Mark::act;
    }
    return Mark::none;
}

// The columns that the others leave for the readings.
std::size_t reading_columns(const Advice& advice) {
    std::size_t name = 0, value = 0, line = 4;
    for (const auto& reason : advice.reasons) {
        name = std::max(name, reason.name.size());
        value = std::max(value, reason.value.size());
        line = std::max(line, reason.line.size());
    }
    const std::size_t margins = 2 + 3 * 3;
    return page - margins - name - value - line;
}

void print_reasons(const Advice& advice) {
    Table table({{"limit", Align::left}, {"value"}, {"line"}, {"reading", Align::left}});
    const std::size_t columns = reading_columns(advice);
    for (const auto& reason : advice.reasons) {
        const auto lines = words_in_lines(fmt::format("{} [{}]", reason.reading, reason.rule), columns);
        table.add({reason.name, reason.value, reason.line, lines.front()}, mark_of(reason.severity));
        for (std::size_t i = 1; i < lines.size(); ++i) table.add({"", "", "", lines[i]});
    }
    fmt::print("\n");
    table.print();
}

void print_title(const Advice& advice) {
    std::string budget = human_count(static_cast<double>(advice.request.parameters)) + " parameters";
    if (advice.request.training_flops)
        budget += fmt::format(" ({:.3g} FLOPs)", *advice.request.training_flops);
    const std::string subject = subject_of(advice);
    const std::size_t gap = page > budget.size() + subject.size() ? page - budget.size() - subject.size() : 2;
    fmt::print("{}{}{}\n\n", budget, std::string(gap, ' '), subject);
}

}  // namespace

std::string action_summary(const Advice& advice) {
    const auto needed = std::count_if(advice.reasons.begin(), advice.reasons.end(), [](const auto& reason) {
        return reason.severity == advise::Severity::act;
    });
    return fmt::format("{} limits: {} {} action (!).", advice.reasons.size(), needed,
                       needed == 1 ? "needs" : "need");
}

void print_advice(const Advice& advice) {
    print_title(advice);
    print_wrapped(headline(advice));
    for (const auto& sentence : advice.sentences) print_wrapped(sentence);
    if (!advice.request.assumed.empty())
        print_wrapped("Assumed: " + join(advice.request.assumed, "; ") + ".");
    print_choices(advice);
    print_reasons(advice);
    print_rivals(advice);
    fmt::print("\n{}", advice_drawing(advice, 58, 11));
    print_wrapped(advice_legend(advice));
    if (!advice.warnings.empty()) fmt::print("\n");
    for (const auto& warning : advice.warnings) print_wrapped(warning, "! ", "  ");
    fmt::print("\n");
}

}  // namespace plimsoll::cli
