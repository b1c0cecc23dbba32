#include "plimsoll/formats/safetensors/safetensors_header.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "plimsoll/base/format.h"
#include "plimsoll/base/json_visit.h"
#include "plimsoll/base/utf8.h"

namespace plimsoll::formats {
namespace {

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::size_t max_rank = 64;  // what torch and numpy can hold

enum class Field { dtype, shape, data_offsets };
constexpr std::array<std::string_view, 3> field_names{"dtype", "shape", "data_offsets"};

// Collects tensors from the events. Depth 1 is the header's own object, 2 a tensor or the metadata, 3 the
// numbers of a shape or of the offsets.
class HeaderVisitor final : public JsonVisitor {
  public:
    explicit HeaderVisitor(std::string_view where) : where_(where) {}
    [[nodiscard]] SafetensorsHeader take() { return std::move(header_); }

    Status begin(bool is_object) override {
        if (depth_ == 0 && !is_object) return refuse("the header must be a JSON object");
        if (depth_ == 1 && !is_object) return refuse(in_name("must be an object"));
        if (depth_ == 1 && !in_metadata_) entry_ = HeaderEntry{.info = {.name = name_}};
        if (depth_ == 2) PLIMSOLL_RETURN_IF_ERROR(begin_numbers(is_object));
        if (depth_ == 3) return refuse(in_field("must hold whole numbers only"));
        ++depth_;
        return {};
    }

    Status end(bool /*is_object*/) override {
        --depth_;
        if (depth_ == 2) return end_numbers();
        if (depth_ == 1) return in_metadata_ ? end_metadata() : end_tensor();
        return {};
    }

    Status key(std::string name) override {
        if (depth_ == 1) return begin_member(std::move(name));
        if (in_metadata_) {
            metadata_name_ = std::move(name);
            return {};
        }
        return begin_field(name);
    }

    Status scalar(Json value) override {
        if (depth_ == 0) return refuse("the header must be a JSON object");
        if (depth_ == 1) return refuse(in_name("must be an object"));
        if (in_metadata_) return metadata_value(std::move(value));
        if (depth_ == 3) return add_number(value);
        if (field_ != Field::dtype) return refuse(in_field("must be a list of whole numbers"));
        return set_dtype(value);
    }

  private:
    Status begin_member(std::string name) {
        name_ = std::move(name);
        in_metadata_ = name_ == metadata_key;
        if (in_metadata_ && std::exchange(metadata_seen_, true)) return refuse(in_name("is given twice"));
        seen_ = {};
        return {};
    }
    Status begin_field(std::string_view name) {
        const auto* found = std::ranges::find(field_names, name);
        if (found == field_names.end()) {
            return refuse(in_name(
                fmt::format("unknown key '{}' (one of: {})", printable(name), fmt::join(field_names, ", "))));
        }
        field_ = static_cast<Field>(found - field_names.begin());
        if (std::exchange(seen(field_), true)) return refuse(in_field("is given twice"));
        return {};
    }
    Status begin_numbers(bool is_object) {
        if (in_metadata_) return refuse(in_name("must map strings to strings"));
        if (is_object || field_ == Field::dtype) {
            return refuse(
                in_field(field_ == Field::dtype ? "must be a string" : "must be a list of whole numbers"));
        }
        numbers_.clear();
        return {};
    }
    Status add_number(const Json& value) {
        if (!value.is_number_unsigned())
            return refuse(in_field("must hold whole numbers of at least 0 only"));
        if (numbers_.size() == max_rank)
            return refuse(in_field(fmt::format("holds more than {} numbers", max_rank)));
        numbers_.push_back(value.get<std::uint64_t>());
        return {};
    }
    Status end_numbers() {
        if (field_ == Field::shape) {
            entry_.info.shape = numbers_;
            return {};
        }
        if (numbers_.size() != 2)
            return refuse(in_field(fmt::format("must hold 2 numbers, holds {}", numbers_.size())));
        entry_.start = numbers_[0];
        entry_.end = numbers_[1];
        return {};
    }
    Status set_dtype(const Json& value) {
        if (!value.is_string()) return refuse(in_field("must be a string"));
        const auto& name = value.get_ref<const std::string&>();
        const auto dtype = dtype_from_name(name);
        if (!dtype) {
            return unsupported(std::string(where_),
                               in_field(fmt::format("'{}' is not known", printable(name))));
        }
        entry_.info.dtype = *dtype;
        return {};
    }
    Status end_tensor() {
        for (std::size_t i = 0; i < field_names.size(); ++i) {
            if (!seen_[i]) return refuse(in_name(fmt::format("has no {}", field_names[i])));
        }
        header_.entries.push_back(std::move(entry_));
        return {};
    }
    Status metadata_value(Json value) {
        if (!value.is_string()) return refuse(in_name("must map strings to strings"));
        append_member(header_.metadata, std::move(metadata_name_), std::move(value));
        return {};
    }
    Status end_metadata() {
        const std::string* repeated = repeated_key(header_.metadata);
        if (repeated == nullptr) return {};
        return refuse(in_name(fmt::format("key '{}' is given twice", printable(*repeated))));
    }

    bool& seen(Field field) { return seen_[static_cast<std::size_t>(field)]; }
    [[nodiscard]] std::string in_name(std::string_view message) const {
        const std::string_view kind = in_metadata_ ? "" : "tensor ";
        return fmt::format("{}'{}': {}", kind, printable(name_), message);
    }
    [[nodiscard]] std::string in_field(std::string_view message) const {
        return in_name(fmt::format("{} {}", field_names[static_cast<std::size_t>(field_)], message));
    }
    [[nodiscard]] Error refuse(std::string message) const {
        return bad_input(std::string(where_), std::move(message));
    }

    std::string_view where_;
    SafetensorsHeader header_;
    int depth_ = 0;
    std::string name_;  // of the member of depth 1
    bool in_metadata_ = false;
    bool metadata_seen_ = false;
    std::string metadata_name_;
    HeaderEntry entry_;
    Field field_ = Field::dtype;
    std::array<bool, 3> seen_{};
    std::vector<std::uint64_t> numbers_;
};

const std::string* repeated_name(const std::vector<HeaderEntry>& entries) {
    std::vector<const std::string*> names;
    for (const HeaderEntry& entry : entries) names.push_back(&entry.info.name);
    std::ranges::sort(names, {}, [](const std::string* name) { return std::string_view(*name); });
    const auto same = [](const std::string* a, const std::string* b) { return *a == *b; };
    const auto found = std::ranges::adjacent_find(names, same);
    return found == names.end() ? nullptr : *found;
}

}  // namespace

Result<SafetensorsHeader> parse_safetensors_json(std::string_view text, std::string_view where) {
    HeaderVisitor visitor(where);
    PLIMSOLL_RETURN_IF_ERROR(visit_json(text, where, visitor));
    SafetensorsHeader header = visitor.take();
    if (const std::string* name = repeated_name(header.entries)) {
        return bad_input(std::string(where), fmt::format("tensor '{}' is given twice", printable(*name)));
    }
    return header;
}

}  // namespace plimsoll::formats
