#include "plimsoll/advise/evidence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "plimsoll/base/check.h"
#include "plimsoll/base/csv.h"
#include "plimsoll/base/text.h"

namespace plimsoll::advise {
namespace {

// Kaplan et al. 2020: loss falls as size^-0.076. Brings networks of one class to one size.
constexpr double size_exponent = 0.076;

struct TextColumn {
    std::string_view name;
    std::string EvidenceRow::* field;
};
constexpr std::array text_columns{
    TextColumn{"study", &EvidenceRow::study},
    TextColumn{"source", &EvidenceRow::source},
    TextColumn{"family", &EvidenceRow::family},
    TextColumn{"data", &EvidenceRow::data},
    TextColumn{"group", &EvidenceRow::group},
    TextColumn{"metric", &EvidenceRow::metric_name},
    TextColumn{"matched_by", &EvidenceRow::matched_by},
    TextColumn{"parameterization", &EvidenceRow::parameterization},
    TextColumn{"how_read", &EvidenceRow::how_read},
    TextColumn{"note", &EvidenceRow::note},
};

struct RealColumn {
    std::string_view name;
    double EvidenceRow::* field;
    bool needed;
};
constexpr std::array real_columns{
    RealColumn{"non_embedding", &EvidenceRow::non_embedding, true},
    RealColumn{"depth", &EvidenceRow::depth, true},
    RealColumn{"width", &EvidenceRow::width, true},
    RealColumn{"value", &EvidenceRow::value, true},
    RealColumn{"embedding", &EvidenceRow::embedding, false},
    RealColumn{"vocab", &EvidenceRow::vocab, false},
    RealColumn{"context", &EvidenceRow::context, false},
};

// The cells of a row by the names of the header.
class NamedCells {
  public:
    NamedCells(const std::vector<std::string>& names, std::vector<std::string> cells)
        : names_(names), cells_(std::move(cells)) {
        PLIMSOLL_CHECK(cells_.size() == names_.size(), "data/evidence.csv: a row of the wrong length");
    }
    const std::string& at(std::string_view name) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        PLIMSOLL_CHECK(found != names_.end(), "data/evidence.csv has no column " + std::string(name));
        return cells_[static_cast<std::size_t>(found - names_.begin())];
    }
    double number(std::string_view name, bool needed) const {
        const std::string& cell = at(name);
        if (cell.empty() && !needed) return 0;
        const auto value = parse_real(cell, name);
        PLIMSOLL_CHECK(value.ok() && *value > -1e-12, "data/evidence.csv: " + std::string(name) + " " + cell);
        return *value;
    }

  private:
    const std::vector<std::string>& names_;
    std::vector<std::string> cells_;
};

Metric metric_of(const std::string& name) {
    if (name == "percent over best") return Metric::percent_over_best;
    if (name == "accuracy %") return Metric::accuracy;
    const bool loss = name == "bits/byte" || name == "nats/byte" || name == "nats/token";
    PLIMSOLL_CHECK(loss, "data/evidence.csv: unknown metric " + name);
    return Metric::loss;
}

EvidenceRow evidence_row(const NamedCells& cells) {
    EvidenceRow row;
    for (const auto& [name, field] : text_columns) row.*field = cells.at(name);
    for (const auto& [name, field, needed] : real_columns) row.*field = cells.number(name, needed);
    row.year = static_cast<int>(cells.number("year", true));
    const std::string& role = cells.at("role");
    PLIMSOLL_CHECK(role == "fitted" || role == "listed", "data/evidence.csv: unknown role " + role);
    row.fitted = role == "fitted";
    row.metric = metric_of(row.metric_name);
    return row;
}

std::vector<EvidenceRow> read_rows() {
    auto parsed = parse_csv(evidence_csv(), "data/evidence.csv");
    PLIMSOLL_CHECK(parsed.ok(), parsed.error().text());
    const auto names = texts_of(parsed->front());
    std::vector<EvidenceRow> rows;
    for (std::size_t i = 1; i < parsed->size(); ++i)
        rows.push_back(evidence_row(NamedCells(names, texts_of((*parsed)[i]))));
    return rows;
}

// A number that falls as networks get better, in percent of loss or in points.
double badness(const EvidenceRow& row) {
    switch (row.metric) {
        case Metric::loss:
            return 100 * std::log(row.value);
        case Metric::percent_over_best:
            return 100 * std::log1p(row.value / 100);
        case Metric::accuracy:
            return -row.value;
    }
    return 0;
}

// Classes of one number of tokens, whose networks differ in size.
bool sizes_differ(const EvidenceRow& row) { return row.matched_by.starts_with("tokens"); }

EvidenceGroup group_of(const std::vector<const EvidenceRow*>& rows) {
    const EvidenceRow& first = *rows.front();
    EvidenceGroup group{first.group,
                        first.study,
                        first.family,
                        first.data,
                        first.metric_name,
                        first.matched_by,
                        first.how_read,
                        first.fitted,
                        first.metric,
                        0,
                        {}};
    double log_size = 0;
    for (const auto* row : rows) log_size += std::log(row->non_embedding) / static_cast<double>(rows.size());
    group.size = std::exp(log_size);
    for (const auto* row : rows) {
        const double off = sizes_differ(*row) ? std::log(row->non_embedding) - log_size : 0;
        group.points.push_back(
            {row->depth, row->width, badness(*row), badness(*row) + 100 * size_exponent * off});
    }
    const auto least = [&](double EvidencePoint::* field) {
        return std::ranges::min(group.points, {}, field).*field;
    };
    const double best = least(&EvidencePoint::lost), best_at_size = least(&EvidencePoint::lost_at_size);
    for (auto& point : group.points) {
        point.lost -= best;
        point.lost_at_size -= best_at_size;
    }
    std::ranges::stable_sort(group.points, {}, &EvidencePoint::depth);
    return group;
}

std::vector<EvidenceGroup> make_groups() {
    std::vector<std::vector<const EvidenceRow*>> gathered;
    for (const auto& row : evidence_rows()) {
        const auto same = [&](const auto& rows) { return rows.front()->group == row.group; };
        const auto found = std::ranges::find_if(gathered, same);
        found == gathered.end() ? gathered.push_back({&row}) : found->push_back(&row);
    }
    std::vector<EvidenceGroup> groups;
    for (const auto& rows : gathered) groups.push_back(group_of(rows));
    return groups;
}

}  // namespace

const std::vector<EvidenceRow>& evidence_rows() {
    static const auto rows = read_rows();
    return rows;
}

const std::vector<EvidenceGroup>& evidence_groups() {
    static const auto groups = make_groups();
    return groups;
}

std::vector<std::string> fitted_studies() {
    std::vector<std::string> studies;
    for (const auto& group : evidence_groups())
        if (group.fitted && std::ranges::find(studies, group.study) == studies.end())
            studies.push_back(group.study);
    return studies;
}

DepthLoss lost_at_depth(const EvidenceGroup& group, double depth) {
    const auto& points = group.points;
    if (depth <= points.front().depth) return {points.front().lost_at_size, depth < points.front().depth};
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (depth > points[i].depth) continue;
        const double step = std::log(points[i].depth / points[i - 1].depth);
        const double share = step > 0 ? std::log(depth / points[i - 1].depth) / step : 1;
        return {points[i - 1].lost_at_size + share * (points[i].lost_at_size - points[i - 1].lost_at_size),
                false};
    }
    return {points.back().lost_at_size, true};
}

}  // namespace plimsoll::advise
