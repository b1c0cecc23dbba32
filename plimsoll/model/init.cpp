#include "plimsoll/model/init.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "plimsoll/base/format.h"
#include "plimsoll/base/random.h"
#include "plimsoll/base/text.h"

namespace plimsoll::model {
namespace {

// What a tensor does, as far as its first values are concerned.
enum class Role { zero, one, table, matrix };

struct Part {
    Role role = Role::matrix;
    double inputs = 1;      // numbers that one output of a matrix could read
    double connected = 1;   // the share of them that it does read, on average
    bool residual = false;  // writes into a residual sum
};

bool is_table(const std::string& name, const arch::ArchSpec& spec) {
    if (const auto* attention = std::get_if<arch::AttentionSpec>(&spec)) {
        const bool looked_up = attention->embedding == arch::InputEmbedding::vocab;
        if (name == "embedding.weight" || name == "embedding.inner.weight") return looked_up;
        return name == "positions.weight" || name == "positions.inner.weight";
    }
    static const std::vector<std::string> tables{"tokens.weight", "segments.weight", "positions.weight",
                                                 "relative_positions.weight", "extra_tokens"};
    return std::find(tables.begin(), tables.end(), name) != tables.end();
}

bool is_residual(const std::string& name) {
    for (const char* end : {"attention.output.weight", "ffn.down.weight", "tokens.down.weight",
                            "channels.down.weight", "projection.weight", "mlp.down.weight"}) {
        if (name.ends_with(end)) return true;
    }
    return false;
}

// The connections of a wide sparse matrix are one vector; its sides are in the spec.
Part sparse_part(const std::string& name, const arch::SwMlpSpec& spec) {
    const std::int64_t hidden = spec.hidden == 0 ? spec.net.width : spec.hidden;
    const bool second = name.ends_with("second.values");
    const auto inputs = static_cast<double>(second ? hidden : spec.net.width);
    const auto outputs = static_cast<double>(second ? spec.net.width : hidden);
    return {Role::matrix, inputs, static_cast<double>(spec.connections) / (inputs * outputs)};
}

// What an MLP adds up before its first layer: all numbers of a row and one embedding a category, so that the
// sum has the size of one of them.
Part table_input_part(const std::string& name, const arch::MlpSpec& spec) {
    const double terms = static_cast<double>(spec.net.inputs + std::ssize(spec.categories));
    return {name == "categories.weight" ? Role::table : Role::matrix, terms};
}

// `columns` is how many times more columns the tensor has than the one whose law is asked for.
Part part_of(const arch::TensorShape& tensor, const arch::ArchSpec& spec, double columns = 1) {
    const std::string& name = tensor.name;
    if (name.ends_with("bias")) return {Role::zero};
    if (name.ends_with("norm.weight")) return {Role::one};
    if (name.ends_with(".values")) return sparse_part(name, std::get<arch::SwMlpSpec>(spec));
    const auto* mlp = std::get_if<arch::MlpSpec>(&spec);
    if (mlp != nullptr && (name == "input.weight" || name == "categories.weight"))
        return table_input_part(name, *mlp);
    const double inputs = static_cast<double>(tensor.shape.back()) / columns;
    if (is_table(name, spec)) return {Role::table, inputs};
    return {Role::matrix, inputs, 1, is_residual(name)};
}

// The sums that the residual stream of a network takes in: two per layer.
double residual_sums(const arch::ArchSpec& spec, const Scaling& scaling) {
    const auto own = std::visit(
        [](const auto& s) {
            if constexpr (requires { s.net.depth; }) {
                return s.net.depth;
            } else {
                return s.depth;
            }
        },
        spec);
    return 2.0 * static_cast<double>(scaling.depth == 0 ? own : scaling.depth);
}

bool is_tied(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) return s->tied;
    if (const auto* s = std::get_if<arch::MixerSpec>(&spec)) return s->tied;
    return false;
}

// A table that is also the output matrix must not start at the size of a table, and what is added to its rows
// must not be larger than they are: it would drown them.
double table_deviation(const arch::TensorShape& tensor, const arch::ArchSpec& spec, Part part) {
    if (std::holds_alternative<arch::MlpSpec>(spec)) return 1 / std::sqrt(part.inputs);
    const bool beside_tokens = tensor.name != "relative_positions.weight";
    return is_tied(spec) && beside_tokens ? 1 / std::sqrt(part.inputs) : 1;
}

class Draws {
  public:
    Draws(const std::string& name, std::uint64_t seed) : stream_(seed, "init/" + name) {}

    double uniform(double bound) { return bound * (2 * stream_.uniform() - 1); }
    // One entry takes two draws, so that entry k does not depend on the others (Box and Muller).
    double normal(double deviation) {
        const double radius = std::sqrt(-2 * std::log(1 - stream_.uniform()));
        return deviation * radius * std::cos(2 * std::numbers::pi * stream_.uniform());
    }
    // Normal, drawn again while more than two deviations away.
    double truncated(double deviation) {
        double value = normal(1);
        while (std::abs(value) > 2) value = normal(1);
        return deviation * value;
    }

  private:
    RandomStream stream_;
};

template <class Draw>
at::Tensor filled(const arch::TensorShape& tensor, Draw draw) {
    at::Tensor values = at::empty(tensor.shape, at::kDouble);
    double* out = values.data_ptr<double>();
    for (std::int64_t k = 0; k < values.numel(); ++k) out[k] = draw();
    return values;
}

// PyTorch's own: matrices and biases uniform in +-1/sqrt(inputs), tables normal, norms one.
at::Tensor pytorch_values(const arch::TensorShape& tensor, const arch::ArchSpec& spec, Part part,
                          Draws& draws) {
    if (part.role == Role::table) {
        const double deviation = table_deviation(tensor, spec, part);
        return filled(tensor, [&] { return draws.normal(deviation); });
    }
    const double reads = part.inputs * part.connected;
    return filled(tensor, [&] { return draws.uniform(1 / std::sqrt(reads)); });
}

double scaled_deviation(const arch::TensorShape& tensor, const arch::ArchSpec& spec, Part part,
                        const std::string& init) {
    if (part.role == Role::table) return table_deviation(tensor, spec, part);
    return init == "ntk" ? 1 / std::sqrt(part.connected) : 1 / std::sqrt(part.inputs * part.connected);
}

// PyTorch's own for a bias: as for its owner, the matrix before it in the list.
at::Tensor pytorch_bias(const arch::TensorShape& tensor, Part part, Draws& draws) {
    if (part.role != Role::matrix) return at::zeros(tensor.shape, at::kDouble);
    return filled(tensor, [&] { return draws.uniform(1 / std::sqrt(part.inputs * part.connected)); });
}

}  // namespace

const std::vector<Initialisation>& initialisations() {
    static const std::vector<Initialisation> list{
        {"default",
         "gpt2 for decoders, bert for encoders, navon for mixers and vision MLPs, fan-in for all others", ""},
        {"gpt2", "normal, deviation 0.02; matrices that write into a residual sum / sqrt(2 depth)",
         "Radford et al. 2019, section 2.3"},
        {"bert", "normal, deviation 0.02, cut at two deviations", "Devlin et al. 2019, released code"},
        {"navon", "PyTorch's own: uniform in +-1/sqrt(inputs), biases too; tables normal",
         "Navon and Bronstein 2022, released code"},
        {"fan-in", "normal, deviation 1/sqrt(connections of an output)",
         "Golubeva et al. 2021, standard parametrisation"},
        {"ntk", "normal, deviation 1/sqrt(density), every matrix used as W/sqrt(inputs)",
         "Golubeva et al. 2021, NTK parametrisation"}};
    return list;
}

namespace {

std::string own_initialisation(const arch::ArchSpec& spec) {
    if (const auto* s = std::get_if<arch::TransformerSpec>(&spec)) {
        return s->stack == arch::Stack::encoder ? "bert" : "gpt2";
    }
    const std::string family = arch::family_name(spec);
    for (const char* name : {"mixer", "s-mixer", "rp-mixer", "s2-mlp", "vip", "hire-mlp"}) {
        if (family == name) return "navon";
    }
    return "fan-in";
}

}  // namespace

Result<std::string> resolve_initialisation(const std::string& name, const arch::ArchSpec& spec) {
    if (name == "default") return own_initialisation(spec);
    std::vector<std::string> names;
    for (const auto& one : initialisations()) names.push_back(one.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        return bad_input("init", fmt::format("there is no '{}'{}", name, suggestion(name, names)));
    }
    if (name == "ntk" && std::holds_alternative<arch::TransformerSpec>(spec)) {
        return unsupported("init",
                           "ntk is for mixers, vision MLPs, flat and analysed nets; a transformer "
                           "takes gpt2, bert, navon or fan-in");
    }
    return name;
}

namespace {

// Of what a tensor belongs to: the one before it in the list.
Part owner_of(const std::vector<arch::TensorShape>& tensors, std::size_t number, const arch::ArchSpec& spec,
              const Scaling& scaling) {
    if (number == 0) return {Role::zero};
    return part_of(tensors[number - 1], spec, scaling.of(number - 1).columns);
}

// By the law of the initialisation, before anything is multiplied.
at::Tensor drawn_values(const std::vector<arch::TensorShape>& tensors, std::size_t number,
                        const arch::ArchSpec& spec, const std::string& init, const Scaling& scaling,
                        Draws& draws) {
    const arch::TensorShape& tensor = tensors[number];
    const Part part = part_of(tensor, spec, scaling.of(number).columns);
    if (part.role == Role::one) return at::ones(tensor.shape, at::kDouble);
    if (part.role == Role::zero && init == "navon")
        return pytorch_bias(tensor, owner_of(tensors, number, spec, scaling), draws);
    if (part.role == Role::zero) return at::zeros(tensor.shape, at::kDouble);
    if (init == "navon") return pytorch_values(tensor, spec, part, draws);
    if (init == "bert") return filled(tensor, [&] { return draws.truncated(0.02); });
    if (init == "gpt2") {
        const double deviation = part.residual ? 0.02 / std::sqrt(residual_sums(spec, scaling)) : 0.02;
        return filled(tensor, [&] { return draws.normal(deviation); });
    }
    const double deviation = scaled_deviation(tensor, spec, part, init);
    return filled(tensor, [&] { return draws.normal(deviation); });
}

}  // namespace

at::Tensor initial_values(const std::vector<arch::TensorShape>& tensors, std::size_t number,
                          const arch::ArchSpec& spec, const std::string& init, const Scaling& scaling,
                          std::uint64_t seed) {
    Draws draws(tensors[number].name, seed);
    at::Tensor values = drawn_values(tensors, number, spec, init, scaling, draws);
    const double start = scaling.of(number).start;
    return start == 1 ? values : values.mul_(start);
}

double matrix_prefactor(const arch::TensorShape& tensor, const arch::ArchSpec& spec,
                        const std::string& init) {
    const Part part = part_of(tensor, spec);
    return init == "ntk" && part.role == Role::matrix ? 1 / std::sqrt(part.inputs) : 1;
}

}  // namespace plimsoll::model
