#pragma once

namespace plimsoll::train {

// From now on memory that is freed stays with this process and is used again, instead of going back to the
// system: a step frees what the next one asks for, and every page that went is cleared again. Does nothing
// but with glibc.
void keep_pages();

}  // namespace plimsoll::train
