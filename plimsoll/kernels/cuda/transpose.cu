// A block turns a tile of 64 x 64 in shared memory, so that reads and writes are both of whole rows. Bytes
// decide: each number is read and written once.
#include "plimsoll/kernels/cuda/pairs.h"
#include "plimsoll/kernels/transpose.h"

namespace plimsoll::kernels {
namespace {

constexpr int side = 64;
constexpr int warps = 8;  // of a block
constexpr dim3 block{warp_lanes, warps};

// The tile holds single numbers; a row has one more, so that columns lie in different banks.
template <class T>
__global__ void transpose_kernel(int rows, int columns, const T* x, const T* base, float factor, T* y) {
    __shared__ float tile[side][side + 1];
    const std::int64_t matrix = static_cast<std::int64_t>(blockIdx.z) * rows * columns;
    const int first_row = static_cast<int>(blockIdx.y) * side,
              first_column = static_cast<int>(blockIdx.x) * side;
    for (int r = static_cast<int>(threadIdx.y); r < side; r += warps) {
        const int row = first_row + r, column = first_column + 2 * static_cast<int>(threadIdx.x);
        if (row >= rows || column >= columns) continue;
        const float2 pair = load_pair(x + matrix + static_cast<std::int64_t>(row) * columns + column);
        tile[r][2 * threadIdx.x] = pair.x;
        tile[r][2 * threadIdx.x + 1] = pair.y;
    }
    __syncthreads();
    for (int c = static_cast<int>(threadIdx.y); c < side; c += warps) {
        const int column = first_column + c, row = first_row + 2 * static_cast<int>(threadIdx.x);
        if (row >= rows || column >= columns) continue;
        const std::int64_t at = matrix + static_cast<std::int64_t>(column) * rows + row;
        float2 pair{tile[2 * threadIdx.x][c], tile[2 * threadIdx.x + 1][c]};
        if (base) {
            const float2 other = load_pair(base + at);
            pair = {other.x + factor * pair.x, other.y + factor * pair.y};
        }
        store_pair(y + at, pair);
    }
}

unsigned tiles(int numbers) { return static_cast<unsigned>((numbers + side - 1) / side); }

}  // namespace

void transpose(const TransposeShape& shape, const void* x, const void* base, float factor, void* y,
               cudaStream_t stream) {
    const dim3 grid(tiles(shape.columns), tiles(shape.rows), static_cast<unsigned>(shape.matrices));
    if (shape.number == Number::bf16) {
        transpose_kernel<<<grid, block, 0, stream>>>(shape.rows, shape.columns, static_cast<const bf16*>(x),
                                                     static_cast<const bf16*>(base), factor,
                                                     static_cast<bf16*>(y));
    } else {
        transpose_kernel<<<grid, block, 0, stream>>>(shape.rows, shape.columns, static_cast<const float*>(x),
                                                     static_cast<const float*>(base), factor,
                                                     static_cast<float*>(y));
    }
}

}  // namespace plimsoll::kernels
