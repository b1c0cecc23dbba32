#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "plimsoll/base/random.h"
#include "plimsoll/report/table.h"

// Rows with a known law, for figures: what a sweep of mixers and attention networks could have come to.
namespace plimsoll::report {

// Roughly normal, mean 0 and deviation 1: twelve uniform numbers.
inline double bell(RandomStream& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    return sum;
}

// budgets x ratios x families x seeds; error is lowest at ratio 1.4 and falls with the budget. One run is
// still running, one diverged, one has no value.
inline Table gallery_runs() {
    Table table{{"run", "seed", "family", "spec", "data_name", "budget", "depth", "channels", "accuracy",
                 "seconds", "phase"},
                {}};
    RandomStream random(1, "gallery");
    for (const char* data : {"cifar10", "svhn"})
        for (const char* family : {"mixer", "attention"})
            for (const std::int64_t budget : {16'000, 64'000, 256'000})
                for (const double ratio : {0.25, 0.5, 1.0, 2.0, 4.0})
                    for (std::int64_t seed = 1; seed <= 3; ++seed) {
                        const double bend = std::log2(ratio / 1.4);
                        const double accuracy = 0.6 +
                                                0.05 * std::log10(static_cast<double>(budget) / 16'000) -
                                                0.012 * bend * bend + 0.006 * bell(random);
                        const auto depth = static_cast<std::int64_t>(std::lround(ratio * 8));
                        table.rows.push_back({std::string("r") + std::to_string(table.rows.size()), seed,
                                              std::string(family),
                                              std::string(family) + ":depth=" + std::to_string(depth),
                                              std::string(data), budget, depth, std::int64_t{256}, accuracy,
                                              static_cast<double>(budget) / 1000 * (1 + 0.05 * bell(random)),
                                              std::string("done")});
                    }
    table.rows[4].back() = std::string("running");
    table.rows[9][8] = std::string("nan");
    table.rows[14][8] = Cell();
    return table;
}

// Loss over 200 evaluations for two families and three seeds.
inline Table gallery_curves() {
    Table table{{"run", "seed", "family", "step", "loss"}, {}};
    RandomStream random(2, "gallery");
    for (const char* family : {"mixer", "attention"})
        for (std::int64_t seed = 1; seed <= 3; ++seed)
            for (std::int64_t step = 0; step < 200; ++step)
                table.rows.push_back(
                    {std::string(family) + std::to_string(seed), seed, std::string(family), step * 1000,
                     1.2 + 3 * std::exp(-static_cast<double>(step) / (family[0] == 'm' ? 40 : 60)) +
                         0.02 * bell(random)});
    return table;
}

inline std::map<std::string, Table> gallery_tables() {
    return {{"runs", gallery_runs()}, {"curves", gallery_curves()}, {"none", Table{{"x", "y"}, {}}}};
}

}  // namespace plimsoll::report
