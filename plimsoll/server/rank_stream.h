#pragma once

#include <memory>
#include <string>
#include <vector>

#include "plimsoll/server/computations.h"
#include "plimsoll/server/http/message.h"

namespace plimsoll::server {

// A measurement of rank that can be watched: the matrix of random samples grows until its rank has stopped,
// an event `size` {"size", "rank", "seconds"} for each step, and then the measurement proper, an event
// `report` with what `rank --json` prints. What goes wrong is an event `problem`. A client that leaves ends
// it.
class RankStream {
  public:
    // `words` are those of plimsoll rank, without --json.
    static void start(Computations& computations, const std::shared_ptr<Exchange>& exchange,
                      const std::vector<std::string>& words);
};

}  // namespace plimsoll::server
