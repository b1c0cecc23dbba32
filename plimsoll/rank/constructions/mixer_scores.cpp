// Nets of squares on pairs of samples. The first layer is linear before its square, so that a sample is
// packed as what it adds to each linear form that the output needs.
#include <algorithm>
#include <map>

#include "plimsoll/rank/constructions/square_network.h"
#include "plimsoll/rank/elimination/residues.h"

namespace plimsoll::rank {
namespace {

// Walks back from the output and gives every number on the way a value in the program, inputs first.
class Compiler {
  public:
    explicit Compiler(const WideNet& net) : net_(net) {}

    CompiledNet compile(std::size_t output) {
        collect(net_.layers.size(), output);
        for (const auto& [place, row] : first_forms_) add_input(place, net_.layers[0].rows[row]);
        for (const std::size_t entry : raw_entries_) add_input({0, entry}, {{entry, 1.0}});
        for (std::size_t layer = 1; layer <= net_.layers.size(); ++layer) add_nodes(layer);
        PLIMSOLL_CHECK(
            value_.at({net_.layers.size(), output}) + 1 == result_.inputs.size() + result_.nodes.size(),
            "the output is the last node");
        return std::move(result_);
    }

  private:
    // Number `index` of the vector after `layer` layers.
    using Place = std::pair<std::size_t, std::size_t>;

    [[nodiscard]] Place skip_place(std::size_t layer, std::size_t index) const {
        const WideLayer& wide = net_.layers[layer - 1];
        return {layer - wide.skip_back, wide.skip[index]};
    }

    // Marks everything that (layer, index) needs.
    void collect(std::size_t layer, std::size_t index) {
        if (layer == 0) {
            if (std::find(raw_entries_.begin(), raw_entries_.end(), index) == raw_entries_.end()) {
                raw_entries_.push_back(index);
            }
            return;
        }
        if (!needed_[layer].emplace(index, true).second) return;
        const WideLayer& wide = net_.layers[layer - 1];
        if (!wide.skip.empty()) {
            const Place from = skip_place(layer, index);
            collect(from.first, from.second);
        }
        if (layer == 1) {
            first_forms_.emplace_back(Place{first_form_layer, index}, index);
            return;
        }
        for (const FormTerm& term : wide.rows[index]) collect(layer - 1, term.index);
    }

    void add_input(Place place, LinearForm form) {
        value_[place] = result_.inputs.size();
        result_.inputs.push_back(std::move(form));
    }

    void add_nodes(std::size_t layer) {
        for (const auto& [index, marked] : needed_[layer]) add_node(layer, index);
    }

    void add_node(std::size_t layer, std::size_t index) {
        const WideLayer& wide = net_.layers[layer - 1];
        SquareNode node{.first = static_cast<std::uint32_t>(result_.terms.size()), .square = wide.square};
        if (layer == 1) {
            add_term({first_form_layer, index}, 1.0);
        } else {
            for (const FormTerm& term : wide.rows[index]) add_term({layer - 1, term.index}, term.weight);
        }
        node.last = static_cast<std::uint32_t>(result_.terms.size());
        if (!wide.skip.empty()) node.skip = static_cast<std::int32_t>(value_.at(skip_place(layer, index)));
        value_[{layer, index}] = result_.inputs.size() + result_.nodes.size();
        result_.nodes.push_back(node);
    }

    void add_term(Place from, double weight) {
        result_.terms.push_back({weight, static_cast<std::uint32_t>(value_.at(from))});
    }

    static constexpr std::size_t first_form_layer = SIZE_MAX;  // the linear forms inside layer 1

    const WideNet& net_;
    std::map<std::size_t, std::map<std::size_t, bool>> needed_;
    std::vector<std::pair<Place, std::size_t>> first_forms_;
    std::vector<std::size_t> raw_entries_;
    std::map<Place, std::size_t> value_;
    CompiledNet result_;
};

class SquareKernel : public PairKernel {
  public:
    SquareKernel(const BalancedField& field, CompiledNet net, const std::vector<std::size_t>& flat,
                 const Sides& sides, std::size_t degree, const Kernels& kernels)
        : residues_(field),
          kernels_(kernels),
          net_(std::move(net)),
          degree_(degree),
          rows_(forms_on(flat, sides.rows)),
          cols_(forms_on(flat, sides.cols)) {
        program_ = {.modulus = {residues_.p(), residues_.inverse_of_p()},
                    .inputs = net_.inputs.size(),
                    .nodes = net_.nodes.size(),
                    .node = net_.nodes.data(),
                    .term = net_.terms.data()};
    }

    [[nodiscard]] std::size_t row_size() const override { return net_.inputs.size(); }
    [[nodiscard]] std::size_t col_size() const override { return net_.inputs.size(); }
    [[nodiscard]] std::size_t degree() const override { return degree_; }
    [[nodiscard]] std::size_t lanes() const override { return kernels_.lanes; }
    [[nodiscard]] std::size_t workspace() const override { return workspace_size(program_, kernels_.lanes); }
    void pack_row(std::span<const double> sample, std::span<double> packed) const override {
        pack(rows_, sample, packed);
    }
    void pack_col(std::span<const double> sample, std::span<double> packed) const override {
        pack(cols_, sample, packed);
    }
    void evaluate(const double* row, const double* cols, std::size_t groups, double* out,
                  double* workspace) const override {
        kernels_.square(program_, row, cols, groups, out, workspace);
    }

  private:
    // The inputs' linear forms on one side's sample.
    [[nodiscard]] std::vector<LinearForm> forms_on(const std::vector<std::size_t>& flat,
                                                   const std::vector<std::size_t>& side) const {
        std::map<std::size_t, std::size_t> place;  // flat index to place in the sample
        for (std::size_t t = 0; t < side.size(); ++t) place[flat[side[t]]] = t;
        std::vector<LinearForm> forms;
        for (const LinearForm& whole : net_.inputs) {
            LinearForm& form = forms.emplace_back();
            for (const FormTerm& term : whole) {
                if (const auto at = place.find(term.index); at != place.end()) {
                    form.push_back({at->second, term.weight});
                }
            }
        }
        return forms;
    }

    void pack(const std::vector<LinearForm>& forms, std::span<const double> sample,
              std::span<double> packed) const {
        for (std::size_t i = 0; i < forms.size(); ++i) {
            double total = 0;
            for (const FormTerm& term : forms[i]) {
                total = residues_.reduce(total + term.weight * sample[term.index]);
            }
            packed[i] = total;
        }
    }

    Residues residues_;
    const Kernels& kernels_;
    CompiledNet net_;
    std::size_t degree_;
    std::vector<LinearForm> rows_, cols_;
    SquareProgram program_;
};

}  // namespace

CompiledNet compile(const WideNet& net, std::size_t output) { return Compiler(net).compile(output); }

std::unique_ptr<PairKernel> square_kernel(const BalancedField& field, const CompiledNet& net,
                                          const std::vector<std::size_t>& flat, const Sides& sides,
                                          std::size_t degree, const Kernels& kernels) {
    return std::make_unique<SquareKernel>(field, net, flat, sides, degree, kernels);
}

}  // namespace plimsoll::rank
