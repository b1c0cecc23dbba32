// write_seeds FOLDER: the attacks and the valid files of tests/formats, a folder for each fuzz target.
#include <cstdio>
#include <filesystem>
#include <fstream>

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
                         write_both(folder / "index_json", hostile_indexes(), valid_indexes());
    return written ? 0 : 5;
}
