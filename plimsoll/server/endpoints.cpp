#include "plimsoll/server/endpoints.h"

#include <algorithm>

#include "plimsoll/arch/spec.h"
#include "plimsoll/audit/models/target_name.h"
#include "plimsoll/base/format.h"
#include "plimsoll/base/text.h"

namespace plimsoll::server {
namespace {

constexpr std::size_t longest_value = 300, most_repeats = 32, run_digits = 16;

std::string_view characters_of(Form form) {
    switch (form) {
        case Form::number:
            return "0123456789.eE+KMGTB";
        case Form::list:
            return "0123456789x,+";
        case Form::time:
            return "0123456789hms";
        case Form::experiment:
            return "abcdefghijklmnopqrstuvwxyz0123456789-";
        case Form::data:
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:=,";
        case Form::filter:
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_=<>!~ ";
        case Form::input:
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_=/[],";
        default:
            return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_";
    }
}

std::string_view form_text(Form form) {
    switch (form) {
        case Form::number:
            return "a number such as 100M";
        case Form::list:
            return "numbers such as 64,128 or 16x16x3";
        case Form::filter:
            return "key=value, key>number or a text";
        case Form::input:
            return "name=value";
        case Form::flag:
            return "true";
        case Form::time:
            return "a time such as 10m or 1h30m";
        case Form::data:
            return "a name of the catalogue or synthetic:...; files of your own go to plimsoll fit";
        case Form::experiment:
            return "the id of an experiment, such as navon-fig1";
        case Form::run:
            return "an id, 16 hexadecimal digits";
        default:
            return "letters, digits and - _ .";
    }
}

// A word for a child must not begin like a flag.
bool has_form(std::string_view value, Form form) {
    if (value.empty() || value.size() > longest_value) return false;
    if (form == Form::run)
        return value.size() == run_digits &&
               value.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    const bool minus = value.front() == '-' && (form == Form::input || form == Form::id ||
                                                form == Form::data || form == Form::experiment);
    if (form == Form::input && value.find('=') == std::string_view::npos) return false;
    return !minus && value.find_first_not_of(characters_of(form)) == std::string_view::npos;
}

Error wrong_form(const Parameter& parameter, std::string_view value) {
    return bad_input(std::string(parameter.name),
                     fmt::format("must be {}, got '{}'", form_text(parameter.form), value));
}

// What the child gets for a value, read and written anew where there is a reader for it.
Result<std::string> checked_value(const Parameter& parameter, const std::string& value) {
    if (parameter.form == Form::spec) {
        PLIMSOLL_ASSIGN(spec, arch::parse_spec(value));
        return arch::to_text(spec);
    }
    if (parameter.form == Form::model) {
        PLIMSOLL_ASSIGN(row, audit::find_in_zoo(value));
        return "zoo:" + audit::zoo_argument(*row);
    }
    if (!has_form(value, parameter.form)) return wrong_form(parameter, value);
    return value;
}

Result<std::string> word_of(const Parameter& parameter, const std::string& value) {
    if (parameter.form == Form::flag) {
        if (value != "true" && value != "1") return wrong_form(parameter, value);
        return "--" + std::string(parameter.flag);
    }
    PLIMSOLL_ASSIGN(word, checked_value(parameter, value));
    if (parameter.flag.empty()) return word;
    return fmt::format("--{}={}{}", parameter.flag, parameter.form == Form::run ? "id=" : "", word);
}

Status refuse_unknown_parameters(const Endpoint& endpoint, const Request& request) {
    std::vector<std::string> names;
    for (const auto& parameter : endpoint.parameters) names.emplace_back(parameter.name);
    for (const auto& [name, value] : request.query)
        if (std::ranges::find(names, name) == names.end())
            return bad_input(name.substr(0, longest_value), "is not asked here" + suggestion(name, names));
    return {};
}

// The values of one parameter, as words.
Status add_words(const Parameter& parameter, const Request& request, std::vector<std::string>& words) {
    std::size_t given = 0;
    for (const auto& [name, value] : request.query) {
        if (name != parameter.name) continue;
        if (++given > (parameter.repeated ? most_repeats : 1)) return bad_input(name, "is given too often");
        PLIMSOLL_ASSIGN(word, word_of(parameter, value));
        words.push_back(std::move(word));
    }
    return {};
}

Json schema_of(const Parameter& parameter) {
    if (parameter.form == Form::flag) return {{"type", "boolean"}};
    const Json text{{"type", "string"}};
    return parameter.repeated ? Json{{"type", "array"}, {"items", text}} : text;
}

Json parameters_json(const Endpoint& endpoint) {
    Json list = Json::array();
    for (const auto& parameter : endpoint.parameters) {
        const bool in_path =
            endpoint.path.find(fmt::format("{{{}}}", parameter.name)) != std::string_view::npos;
        list.push_back({{"name", parameter.name},
                        {"in", in_path ? "path" : "query"},
                        {"required", in_path},
                        {"description", parameter.meaning},
                        {"schema", schema_of(parameter)}});
    }
    return list;
}

Json operation_json(const Endpoint& endpoint) {
    Json operation{{"summary", endpoint.summary}};
    if (!endpoint.verb.empty())
        operation["description"] =
            fmt::format("What `plimsoll {}{}` prints.", endpoint.verb, endpoint.says_json ? " --json" : "");
    operation["parameters"] = parameters_json(endpoint);
    if (endpoint.method == "POST")
        operation["requestBody"] = {{"required", true},
                                    {"content", {{"application/octet-stream", Json::object()}}}};
    operation["responses"] = {
        {"200",
         {{"description", "the answer"}, {"content", {{std::string(endpoint.answer), Json::object()}}}}},
        {"default", {{"$ref", "#/components/responses/refusal"}}}};
    return operation;
}

}  // namespace

const Endpoint* find_endpoint(const Request& request, std::string& path_value) {
    const std::string method = request.method == "HEAD" ? "GET" : request.method;
    for (const auto& endpoint : endpoints()) {
        if (endpoint.method != method) continue;
        const auto brace = endpoint.path.find('{');
        if (brace == std::string_view::npos && endpoint.path == request.path) return &endpoint;
        if (brace == std::string_view::npos || !request.path.starts_with(endpoint.path.substr(0, brace)))
            continue;
        const auto tail = endpoint.path.substr(endpoint.path.find('}') + 1);
        const std::string rest = request.path.substr(brace);
        if (!rest.ends_with(tail) || rest.size() <= tail.size()) continue;
        path_value = rest.substr(0, rest.size() - tail.size());
        if (path_value.find('/') == std::string::npos) return &endpoint;
    }
    return nullptr;
}

Result<std::vector<std::string>> words_of(const Endpoint& endpoint, const Request& request,
                                          const std::string& path_value) {
    PLIMSOLL_RETURN_IF_ERROR(refuse_unknown_parameters(endpoint, request));
    std::vector<std::string> words = split(endpoint.verb, ' ');
    for (const auto& parameter : endpoint.parameters) {
        if (endpoint.of_runs && parameter.name == "fit") continue;  // folder_of_runs() reads it
        if (endpoint.path.find(fmt::format("{{{}}}", parameter.name)) != std::string_view::npos) {
            PLIMSOLL_ASSIGN(word, word_of(parameter, path_value));
            words.push_back(std::move(word));
            continue;
        }
        PLIMSOLL_RETURN_IF_ERROR(add_words(parameter, request, words));
    }
    return words;
}

Json openapi() {
    Json paths = Json::object();
    for (const auto& endpoint : endpoints()) {
        std::string method(endpoint.method);
        for (char& c : method) c = static_cast<char>(c + 32);
        paths[std::string(endpoint.path)][method] = operation_json(endpoint);
    }
    const Json error{{"type", "object"},
                     {"properties",
                      {{"error",
                        {{"type", "object"},
                         {"properties",
                          {{"status", {{"type", "integer"}}},
                           {"where", {{"type", "string"}}},
                           {"message", {{"type", "string"}}}}}}}}}};
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Plimsoll"},
              {"version", "v1"},
              {"description", "What plimsoll serve answers; docs/SERVE.md."}}},
            {"paths", paths},
            {"components",
             {{"responses",
               {{"refusal",
                 {{"description", "what was wrong and what would have been right"},
                  {"content", {{"application/json", {{"schema", error}}}}}}}}}}}};
}

}  // namespace plimsoll::server
