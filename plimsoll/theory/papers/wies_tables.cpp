#include "plimsoll/theory/papers/wies_bounds.h"

// Tables 1-5 of Wies et al. 2021 as printed: perplexities on OpenWebText, widths d_x, standard deviations of
// the loss.
namespace plimsoll::theory {

const std::vector<WiesTableRow>& wies_tables() {
    static const std::vector<WiesTableRow> rows{
        {"WIES-TAB1", "117M GPT-2", "21.11"},
        {"WIES-TAB1", "117M theirs", "22.78"},
        {"WIES-TAB1", "345M GPT-2", "16.03"},
        {"WIES-TAB1", "378M theirs", "17.95"},
        {"WIES-TAB2", "dx=680 r=680", "8e-4"},
        {"WIES-TAB2", "dx=576 r=576", "1.5e-3"},
        {"WIES-TAB2", "dx=680 r=128", "2.1e-3"},
        {"WIES-TAB3", "V=257 L=24", "144 160 168 184 192 200 224 248 264 280 336 408 480"},
        {"WIES-TAB3", "V=257 L=48", "104 112 120 128 136 142 144 160 176 184 200 240 288 336"},
        {"WIES-TAB3", "V=500 L=24", "280 336 360 384 408 424 440 480 504 528 544 576 600"},
        {"WIES-TAB3", "V=500 L=48", "200 240 272 288 296 312 336 352 376 384 408 424"},
        {"WIES-TAB3", "V=2000 L=24 r=500", "280 336 408 448 480 504 528 544 576 600 628"},
        {"WIES-TAB3", "V=2000 L=48 r=500", "200 240 288 320 336 352 376 384 408 424 440"},
        {"WIES-TAB3", "V=2000 L=24", "200 224 248 280 336 408 480 544 704 744 792 848 1064"},
        {"WIES-TAB3", "V=2000 L=48", "144 160 176 200 240 288 336 384 496 528 560 600 752"},
        {"WIES-TAB3", "V=50257 L=24", "408 480 544 592 656 704 744 792 848 1064"},
        {"WIES-TAB3", "V=50257 L=48", "336 384 432 480 512 544 576 616 768"},
        {"WIES-TAB4", "V=257 L=24 dx=264", "5.1e-4"},
        {"WIES-TAB4", "V=257 L=48 dx=184", "6.8e-4"},
        {"WIES-TAB4", "V=500 L=24 dx=504", "1.7e-3"},
        {"WIES-TAB4", "V=2000 L=24 dx=528 r=500", "1.5e-3"},
        {"WIES-TAB4", "V=50257 L=48 dx=480", "3.1e-3"},
        {"WIES-TAB5", "ratio=1 L=18 H=12 figure-4", "360 384 420 456"},
        {"WIES-TAB5", "ratio=1 L=24 H=12 figure-4", "420 456 480"},
        {"WIES-TAB5", "ratio=2 L=12 H=12 figure-4", "408 480"},
        {"WIES-TAB5", "ratio=2 L=18 H=18", "396"},
        {"WIES-TAB5", "ratio=2 L=24 H=24", "336"},
        {"WIES-TAB5", "ratio=4 L=12 H=12", "288 336"},
        {"WIES-TAB5", "ratio=4 L=18 H=12", "240 276"},
        {"WIES-TAB5", "ratio=4 L=24 H=12 figure-4", "204 240"},
        {"WIES-TAB5", "ratio=8 L=12 H=12 figure-4", "204 240"},
        {"WIES-TAB5", "ratio=8 L=18 H=12", "168 192"},
        {"WIES-TAB5", "ratio=8 L=24 H=12", "144 168"},
        {"WIES-TAB5", "ratio=16 L=12 H=24 figure-4", "144 168"},
    };
    return rows;
}

}  // namespace plimsoll::theory
