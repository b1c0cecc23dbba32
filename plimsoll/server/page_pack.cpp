#include "plimsoll/server/page_files.h"

// The packed page as it is, read by the assembler.
asm(R"(
    .pushsection .rodata
    .global plimsoll_page_pack
    .global plimsoll_page_pack_end
plimsoll_page_pack:
    .incbin ")" PLIMSOLL_PAGE_PACK R"("
plimsoll_page_pack_end:
    .byte 0
    .popsection
)");

extern "C" const char plimsoll_page_pack[], plimsoll_page_pack_end[];

namespace plimsoll::server {

std::string_view packed_page() {
    return {plimsoll_page_pack, static_cast<std::size_t>(plimsoll_page_pack_end - plimsoll_page_pack)};
}

}  // namespace plimsoll::server
