// write_seeds FOLDER: the attacks and the valid files of tests/formats and tests/data, a folder for each fuzz
// target.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/data/made_archives.h"
#include "tests/data/made_files.h"
#include "tests/formats/hostile_files.h"

namespace {

using namespace plimsoll::testing;

template <class File>
bool write(const std::filesystem::path& folder, const char* prefix, const std::vector<File>& files) {
    std::filesystem::create_directories(folder);
    for (const File& file : files) {
        std::ofstream out(folder / (prefix + file.name), std::ios::binary);
        if (!out.write(file.bytes.data(), static_cast<std::streamsize>(file.bytes.size()))) return false;
    }
    return true;
}

bool write_both(const std::filesystem::path& folder, const std::vector<HostileFile>& hostile,
                const std::vector<ValidFile>& valid) {
    return write(folder, "hostile_", hostile) && write(folder, "valid_", valid);
}

std::string token_header(std::uint32_t magic, std::uint32_t version, std::uint32_t count) {
    std::string header = little32(magic) + little32(version) + little32(count);
    header.resize(1024, '\0');
    return header;
}

// Small valid files of the data sets' layouts; the mutations are the fuzzer's.
bool write_data_seeds(const std::filesystem::path& folder) {
    const std::vector<ValidFile> cifar{{"ten", cifar10_records(2)}, {"hundred", cifar100_records(2)}};
    const std::vector<ValidFile> idx{{"labels", idx_file({10}, labels(10, 10))},
                                     {"images", idx_file({2, 3, 4}, noise(24))}};
    const std::vector<ValidFile> mat{
        {"plain", svhn_file(1, false)},
        {"packed", svhn_file(1, true)},
        {"doubles", mat_file(mat_array("y", {2, 1}, 6, 9, noise(16)))},
        {"small", mat_file(mat_compressed(mat_array("y", {2, 3}, 6, 2, "abcdef")))}};
    const std::vector<ValidFile> tokens{{"raw", noise(64)},
                                        {"gpt2", token_header(20240520, 1, 8) + noise(16)},
                                        {"llama3", token_header(20240801, 7, 4) + noise(16)}};
    return write(folder / "cifar", "valid_", cifar) && write(folder / "idx", "valid_", idx) &&
           write(folder / "mat", "valid_", mat) && write(folder / "token_bin", "valid_", tokens);
}

// Tables, arrays and archives as their usual writers make them.
bool write_door_seeds(const std::filesystem::path& folder) {
    const std::vector<ValidFile> csv{{"table", "a,b,label\n1,x,u\n2.5,\"y, z\",v\n,NA,u\n"},
                                     {"semicolons", "a;y\n1;2\n3;4\n"},
                                     {"pairs", "premise\thypothesis\tlabel\na\tb\t1\nc\td\t0\n"}};
    const std::string ints = npy_file("<i4", "(4,)", noise(16)), reals = npy_file("<f8", "(2, 3)", noise(48)),
                      images = npy_file("|u1", "(2, 2, 2)", noise(8)),
                      labels_of_two = npy_file("|u1", "(2,)", "ab");
    const std::vector<ValidFile> npy{{"ints", ints}, {"reals", reals}, {"images", images}};
    const Members members{{"a.txt", "text"}, {"b/c.txt", noise(600)}};
    const std::vector<ValidFile> tar{{"plain", tar_file(members)},
                                     {"long", tar_file({{std::string(120, 'n'), "x"}})}};
    const std::vector<ValidFile> zip{
        {"stored", zip_file(members, false)},
        {"deflated", zip_file(members)},
        {"npz", zip_file({{"images.npy", images}, {"labels.npy", labels_of_two}}, false)}};
    return write(folder / "data_csv", "valid_", csv) && write(folder / "npy", "valid_", npy) &&
           write(folder / "tar", "valid_", tar) && write(folder / "zip", "valid_", zip);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: write_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const bool written = write_both(folder / "safetensors", hostile_safetensors(), valid_safetensors()) &&
                         write_both(folder / "gguf", hostile_ggufs(), valid_ggufs()) &&
                         write_both(folder / "tokenizer_json", hostile_tokenizers(), valid_tokenizers()) &&
                         write_both(folder / "index_json", hostile_indexes(), valid_indexes()) &&
                         write_data_seeds(folder) && write_door_seeds(folder);
    return written ? 0 : 5;
}
