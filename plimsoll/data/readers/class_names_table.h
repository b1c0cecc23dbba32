#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::data {

using ClassName = std::string_view;

// Labels to names, in the order of the official files.
inline constexpr std::array<ClassName, 10> cifar10_classes{
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};

inline constexpr std::array<ClassName, 20> cifar100_coarse_classes{"aquatic_mammals",
                                                                   "fish",
                                                                   "flowers",
                                                                   "food_containers",
                                                                   "fruit_and_vegetables",
                                                                   "household_electrical_devices",
                                                                   "household_furniture",
                                                                   "insects",
                                                                   "large_carnivores",
                                                                   "large_man-made_outdoor_things",
                                                                   "large_natural_outdoor_scenes",
                                                                   "large_omnivores_and_herbivores",
                                                                   "medium_mammals",
                                                                   "non-insect_invertebrates",
                                                                   "people",
                                                                   "reptiles",
                                                                   "small_mammals",
                                                                   "trees",
                                                                   "vehicles_1",
                                                                   "vehicles_2"};

inline constexpr std::array<ClassName, 100> cifar100_classes{
    "apple",      "aquarium_fish", "baby",         "bear",       "beaver",      "bed",         "bee",
    "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
    "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
    "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
    "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
    "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn_mower",
    "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple_tree",  "motorcycle",
    "mountain",   "mouse",         "mushroom",     "oak_tree",   "orange",      "orchid",      "otter",
    "palm_tree",  "pear",          "pickup_truck", "pine_tree",  "plain",       "plate",       "poppy",
    "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
    "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
    "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet_pepper",
    "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
    "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow_tree", "wolf",
    "woman",      "worm"};

inline constexpr std::array<ClassName, 10> stl10_classes{"airplane", "bird",  "car",    "cat",  "deer",
                                                         "dog",      "horse", "monkey", "ship", "truck"};

inline constexpr std::array<ClassName, 10> fashion_classes{
    "t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"};

inline constexpr std::array<ClassName, 10> digit_classes{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

inline std::vector<std::string> names_of(std::span<const ClassName> names) {
    return {names.begin(), names.end()};
}

}  // namespace plimsoll::data
