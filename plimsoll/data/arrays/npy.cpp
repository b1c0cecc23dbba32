#include "plimsoll/data/arrays/npy.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::data {
namespace {

constexpr std::size_t magic_bytes_of_npy = 6, most_header = std::size_t{1} << 16, most_npy_dimensions = 32;

// The dictionary of Python's that is the head of a .npy file: {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }. Read by hand, nothing else of Python is understood.
class NpyHeader {
  public:
    explicit NpyHeader(std::string_view text) : text_(text) {}

    std::string descr;
    bool fortran = false;
    std::vector<std::uint64_t> shape;

    // What is wrong with it; empty when nothing is.
    std::string read() {
        if (!take('{')) return "is no dictionary";
        while (!take('}')) {
            const auto key = quoted();
            if (!key || !take(':')) return "has no key where one is due";
            if (std::string problem = read_value(*key); !problem.empty()) return problem;
            if (!take(',') && !ends_with_brace()) return "has no comma after " + *key;
        }
        return descr.empty() || !has_shape_ ? "lacks descr or shape" : "";
    }

  private:
    std::string read_value(const std::string& key) {
        if (key == "descr") {
            const auto value = quoted();
            if (!value) return "says records (a structured array), which are not read";
            descr = *value;
        } else if (key == "fortran_order") {
            fortran = take_word("True");
            if (!fortran && !take_word("False")) return "fortran_order is neither True nor False";
        } else if (key == "shape") {
            return read_shape();
        } else {
            return "has an unknown key " + printable(key, 20);
        }
        return "";
    }
    std::string read_shape() {
        has_shape_ = true;
        if (!take('(')) return "shape is no tuple";
        while (!take(')')) {
            skip_space();
            const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
            constexpr std::size_t most_digits = 15;
            if (digits == 0 || digits > most_digits) return "shape holds no whole number";
            std::uint64_t value = 0;
            for (const char c : text_.substr(0, digits)) value = 10 * value + static_cast<unsigned>(c - '0');
            text_.remove_prefix(digits);
            shape.push_back(value);
            if (shape.size() > most_npy_dimensions) return "shape has more than 32 dimensions";
            if (!take(',') && (skip_space(), !text_.starts_with(')'))) return "shape has no comma";
        }
        return "";
    }

    void skip_space() {
        while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
    }
    bool take(char c) {
        skip_space();
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view word) {
        skip_space();
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    bool ends_with_brace() {
        skip_space();
        return text_.starts_with('}');
    }
    std::optional<std::string> quoted() {
        skip_space();
        if (text_.empty() || (text_[0] != '\'' && text_[0] != '"')) return std::nullopt;
        const auto end = text_.find(text_[0], 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string word(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return word;
    }

    std::string_view text_;
    bool has_shape_ = false;
};

struct Descr {
    ElementType type;
    std::size_t bytes;
};

// "<i4", "|u1": kinds b, i, u and f of 1, 2, 4 or 8 bytes.
Result<Descr> read_descr(const std::string& descr, const std::string& name) {
    const auto other = [&](std::string_view what) {
        return unsupported(
            name, fmt::format("an array of {} ({}); whole numbers, reals and booleans are read", what,
                              printable(descr, 20)));
    };
    if (descr.size() < 2) return other("an unknown type");
    const char kind = descr[1];
    if (kind == 'O') return other("Python objects (a pickle), which can run any program");
    if (kind == 'U' || kind == 'S') return other("texts");
    if (descr[0] == '>') return other("big-endian numbers");
    const std::string_view size = std::string_view(descr).substr(2);
    const std::size_t bytes = size == "1" ? 1 : size == "2" ? 2 : size == "4" ? 4 : size == "8" ? 8 : 0;
    if (bytes == 0) return other("an unknown type");
    if (kind == 'b' && bytes == 1) return Descr{ElementType::boolean, 1};
    if (kind == 'i') return Descr{ElementType::whole, bytes};
    if (kind == 'u') return Descr{ElementType::unsigned_whole, bytes};
    if (kind == 'f' && bytes >= 2) return Descr{ElementType::real, bytes};
    return other("an unknown type");
}

// Where the dictionary starts and how long it is; version 1 counts in 16 bits, 2 and 3 in 32.
Result<std::pair<std::size_t, std::size_t>> header_place(const LoadedFile& file) {
    const auto bytes = file.bytes.view();
    const auto ends = [&] {
        return bad_input(file.name,
                         fmt::format("byte {}: ends inside the head of a .npy file", bytes.size()));
    };
    if (bytes.size() < magic_bytes_of_npy + 4) return ends();
    const std::uint8_t version = bytes[magic_bytes_of_npy];
    if (version < 1 || version > 3)
        return bad_input(file.name, fmt::format("byte 6: version {} of .npy; 1 to 3 are read", version));
    const std::size_t wide = version == 1 ? 2 : 4, first = magic_bytes_of_npy + 2 + wide;
    if (bytes.size() < first) return ends();
    std::size_t length = 0;
    for (std::size_t i = 0; i < wide; ++i) length |= std::size_t{bytes[magic_bytes_of_npy + 2 + i]} << 8 * i;
    if (length > most_header || bytes.size() - first < length) return ends();
    return std::pair(first, length);
}

// The product of a shape, or nothing when it is not exactly the elements that are there.
bool fits_exactly(const std::vector<std::uint64_t>& shape, std::uint64_t elements) {
    if (std::ranges::find(shape, 0U) != shape.end()) return elements == 0;
    std::uint64_t product = 1;
    for (const std::uint64_t dimension : shape) {
        if (product > elements / dimension) return false;
        product *= dimension;
    }
    return product == elements;
}

template <class T>
T element(const NpyArray& array, std::uint64_t index) {
    T value;
    std::memcpy(&value, array.elements.view().data() + index * sizeof(T), sizeof value);
    return value;
}

// A half: 1 bit of sign, 5 of exponent, 10 of fraction.
double half_at(const NpyArray& array, std::uint64_t index) {
    constexpr int fraction_bits = 10, bias = 15, largest = 31;
    const auto bits = element<std::uint16_t>(array, index);
    const int exponent = bits >> fraction_bits & largest, fraction = bits & ((1 << fraction_bits) - 1);
    const double sign = (bits >> 15) != 0 ? -1 : 1;
    if (exponent == largest)
        return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                             : sign * std::numeric_limits<double>::infinity();
    const int whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
    return sign * std::ldexp(whole, std::max(exponent, 1) - bias - fraction_bits);
}

template <class T>
Result<Tokens> copied_ids(const NpyArray& array, std::uint64_t vocabulary) {
    std::vector<T> ids(array.count());
    const std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    for (std::uint64_t i = 0; i < ids.size(); ++i) {
        const std::int64_t id = *whole_at(array, i);
        if (id < 0 || id > most)
            return bad_input(array.name, fmt::format("record {}: id {}; ids are 0 to {}", i, id, most));
        if (vocabulary != 0 && static_cast<std::uint64_t>(id) >= vocabulary)
            return bad_input(array.name,
                             fmt::format("record {}: id {} of a vocabulary of {}", i, id, vocabulary));
        ids[i] = static_cast<T>(id);
    }
    return Tokens{HostArray<T>(std::move(ids)), vocabulary};
}

}  // namespace

Result<NpyArray> parse_npy(const LoadedFile& file) {
    using namespace std::literals;
    const auto bytes = file.bytes.view();
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!all.starts_with("\x93NUMPY"sv))
        return bad_input(file.name, "byte 0: not a .npy file, which starts with 93 'NUMPY'");
    PLIMSOLL_ASSIGN(place, header_place(file));
    NpyHeader header(all.substr(place.first, place.second));
    if (const std::string problem = header.read(); !problem.empty())
        return bad_input(file.name, fmt::format("byte {}: the head of the array {}", place.first, problem));
    PLIMSOLL_ASSIGN(descr, read_descr(header.descr, file.name));
    const auto elements = bytes.subspan(place.first + place.second);
    if (elements.size() % descr.bytes != 0 || !fits_exactly(header.shape, elements.size() / descr.bytes))
        return bad_input(file.name,
                         fmt::format("states {} elements of {} bytes; {} bytes follow its head",
                                     fmt::join(header.shape, " x "), descr.bytes, elements.size()));
    return NpyArray{file.name,    descr.type,     descr.bytes,
                    header.shape, header.fortran, {elements, file.bytes.keeper()}};
}

std::string type_name(const NpyArray& array) {
    if (array.type == ElementType::boolean) return "bool";
    const char* kind = array.type == ElementType::real             ? "float"
                       : array.type == ElementType::unsigned_whole ? "uint"
                                                                   : "int";
    return fmt::format("{}{}", kind, 8 * array.element_bytes);
}

std::string shape_text(const NpyArray& array) {
    return array.shape.empty() ? "none" : fmt::format("{}", fmt::join(array.shape, " x "));
}

std::optional<std::int64_t> whole_at(const NpyArray& array, std::uint64_t index) {
    if (array.type == ElementType::real) return std::nullopt;
    const bool sign = array.type == ElementType::whole;
    switch (array.element_bytes) {
        case 1:
            return sign ? element<std::int8_t>(array, index) : element<std::uint8_t>(array, index);
        case 2:
            return sign ? element<std::int16_t>(array, index) : element<std::uint16_t>(array, index);
        case 4:
            return sign ? std::int64_t{element<std::int32_t>(array, index)}
                        : std::int64_t{element<std::uint32_t>(array, index)};
        default:
            return element<std::int64_t>(array, index);  // above 2^63: negative, and refused as such
    }
}

double real_at(const NpyArray& array, std::uint64_t index) {
    if (array.type != ElementType::real) return static_cast<double>(*whole_at(array, index));
    if (array.element_bytes == 2) return half_at(array, index);
    return array.element_bytes == 4 ? element<float>(array, index) : element<double>(array, index);
}

Result<Tokens> tokens_from(const NpyArray& array, std::uint64_t vocabulary) {
    const bool row = array.shape.size() == 1 && array.type != ElementType::real;
    if (!row)
        return bad_input(array.name,
                         fmt::format("holds {} numbers of {}; token ids are one row of whole numbers",
                                     shape_text(array), type_name(array)));
    return array.element_bytes <= 2 ? copied_ids<std::uint16_t>(array, vocabulary)
                                    : copied_ids<std::uint32_t>(array, vocabulary);
}

}  // namespace plimsoll::data
