#include "plimsoll/verify/identities.h"

#include "plimsoll/base/format.h"
#include "plimsoll/nets/attention.h"
#include "plimsoll/nets/expansion.h"

namespace plimsoll::verify {
namespace {

using nets::PrimeField;
using ModularAttention = nets::Attention<PrimeField>;
using Input = nets::MatrixOver<PrimeField>;

// Whether an identity holds for a network at an input.
using Identity = bool (*)(const ModularAttention&, const Input&);

struct IdentityShape {
    std::int64_t depth, width, heads, head_dim;
    std::int64_t positions;
};

Observation observe_identity(const IdentityShape& shape, Identity identity) {
    const PrimeField field;
    const arch::AttentionSpec spec{.depth = shape.depth,
                                   .width = shape.width,
                                   .heads = shape.heads,
                                   .head_dim = shape.head_dim,
                                   .embedding_rank = shape.width};
    const ModularAttention net(field, nets::draw_attention(field, spec, shape.positions, 11));
    RandomStream stream(12, "verify/identity");
    const auto x = nets::random_matrix(field, static_cast<std::size_t>(shape.width),
                                       static_cast<std::size_t>(shape.positions), stream);
    const bool holds = identity(net, x);
    return checked("both sides equal", holds ? "equal" : "different", holds);
}

std::vector<Trial> trials_of(const std::vector<IdentityShape>& shapes, Identity identity) {
    std::vector<Trial> trials;
    for (const IdentityShape& s : shapes) {
        trials.push_back(
            {fmt::format("L={} d={} H={} d_a={} N={}", s.depth, s.width, s.heads, s.head_dim, s.positions),
             "", [=](Measurements&) -> Result<Observation> { return observe_identity(s, identity); }});
    }
    return trials;
}

std::vector<IdentityShape> shapes_for(Effort effort) {
    std::vector<IdentityShape> shapes = {
        {1, 1, 1, 1, 2}, {1, 3, 1, 3, 4}, {2, 4, 2, 2, 6}, {3, 3, 3, 1, 5}, {4, 4, 2, 3, 8}};
    if (effort >= Effort::normal) shapes.push_back({5, 16, 4, 4, 32});
    if (effort == Effort::deep) shapes.push_back({7, 48, 12, 4, 96});
    return shapes;
}

bool forms_agree(const ModularAttention& net, const Input& x) {
    return net.forward(x) == net.forward_by_columns(x);
}

bool gram_agrees(const ModularAttention& net, const Input& x) {
    const auto& field = net.ring();
    const auto transform = net.gram_transform(product(field, x, transpose(x)));
    return product(field, transform, x) == net.forward(x);
}

bool degree_agrees(const ModularAttention& net, const Input& x) {
    const auto& field = net.ring();
    std::uint64_t degree = 1;
    for (std::size_t l = 0; l < net.weights().layers.size(); ++l) degree *= 3;
    const std::uint64_t t = 1'000'003;
    const auto scaled = net.forward(nets::scale(field, t, x));
    return scaled == nets::scale(field, nets::power(field, t, degree), net.forward(x)) &&
           scaled != net.forward(x);
}

bool expansion_agrees(const ModularAttention& net, const Input& x) {
    const auto& field = net.ring();
    const auto terms = nets::expand(field, net.weights());
    return nets::evaluate(field, terms, x) == net.forward(x);
}

}  // namespace

std::vector<Trial> layer_form_trials(Effort effort) { return trials_of(shapes_for(effort), forms_agree); }

std::vector<Trial> gram_trials(Effort effort) { return trials_of(shapes_for(effort), gram_agrees); }

std::vector<Trial> degree_trials(Effort effort) { return trials_of(shapes_for(effort), degree_agrees); }

std::vector<Trial> expansion_trials(Effort effort) {
    std::vector<IdentityShape> shapes = {{1, 2, 2, 1, 3}, {2, 2, 1, 2, 4}, {2, 3, 3, 1, 3}, {3, 2, 1, 2, 3}};
    if (effort >= Effort::normal) shapes.push_back({3, 2, 2, 1, 3});
    return trials_of(shapes, expansion_agrees);
}

}  // namespace plimsoll::verify
