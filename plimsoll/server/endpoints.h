#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/base/json.h"
#include "plimsoll/base/result.h"
#include "plimsoll/server/http/message.h"

// What can be asked, as one table: the addresses, their parameters, and the command of plimsoll that answers.
namespace plimsoll::server {

// What a value may look like. Nothing of a client reaches a child that is not of one of these forms.
enum class Form {
    number,      // 100M, 1.5e9
    word,        // letters, digits and - _ . of a choice
    list,        // 64,128 or 16x16x3
    id,          // of a claim: LEVINE-T4
    input,       // name=value
    filter,      // key=value, key>number
    spec,        // family:key=value,..., read by arch::parse_spec
    model,       // a name of the zoo
    run,         // 16 hexadecimal digits
    data,        // a name of the catalogue, or synthetic:...
    time,        // 90s, 10m, 1h30m
    experiment,  // small letters, digits and -
    flag,        // true
};

struct Parameter {
    std::string_view name;
    std::string_view flag;  // of the verb; empty: a word without a flag
    Form form = Form::word;
    std::string_view meaning;
    bool repeated = false;
};

struct Endpoint {
    std::string_view method, path;  // "{run}" in a path is the parameter of that name
    std::string_view verb;          // words of plimsoll that answer, with --json; empty: the server itself
    std::string_view summary;
    std::span<const Parameter> parameters;
    std::string_view answer = "application/json";
    bool kept = true;       // the same question has the same answer for as long as the server runs
    bool of_runs = false;   // takes --runs
    bool says_json = true;  // wants --json; false: prints nothing else
};

// All of them.
std::span<const Endpoint> endpoints();

// The endpoint that a request is for, or null; `path_value` becomes what stands for {run}.
const Endpoint* find_endpoint(const Request& request, std::string& path_value);

// The words of plimsoll that answer, without --json; the error names the parameter.
Result<std::vector<std::string>> words_of(const Endpoint& endpoint, const Request& request,
                                          const std::string& path_value);

// The table as OpenAPI 3.1, which docs/openapi.json holds.
Json openapi();

}  // namespace plimsoll::server
