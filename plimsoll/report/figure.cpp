#include "plimsoll/report/figure.h"

#include "plimsoll/report/findings.h"
#include "plimsoll/report/sources.h"
#include "plimsoll/report/text_tables.h"
#include "plimsoll/report/vega/vega.h"

namespace plimsoll::report {
namespace {

void append(std::vector<std::string>& notes, const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
}

Result<Figure> make_figure(const FigureSpec& spec, const Sources& sources) {
    PLIMSOLL_ASSIGN(selection, sources.select(spec.rows, spec.where, spec.place));
    PLIMSOLL_ASSIGN(data, figure_data(spec, selection));
    const FigureFits fits = figure_fits(spec, data);
    PLIMSOLL_ASSIGN(drawn, draw({spec, selection, data, fits}));
    Figure figure{spec.name, spec.title, std::move(drawn.vega_lite), selection.notes};
    append(figure.notes, data.notes);
    append(figure.notes, fits.notes);
    append(figure.notes, drawn.notes);
    return figure;
}

}  // namespace

Result<Report> make_report(const FigureSet& figures, const std::map<std::string, Table>& tables,
                           const std::string& first) {
    PLIMSOLL_ASSIGN(sources, Sources::make(tables, figures.columns, first));
    Report report;
    for (const FigureSpec& spec : figures.figures) {
        PLIMSOLL_ASSIGN(figure, make_figure(spec, sources));
        report.figures.push_back(std::move(figure));
    }
    for (const TableSpec& spec : figures.tables) {
        PLIMSOLL_ASSIGN(table, text_table(spec, sources));
        report.tables.push_back(std::move(table));
    }
    for (const ContrastSpec& spec : figures.contrasts) {
        PLIMSOLL_ASSIGN(finding, contrast_finding(spec, sources));
        report.findings.push_back(std::move(finding));
    }
    for (const OptimumSpec& spec : figures.optima) {
        PLIMSOLL_ASSIGN(findings, optimum_findings(spec, sources));
        for (Judgement& finding : findings) report.findings.push_back(std::move(finding));
    }
    return report;
}

}  // namespace plimsoll::report
