#include "plimsoll/python/tokenizer.h"

#include <span>
#include <string>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "plimsoll/base/files.h"
#include "plimsoll/bpe/encode.h"
#include "plimsoll/bpe/files.h"
#include "plimsoll/bpe/stream.h"
#include "plimsoll/bpe/train.h"
#include "plimsoll/python/values.h"

namespace plimsoll::python {
namespace {

using bpe::BpeEncoder;

// An encoder that can be used from several Python threads: each call has a Scratch of its own.
class Tokenizer {
  public:
    explicit Tokenizer(BpeEncoder encoder) : encoder_(std::move(encoder)) {}

    [[nodiscard]] const bpe::BpeModel& model() const { return encoder_.model(); }

    [[nodiscard]] py::object encode(const std::string& text, bool specials_as_text) const {
        std::vector<std::uint32_t> ids;
        without_gil([&] {
            BpeEncoder::Scratch scratch;
            encoder_.encode(text, specials_as_text, scratch, ids);
            return 0;
        });
        return array_of(std::move(ids));
    }

    [[nodiscard]] py::object encode_file(const std::string& path, std::size_t threads,
                                         const std::string& unit, bool specials_as_text,
                                         const py::object& progress) const {
        bpe::EncodeOptions options;
        options.unit = value_or_raise(bpe::parse_text_unit(unit));
        options.threads = threads;
        options.specials_as_text = specials_as_text;
        options.progress = listener(progress);
        std::vector<std::uint32_t> ids;
        const auto sink = [&](std::span<const std::uint32_t> part) {
            ids.insert(ids.end(), part.begin(), part.end());
            return Status();
        };
        value_or_raise(without_gil([&] { return bpe::encode_file(encoder_, path, options, sink); }));
        return array_of(std::move(ids));
    }

    [[nodiscard]] py::bytes decode(const py::array_t<std::uint32_t, py::array::c_style>& ids) const {
        std::string bytes;
        check_or_raise(encoder_.decode({ids.data(), static_cast<std::size_t>(ids.size())}, bytes));
        return bytes;
    }

    [[nodiscard]] py::bytes token(std::size_t id) const {
        if (id >= model().tokens.size()) throw py::index_error("no token has the id " + std::to_string(id));
        return model().tokens[id];
    }

    void save(const std::string& path, bool ranks) const {
        check_or_raise(ranks ? atomic_write(path, bpe::rank_text(model())) : bpe::write_bpe(path, model()));
    }

  private:
    BpeEncoder encoder_;
};

Tokenizer tokenizer_of(bpe::BpeModel model) {
    return Tokenizer(value_or_raise(BpeEncoder::make(std::move(model))));
}

Tokenizer read(const std::string& path) { return tokenizer_of(value_or_raise(bpe::read_bpe(path))); }

Tokenizer train(const std::vector<std::string>& files, std::uint64_t vocab,
                const std::vector<std::string>& specials, const std::string& pretokenizer,
                std::uint64_t min_frequency, bool allow_smaller, std::size_t threads,
                const py::object& progress) {
    bpe::BpeTraining training;
    training.vocab = vocab;
    training.specials = specials;
    training.pretokenizer = value_or_raise(bpe::parse_pretokenizer(pretokenizer));
    training.min_frequency = min_frequency;
    training.allow_smaller = allow_smaller;
    training.threads = threads;
    training.counting = training.merging = listener(progress);
    return tokenizer_of(value_or_raise(without_gil([&] {
                            return bpe::train_bpe({files.begin(), files.end()}, training);
                        })).model);
}

}  // namespace

void bind_tokenizer(py::module_& module) {
    py::class_<Tokenizer>(module, "Tokenizer")
        .def("encode", &Tokenizer::encode, py::arg("text"), py::arg("specials_as_text"))
        .def("encode_file", &Tokenizer::encode_file, py::arg("path"), py::arg("threads"), py::arg("unit"),
             py::arg("specials_as_text"), py::arg("progress"))
        .def("decode", &Tokenizer::decode, py::arg("ids"))
        .def("token", &Tokenizer::token, py::arg("id"))
        .def("save", &Tokenizer::save, py::arg("path"), py::arg("ranks"))
        .def("same_as", [](const Tokenizer& a, const Tokenizer& b) { return a.model() == b.model(); })
        .def_property_readonly("size", [](const Tokenizer& one) { return one.model().size(); });
    module.def("read_tokenizer", &read, py::arg("path"));
    module.def("train_tokenizer", &train, py::arg("files"), py::arg("vocab"), py::arg("specials"),
               py::arg("pretokenizer"), py::arg("min_frequency"), py::arg("allow_smaller"),
               py::arg("threads"), py::arg("progress"));
}

}  // namespace plimsoll::python
