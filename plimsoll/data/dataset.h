#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "plimsoll/base/check.h"

namespace plimsoll::data {

// Elements that no longer change: a vector of our own or a part of a mapped file. Copies share them and keep
// them alive.
template <class T>
class HostArray {
  public:
    HostArray() = default;
    HostArray(std::vector<T> elements) {
        const auto kept = std::make_shared<const std::vector<T>>(std::move(elements));
        elements_ = *kept;
        keeper_ = kept;
    }
    // Elements that live as long as `keeper` does.
    HostArray(std::span<const T> elements, std::shared_ptr<const void> keeper)
        : elements_(elements), keeper_(std::move(keeper)) {}

    [[nodiscard]] std::span<const T> view() const { return elements_; }
    // What keeps the elements alive, for another view of them.
    [[nodiscard]] const std::shared_ptr<const void>& keeper() const { return keeper_; }
    [[nodiscard]] std::size_t size() const { return elements_.size(); }
    [[nodiscard]] bool empty() const { return elements_.empty(); }
    [[nodiscard]] const T& operator[](std::size_t index) const { return elements_[index]; }
    [[nodiscard]] auto begin() const { return elements_.begin(); }
    [[nodiscard]] auto end() const { return elements_.end(); }

  private:
    std::span<const T> elements_;
    std::shared_ptr<const void> keeper_;
};

// The images of one file: each of its shape's bytes, the first at `first`, each next one `stride` bytes on.
struct ImageBlock {
    HostArray<std::uint8_t> bytes;
    std::size_t first = 0, stride = 0, count = 0;
};

struct ImageShape {
    std::size_t channels = 0, height = 0, width = 0;
    [[nodiscard]] std::size_t bytes() const { return channels * height * width; }
    bool operator==(const ImageShape&) const = default;
};

// One split of a set of images: N images of one shape, each planar (C, H, W), red plane first.
class ImageSplit {
  public:
    std::string name;                   // "train", "test", "extra", "unlabelled"; "all" when there is one
    std::vector<std::uint16_t> labels;  // (N), or empty when nobody labelled them
    std::vector<std::uint16_t> coarse_labels;  // (N), CIFAR-100's superclasses; empty elsewhere

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] const std::vector<ImageBlock>& blocks() const { return blocks_; }
    // Adds the images of one file behind those that are there.
    void add(ImageBlock block) {
        count_ += block.count;
        blocks_.push_back(std::move(block));
    }
    // The pixels (C, H, W) of one image.
    [[nodiscard]] std::span<const std::uint8_t> pixels(std::size_t index, const ImageShape& shape) const {
        for (const ImageBlock& block : blocks_) {
            if (index < block.count)
                return block.bytes.view().subspan(block.first + index * block.stride, shape.bytes());
            index -= block.count;
        }
        PLIMSOLL_CHECK(false, "an image outside its split");
        return {};
    }

  private:
    std::vector<ImageBlock> blocks_;
    std::size_t count_ = 0;
};

struct Images {
    ImageShape shape;
    std::vector<std::string> class_names;         // label to name
    std::vector<std::string> coarse_class_names;  // CIFAR-100's superclasses; empty elsewhere
    std::vector<ImageSplit> splits;
    std::vector<std::string> notes = {};  // what was done to them: "12 of 500 were resized to 32 x 32"
};

// One file of text, decompressed; the bytes as they are, UTF-8 or not.
struct TextFile {
    std::string name;
    HostArray<char> bytes;
};
// A file of a folder or an archive that is not part of the text, and what it is.
struct LeftOutFile {
    std::string name, why;
};
struct TextFiles {
    std::vector<TextFile> files;        // in the order of their paths
    std::vector<LeftOutFile> left_out;  // those that are no text, in the same order
};

// Token ids in a row, 16 or 32 bits each as they were stored.
struct TokenSplit {
    std::string name;
    std::size_t count = 0;
};
struct Tokens {
    std::variant<HostArray<std::uint16_t>, HostArray<std::uint32_t>> ids;
    std::uint64_t vocabulary = 0;         // ids are below it; 0 when nobody said
    std::vector<TokenSplit> splits = {};  // of a folder's files, one behind the other; empty: one row

    [[nodiscard]] std::size_t count() const {
        return std::visit([](const auto& array) { return array.size(); }, ids);
    }
    [[nodiscard]] std::uint32_t operator[](std::size_t index) const {
        return std::visit([index](const auto& array) -> std::uint32_t { return array[index]; }, ids);
    }
};

// N pairs of sentences; pair i says labels[i] about first[i] (premise) and second[i] (hypothesis).
struct SentencePairs {
    std::vector<std::string> first, second;  // (N)
    std::vector<std::uint16_t> labels;       // (N)
    std::vector<std::string> label_names;    // label to name
    std::vector<std::uint16_t> split_of;     // (N), or empty when the file has no splits
    std::vector<std::string> split_names;
    std::uint64_t left_out = 0;  // pairs of the file that nobody could label
};

// N sequences of one length with a label each; the last `test_count` of them are for testing.
struct LabelledSequences {
    std::size_t length = 0;
    std::uint32_t vocabulary = 0;  // tokens are below it
    std::uint16_t classes = 0;     // labels are below it
    std::size_t test_count = 0;
    HostArray<std::uint16_t> tokens;    // (N, length)
    std::vector<std::uint16_t> labels;  // (N)
};

// N matrices of real numbers with a label each; the last `test_count` of them are for testing.
struct LabelledMatrices {
    std::size_t rows = 0, cols = 0;
    std::uint16_t classes = 0;  // labels are below it
    std::size_t test_count = 0;
    HostArray<float> values;            // (N, rows, cols)
    std::vector<std::uint16_t> labels;  // (N)
};

// Columns of a table, N values each.
struct NumberColumn {
    std::string name;
    std::vector<float> values;  // NaN where there is none
    std::uint64_t missing = 0;
};
struct CategoryColumn {
    std::string name;
    std::vector<std::uint16_t> codes;  // into `values`; values.size() where there is none
    std::vector<std::string> values;   // in alphabetical order
    std::uint64_t missing = 0;
};

// What is to be predicted of each row of a table: a class, or a number.
struct TableLabel {
    std::string name;
    bool guessed = false;                // nobody said which column it is
    std::vector<std::uint16_t> classes;  // (N), or empty for numbers
    std::vector<std::string> class_names;
    std::vector<float> numbers;  // (N), or empty for classes
};

// N rows of a table. Rows without a label are left out and counted.
struct Table {
    std::size_t rows = 0;
    std::vector<NumberColumn> numbers;
    std::vector<CategoryColumn> categories;
    TableLabel label;
    std::vector<std::uint16_t> split_of;  // (N), or empty when nothing says it
    std::vector<std::string> split_names;
    std::vector<LeftOutFile> left_out_columns;  // those that are neither numbers nor categories
    std::uint64_t left_out = 0;                 // rows without a label
};

using Dataset =
    std::variant<Images, TextFiles, Tokens, SentencePairs, LabelledSequences, LabelledMatrices, Table>;

}  // namespace plimsoll::data
