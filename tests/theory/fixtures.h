#pragma once

#include <filesystem>
#include <string>

#include "plimsoll/base/check.h"
#include "plimsoll/base/json.h"

namespace plimsoll::theory {

// A file of tests/fixtures/theory.
inline Json theory_fixture(const std::string& name) {
    const auto file = read_json(std::filesystem::path(PLIMSOLL_FIXTURES) / "theory" / name);
    PLIMSOLL_CHECK(file.ok(), "fixture " + name);
    return *file;
}

}  // namespace plimsoll::theory
