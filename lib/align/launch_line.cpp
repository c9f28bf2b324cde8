// The command that starts an engine, out of a shell script that is only read.
#include "align/setup.h"
#include "base/failure.h"

namespace vaa {
namespace {

std::string_view base_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::vector<std::vector<std::string>> shell_commands(std::string_view script) {
  std::vector<std::vector<std::string>> commands(1);
  std::string word;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word) commands.back().push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  const auto end_command = [&] {
    end_word();
    if (!commands.back().empty()) commands.emplace_back();
  };
  for (size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\\') {
      if (i + 1 < script.size() && script[i + 1] == '\r') ++i;
      if (++i < script.size() && script[i] != '\n') word += script[i], in_word = true;
    } else if (c == '\'') {
      in_word = true;
      for (++i; i < script.size() && script[i] != '\''; ++i) word += script[i];
    } else if (c == '"') {
      in_word = true;
      for (++i; i < script.size() && script[i] != '"'; ++i) {
        if (script[i] == '\\' && i + 1 < script.size() && (script[i + 1] == '"' || script[i + 1] == '\\' || script[i + 1] == '$' || script[i + 1] == '`' || script[i + 1] == '\n')) {
          if (script[++i] == '\n') continue;
        }
        word += script[i];
      }
    } else if (c == '#' && !in_word) {
      while (i + 1 < script.size() && script[i + 1] != '\n') ++i;
    } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
      end_command();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else {
      word += c;
      in_word = true;
    }
  }
  end_command();
  if (commands.back().empty()) commands.pop_back();
  return commands;
}

Setup setup_of_script(std::string_view script) {
  for (const std::vector<std::string>& words : shell_commands(script)) {
    for (size_t i = 0; i < words.size(); ++i) {
      // "python -m MODULE" runs a module; else the word itself is a program.
      const bool module = words[i] == "-m" && i + 1 < words.size();
      const std::string engine = engine_of_program(module ? std::string_view(words[i + 1]) : base_of(words[i]));
      if (engine.empty()) continue;
      Setup out;
      out.engine = engine;
      out.launch.assign(words.begin() + static_cast<ptrdiff_t>(i + module), words.end());
      return out;
    }
  }
  std::string list;
  for (const EngineData& data : defaults_data())
    for (const std::string& program : request_defaults(data.name).programs) list.append(list.empty() ? "" : ", ").append(program);
  fail(VAA_ERROR_FORMAT, "launch script: no command starts an engine that is known; known programs: " + list);
}

}  // namespace vaa
