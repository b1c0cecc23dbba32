#pragma once

#include "plimsoll/fit/look/look.h"

// Looks made by hand, so that proposals and decisions can be tested without data.
namespace plimsoll::fit {

inline InputChoice tokens_input(std::string name, std::int64_t vocab, std::int64_t context, double bytes,
                                double rank) {
    InputChoice input;
    input.name = name;
    input.tokenizer = name == "bytes" ? "bytes" : "tokenizers/" + name + ".json";
    input.vocab = vocab;
    input.tokens = context;
    input.units_per_token = bytes;
    input.rank = input.effective_rank = rank;
    input.rank_source = "made by hand";
    return input;
}

inline DataLook text_look() {
    DataLook look;
    look.data = "synthetic:grammar";
    look.unit = "bytes";
    look.size = 1'000'000;
    look.held_out = 100'000;
    look.chance = 4.5;
    look.inputs = {tokens_input("bytes", 257, 128, 1, 90), tokens_input("bpe-500", 500, 64, 2, 480),
                   tokens_input("bpe-2000", 2000, 48, 3, 1900)};
    return look;
}

inline DataLook hops_look() {
    DataLook look;
    look.data = "synthetic:hops=2";
    look.modality = Modality::sequences;
    look.goal = Goal::accuracy;
    look.unit = "sequences";
    look.size = 20'000;
    look.held_out = 2'000;
    look.classes = 16;
    look.length = 33;
    look.chance = 0.07;
    look.inputs = {tokens_input("symbols", 16, 33, 1, 16)};
    return look;
}

inline DataLook image_look() {
    DataLook look;
    look.data = "fashion-mnist";
    look.modality = Modality::images;
    look.goal = Goal::accuracy;
    look.unit = "images";
    look.size = 70'000;
    look.held_out = 10'000;
    look.classes = 10;
    look.image_height = look.image_width = 28;
    look.image_channels = 1;
    look.chance = 0.1;
    for (const std::int64_t patch : {4, 7}) {
        InputChoice input;
        input.name = "patch " + std::to_string(patch);
        input.patch = patch;
        input.tokens = (28 / patch) * (28 / patch);
        input.units_per_token = static_cast<double>(patch * patch);
        input.rank = input.effective_rank = static_cast<double>(patch * patch);
        look.inputs.push_back(input);
    }
    return look;
}

inline DataLook table_look() {
    DataLook look;
    look.data = "churn.csv";
    look.modality = Modality::rows;
    look.goal = Goal::accuracy;
    look.unit = "rows";
    look.size = 8'000;
    look.held_out = 800;
    look.classes = 2;
    look.chance = 0.5;
    InputChoice input;
    input.name = "columns";
    input.tokens = 7;
    input.units_per_token = 1;
    input.spec_keys = "inputs=5,categories=3+40,classes=2";
    look.inputs = {input};
    return look;
}

// 64 symbols that occur, one way to cut them.
inline DataLook narrow_look() {
    DataLook look = text_look();
    look.modality = Modality::tokens;
    look.unit = "tokens";
    look.data = "ids.bin";
    look.inputs = {tokens_input("ids", 64, 256, 1, 64)};
    return look;
}

}  // namespace plimsoll::fit
