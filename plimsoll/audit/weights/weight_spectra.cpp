#include "plimsoll/audit/weights/weight_spectra.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/audit/weights/attention_weights.h"
#include "plimsoll/audit/weights/head_spectra.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::audit {
namespace {

using formats::TensorInfo;
using rank::DenseMatrix;
using rank::Spectrum;
using Tensors = std::vector<const TensorInfo*>;

Tensors present(std::initializer_list<const TensorInfo*> candidates) {
    Tensors tensors(candidates);
    std::erase(tensors, nullptr);
    return tensors;
}

// What a layer's product is made of; a fused tensor is in `query`.
Tensors tensors_of(const AttentionTensors& layer, WeightRole role) {
    const bool latent = layer.layout == AttentionLayout::latent;
    if (role == WeightRole::query_key) {
        if (!latent) return present({layer.query, layer.key});
        return present(
            {layer.query_first, layer.query_gain, layer.query, layer.key, layer.latent_gain, layer.value});
    }
    if (latent) return present({layer.key, layer.latent_gain, layer.value, layer.output});
    return present({layer.value != nullptr ? layer.value : layer.query, layer.output});
}

std::string dtypes_of(const Tensors& tensors) {
    std::vector<std::string> names;
    for (const TensorInfo* tensor : tensors) {
        const std::string name(formats::type_name(*tensor));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return join(names, " ");
}

double roundoff_of(const Tensors& tensors) {
    double largest = 0;
    for (const TensorInfo* tensor : tensors) largest = std::max(largest, audit::roundoff_of(tensor->dtype));
    return largest;
}

// Whole tall matrices are streamed; the others are small or nearly square, and their own values are sharper.
bool is_streamed(const TensorInfo& tensor) {
    return rows_of(tensor) >= 2 * cols_of(tensor) && tensor.elements > (std::uint64_t{1} << 20);
}

double matrix_bytes(const TensorInfo& tensor) {
    const auto cols = static_cast<double>(cols_of(tensor));
    const auto rows = static_cast<double>(is_streamed(tensor) ? cols_of(tensor) : rows_of(tensor));
    return 2.0 * reader_buffer_bytes + 8 * rows * cols;
}

// Work in rough units of the same size, for the progress bar.
std::uint64_t matrix_work(const TensorInfo& tensor) {
    const std::uint64_t rows = rows_of(tensor), cols = cols_of(tensor);
    return 1 + rows * cols / 1024 * std::min(rows, cols);
}

// Counts the work that is done.
class Meter {
  public:
    Meter(const ProgressCallback& callback, std::uint64_t total) : callback_(callback), total_(total) {}
    void add(std::uint64_t work) {
        done_ = std::min(total_, done_ + work);
        if (callback_) callback_(done_, total_);
    }

  private:
    const ProgressCallback& callback_;
    std::uint64_t total_, done_ = 0;
};

double largest_row_norm(MatrixView<const double> matrix) {
    double largest = 0;
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
        double square = 0;
        for (const double entry : matrix.row(i)) square += entry * entry;
        largest = std::max(largest, square);
    }
    return std::sqrt(largest);
}

// Calls `use(rows as doubles, first)` for piece after piece of the tensor.
template <class Use>
Status for_each_piece(WeightReader& reader, const TensorInfo& tensor, Use use) {
    const std::size_t rows = rows_of(tensor), cols = cols_of(tensor),
                      piece = std::min(rows, rows_in_piece(cols));
    DenseMatrix<float> floats(piece, cols);
    DenseMatrix<double> doubles(piece, cols);
    for (std::size_t first = 0; first < rows; first += piece) {
        const std::size_t count = std::min(piece, rows - first);
        const auto target = floats.view().block(0, 0, count, cols);
        PLIMSOLL_RETURN_IF_ERROR(reader.read_rows(tensor, first, target));
        for (std::size_t i = 0; i < count; ++i) {
            std::copy(target.row(i).begin(), target.row(i).end(), doubles.view().row(i).begin());
        }
        use(std::as_const(doubles).view().block(0, 0, count, cols), first);
    }
    return {};
}

Result<Spectrum> streamed_spectrum(WeightReader& reader, const TensorInfo& tensor, double roundoff,
                                   Meter& meter) {
    const std::size_t cols = cols_of(tensor);
    DenseMatrix<double> gram(cols, cols);
    double row_norm = 0;
    PLIMSOLL_RETURN_IF_ERROR(for_each_piece(reader, tensor, [&](MatrixView<const double> rows, std::size_t) {
        rank::add_gram(rows, gram.view());
        row_norm = std::max(row_norm, largest_row_norm(rows));
        meter.add(matrix_work(tensor) / rows_of(tensor) * rows.rows());
    }));
    return rank::spectrum_from_gram(gram.view(), row_norm, roundoff);
}

Result<Spectrum> whole_spectrum(WeightReader& reader, const TensorInfo& tensor, double roundoff) {
    DenseMatrix<double> matrix(rows_of(tensor), cols_of(tensor));
    PLIMSOLL_RETURN_IF_ERROR(
        for_each_piece(reader, tensor, [&](MatrixView<const double> rows, std::size_t first) {
            std::copy_n(rows.data(), rows.rows() * rows.cols(), matrix.view().row(first).begin());
        }));
    return rank::spectrum_in_place(matrix.view(), roundoff);
}

// QR of both factors of one head.
std::uint64_t head_work(const AttentionTensors& layer, std::size_t dim) {
    return 1 + 8 * input_width(layer) * dim / 1024 * dim;
}

std::uint64_t sum_work(const AttentionTensors& layer, const HeadCounts& counts) {
    const std::uint64_t width = input_width(layer);
    return 1 + 8 * width * width / 1024 * std::min<std::uint64_t>(width, counts.kv_heads * counts.value_dim);
}

std::uint64_t layer_work(const AttentionTensors& layer, const HeadCounts& counts) {
    return counts.heads * (head_work(layer, counts.head_dim) + head_work(layer, counts.value_dim)) +
           sum_work(layer, counts);
}

// `count` of the layers, evenly from the first to the last.
std::vector<AttentionTensors> spread(std::vector<AttentionTensors> layers, std::size_t count) {
    if (count == 0 || count >= layers.size()) return layers;
    std::vector<AttentionTensors> kept;
    for (std::size_t i = 0; i < count; ++i) {
        kept.push_back(layers[count == 1 ? 0 : i * (layers.size() - 1) / (count - 1)]);
    }
    return kept;
}

// One run over a model.
class Analysis {
  public:
    Analysis(const formats::TensorTable& table, const formats::ModelShape& shape,
             const WeightOptions& options, const ProgressCallback& progress)
        : shape_(shape),
          options_(options),
          names_(find_weights(table)),
          reader_(table),
          meter_(progress, plan()) {}

    Result<WeightReport> run();

  private:
    std::uint64_t plan();
    Status analyse(const NamedMatrix& matrix);
    Status analyse(const AttentionTensors& layer);
    Status analyse(const AttentionTensors& layer, const HeadCounts& counts, WeightRole role);
    Result<ProductSpectra> product(const AttentionTensors& layer, const HeadCounts& counts, WeightRole role,
                                   double roundoff);
    bool allowed(const std::string& part, const Tensors& tensors, double bytes);
    void leave_out(const std::string& part, const std::string& reason);
    // Leaves `part` out for `problem`, or passes it on when the file cannot be read.
    Status leave_out(const std::string& part, const Error& problem);
    // True, and the part is left out, when values just read were not finite.
    bool had_not_finite(const std::string& part);

    const formats::ModelShape& shape_;
    const WeightOptions& options_;
    WeightNames names_;
    WeightReader reader_;
    WeightReport report_;
    Meter meter_;
};

std::uint64_t Analysis::plan() {
    const std::size_t layers = names_.attention.size();
    names_.attention = spread(std::move(names_.attention), options_.max_layers);
    if (names_.attention.size() < layers) {
        names_.not_analysed.push_back(
            {"attention layers",
             fmt::format("{} of {} were asked for, evenly spread", names_.attention.size(), layers)});
    }
    std::uint64_t total = 0;
    for (const NamedMatrix& matrix : names_.matrices) total += matrix_work(*matrix.tensor);
    for (const AttentionTensors& layer : names_.attention) {
        const auto counts = head_counts(layer, shape_);
        total += counts.ok() ? layer_work(layer, *counts) : 1;
    }
    return total;
}

Result<WeightReport> Analysis::run() {
    for (const NamedMatrix& matrix : names_.matrices) PLIMSOLL_RETURN_IF_ERROR(analyse(matrix));
    for (const AttentionTensors& layer : names_.attention) PLIMSOLL_RETURN_IF_ERROR(analyse(layer));
    for (const auto& entry : names_.not_analysed) report_.not_analysed.push_back(entry);
    if (report_.spectra.empty() && report_.not_analysed.empty())
        leave_out("weights", "the files hold no matrix");
    return std::move(report_);
}

void Analysis::leave_out(const std::string& part, const std::string& reason) {
    report_.not_analysed.push_back({part, reason});
}

Status Analysis::leave_out(const std::string& part, const Error& problem) {
    if (problem.kind == ErrorKind::io) return problem;
    leave_out(part, problem.where == part ? problem.message : problem.text());
    return {};
}

bool Analysis::had_not_finite(const std::string& part) {
    const std::uint64_t count = reader_.take_not_finite();
    if (count == 0) return false;
    report_.not_finite += count;
    leave_out(part, fmt::format("{} of its values are NaN or infinite", count));
    return true;
}

bool Analysis::allowed(const std::string& part, const Tensors& tensors, double bytes) {
    for (const TensorInfo* tensor : tensors) {
        if (formats::is_decodable(tensor->dtype)) continue;
        leave_out(part,
                  fmt::format("{} is {}, which is not decoded", tensor->name, formats::type_name(*tensor)));
        return false;
    }
    if (bytes <= static_cast<double>(options_.max_memory)) return true;
    leave_out(part, fmt::format("needs {} of memory, {} are allowed", human_bytes(bytes),
                                human_bytes(static_cast<double>(options_.max_memory))));
    return false;
}

WeightSpectrum described(WeightRole role, const std::string& name, const Tensors& tensors) {
    WeightSpectrum entry;
    entry.role = role;
    entry.name = name;
    entry.layer = role == WeightRole::input_embedding ? std::nullopt : layer_number(name);
    for (const TensorInfo* tensor : tensors) entry.tensors.push_back(tensor->name);
    entry.dtype = dtypes_of(tensors);
    return entry;
}

Status Analysis::analyse(const NamedMatrix& matrix) {
    const TensorInfo& tensor = *matrix.tensor;
    if (!allowed(tensor.name, {&tensor}, matrix_bytes(tensor))) return {};
    const double roundoff = audit::roundoff_of(tensor.dtype);
    auto spectrum = is_streamed(tensor) ? streamed_spectrum(reader_, tensor, roundoff, meter_)
                                        : whole_spectrum(reader_, tensor, roundoff);
    if (!is_streamed(tensor)) meter_.add(matrix_work(tensor));
    if (!spectrum.ok()) return leave_out(tensor.name, spectrum.error());
    if (had_not_finite(tensor.name)) return {};
    WeightSpectrum entry = described(matrix.role, tensor.name, {&tensor});
    entry.rows = rows_of(tensor);
    entry.cols = cols_of(tensor);
    entry.spectrum = std::move(spectrum).value();
    report_.spectra.push_back(std::move(entry));
    return {};
}

Status Analysis::analyse(const AttentionTensors& layer) {
    const auto counts = head_counts(layer, shape_);
    if (!counts.ok()) return leave_out(layer.name, counts.error());
    PLIMSOLL_RETURN_IF_ERROR(analyse(layer, *counts, WeightRole::value_output));
    return analyse(layer, *counts, WeightRole::query_key);
}

Result<ProductSpectra> Analysis::product(const AttentionTensors& layer, const HeadCounts& counts,
                                         WeightRole role, double roundoff) {
    const bool query_key = role == WeightRole::query_key;
    const auto head_done = [&] {
        meter_.add(head_work(layer, query_key ? counts.head_dim : counts.value_dim));
    };
    if (query_key) {
        PLIMSOLL_ASSIGN(weights, load_query_key(reader_, layer, counts));
        return query_key_spectra(weights, counts, roundoff, head_done);
    }
    PLIMSOLL_ASSIGN(weights, load_value_output(reader_, layer, counts));
    auto spectra = value_output_spectra(weights, counts, roundoff, head_done);
    meter_.add(sum_work(layer, counts));
    return spectra;
}

Status Analysis::analyse(const AttentionTensors& layer, const HeadCounts& counts, WeightRole role) {
    const bool query_key = role == WeightRole::query_key;
    const std::string part = fmt::format("{} {}", layer.name, name_of(role));
    const Tensors tensors = tensors_of(layer, role);
    const std::size_t rows = query_key ? input_width(layer) : outputs_of(*layer.output, layer.input_first);
    const std::size_t cols = layer.key != nullptr ? cols_of(*layer.key) : input_width(layer);
    const double bytes =
        query_key ? query_key_bytes(layer, counts) + query_key_work_bytes(rows, cols, counts)
                  : value_output_bytes(layer, counts) + value_output_work_bytes(rows, cols, counts);
    if (!allowed(part, tensors, bytes)) return {};
    auto spectra = product(layer, counts, role, roundoff_of(tensors));
    if (!spectra.ok()) return leave_out(part, spectra.error());
    if (had_not_finite(part)) return {};
    WeightSpectrum entry = described(role, layer.name, tensors);
    entry.rows = rows;
    entry.cols = cols;
    entry.spectrum = spectra->spectrum;
    if (counts.known) entry.heads = spectra->heads;
    report_.spectra.push_back(std::move(entry));
    return {};
}

}  // namespace

Result<WeightReport> weight_spectra(const formats::TensorTable& table, const formats::ModelShape& shape,
                                    const WeightOptions& options, const ProgressCallback& progress) {
    PLIMSOLL_RETURN_IF_ERROR(rank::prepare_singular_values(options.threads));
    return Analysis(table, shape, options, progress).run();
}

}  // namespace plimsoll::audit
