#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::testing {

// Archives and arrays as their usual writers make them. All bytes are functions of the arguments.
using Members = std::vector<std::pair<std::string, std::string>>;  // name and content

// A tar archive (ustar); names above 100 bytes get GNU's long header.
std::string tar_file(const Members& members);
// One header of it, so that a test can make a wrong one.
std::string tar_header(const std::string& name, std::uint64_t size, char type = '0');

// A zip archive, its members deflated or stored.
std::string zip_file(const Members& members, bool deflate = true);

// A .npy file: "<i4", "(3, 4)" and the elements' bytes.
std::string npy_file(const std::string& descr, const std::string& shape, std::string_view elements,
                     bool fortran = false);

// The bytes of numbers in a row, little-endian.
template <class T>
std::string bytes_of_numbers(const std::vector<T>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace plimsoll::testing
