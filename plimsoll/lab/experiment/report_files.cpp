#include "plimsoll/lab/experiment/report_files.h"

#include "plimsoll/base/files.h"
#include "plimsoll/base/format.h"
#include "plimsoll/lab/experiment/provenance.h"
#include "plimsoll/report/page/figure_runtime.h"
#include "plimsoll/report/page/page.h"
#include "plimsoll/report/page/render.h"
#include "plimsoll/store/disk.h"

namespace plimsoll::lab {
namespace {

namespace fs = std::filesystem;

constexpr double png_scale = 2;

class Writer {
  public:
    Writer(const ReportSource& source, const ReportFiles& files) : source_(source), files_(files) {}

    Result<WrittenReport> write() {
        PLIMSOLL_ASSIGN(made, report::make_report(source_.figures, source_.tables, source_.first));
        result_.report = std::move(made);
        PLIMSOLL_RETURN_IF_ERROR(write_rows());
        PLIMSOLL_RETURN_IF_ERROR(write_specs());
        PLIMSOLL_RETURN_IF_ERROR(write_pictures());
        PLIMSOLL_RETURN_IF_ERROR(write_markdown());
        PLIMSOLL_RETURN_IF_ERROR(write_page());
        PLIMSOLL_RETURN_IF_ERROR(write_provenance());
        return std::move(result_);
    }

  private:
    Status put(const fs::path& path, std::string_view content) {
        if (path.has_parent_path()) PLIMSOLL_RETURN_IF_ERROR(store::make_folders(path.parent_path()));
        PLIMSOLL_RETURN_IF_ERROR(atomic_write(path, content));
        result_.files.push_back(path);
        return {};
    }

    Status write_rows() {
        if (files_.rows.empty()) return {};
        for (const auto& [kind, table] : source_.tables)
            PLIMSOLL_RETURN_IF_ERROR(put(files_.rows / rows_file(kind), report::csv_text(table)));
        return {};
    }

    Status write_specs() {
        if (files_.figures.empty() || !files_.vega) return {};
        for (const auto& figure : result_.report.figures)
            PLIMSOLL_RETURN_IF_ERROR(
                put(files_.figures / (figure.name + ".vl.json"), figure.vega_lite.dump(2) + "\n"));
        return {};
    }

    // What draws figures is looked for once; its absence is no error.
    Status noted_if_missing(const Error& error) {
        if (error.kind != ErrorKind::not_found) return error;
        const Status ready = report::figures_ready();
        result_.missing = ready.ok() ? error.text() : ready.error().text();
        return {};
    }

    Status write_pictures() {
        if (files_.figures.empty() || !(files_.svg || files_.png) || result_.report.figures.empty())
            return {};
        std::vector<Json> specs;
        for (const auto& figure : result_.report.figures) specs.push_back(figure.vega_lite);
        const auto drawn = report::render_svgs(specs);
        if (!drawn.ok()) return noted_if_missing(drawn.error());
        for (std::size_t i = 0; i < specs.size(); ++i)
            PLIMSOLL_RETURN_IF_ERROR(write_picture(result_.report.figures[i].name, (*drawn)[i]));
        return {};
    }

    Status write_picture(const std::string& name, const std::string& svg) {
        if (files_.svg) {
            PLIMSOLL_RETURN_IF_ERROR(put(files_.figures / (name + ".svg"), svg));
            pictures_[name] = name + ".svg";
        }
        if (!files_.png) return {};
        const auto png = report::png_of_svg(svg, png_scale);
        if (!png.ok()) return noted_if_missing(png.error());
        pictures_.try_emplace(name, name + ".png");
        return put(files_.figures / (name + ".png"), *png);
    }

    Status write_markdown() {
        if (files_.markdown.empty()) return {};
        std::map<std::string, std::string> links;
        for (const auto& [name, file] : pictures_)
            links[name] =
                (files_.figures / file).lexically_relative(files_.markdown.parent_path()).generic_string();
        std::string text = fmt::format("# {}\n\n", source_.title);
        if (!source_.source.empty())
            text += fmt::format("{}{}.\n\n", source_.source,
                                source_.scale.empty() ? "" : ", scale " + source_.scale);
        if (!source_.partial.empty()) text += fmt::format("**Incomplete: {}**\n\n", source_.partial);
        if (!source_.question.empty()) text += fmt::format("Question: {}\n\n", source_.question);
        if (!source_.prediction.empty())
            text += fmt::format("Prediction ({}): {}\n\n", source_.predicted_on, source_.prediction);
        text += report::markdown(result_.report, links);
        text += "\n";
        for (const auto& [name, value] : provenance_lines(source_.provenance))
            text += fmt::format("- {}: {}\n", name, value);
        return put(files_.markdown, text);
    }

    Status write_page() {
        if (files_.html.empty()) return {};
        report::PageContent page{.title = source_.title,
                                 .source = source_.source,
                                 .scale = source_.scale,
                                 .question = source_.question,
                                 .partial = source_.partial,
                                 .prediction = source_.prediction,
                                 .predicted_on = source_.predicted_on,
                                 .report = result_.report,
                                 .figures = source_.figures,
                                 .protocol = source_.protocol,
                                 .provenance = provenance_lines(source_.provenance),
                                 .command = source_.command};
        const auto add = [&](const std::string& kind) {
            page.rows.push_back({kind, source_.tables.at(kind)});
        };
        if (source_.tables.contains(source_.first)) add(source_.first);
        for (const auto& [kind, table] : source_.tables)
            if (kind != source_.first) add(kind);
        const auto html = report::html_page(page);
        if (!html.ok()) return noted_if_missing(html.error());
        return put(files_.html, *html);
    }

    Status write_provenance() {
        if (files_.provenance.empty()) return {};
        return put(files_.provenance, source_.provenance.dump(2) + "\n");
    }

    const ReportSource& source_;
    const ReportFiles& files_;
    WrittenReport result_;
    std::map<std::string, std::string> pictures_;  // file by figure
};

}  // namespace

ReportSource source_of(const Experiment& experiment, const std::string& scale) {
    ReportSource source;
    source.title = experiment.title;
    source.source = experiment.source;
    source.question = experiment.question;
    source.prediction = experiment.prediction;
    source.predicted_on = experiment.predicted_on;
    source.scale = scale;
    source.first = experiment.rows.front();
    if (const auto readme = read_text(experiment.folder / "README.md"); readme.ok())
        source.protocol = *readme;
    return source;
}

std::string rows_file(const std::string& kind) {
    return kind == "runs" || kind == "computed" ? "rows.csv" : kind + ".csv";
}

Result<WrittenReport> write_report(const ReportSource& source, const ReportFiles& files) {
    return Writer(source, files).write();
}

}  // namespace plimsoll::lab
