#pragma once

#include "plimsoll/advise/advice.h"

namespace plimsoll::advise {

// Adds why the answer is this one, in words.
void add_sentences(Advice& advice);

// Adds what is unusual about the request or the answer.
void add_warnings(Advice& advice);

}  // namespace plimsoll::advise
