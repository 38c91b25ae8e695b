#include "tables/malformed_rows.hpp"

#include <utility>

#include "base/error.hpp"

namespace stele {
namespace {

constexpr std::size_t lines_kept_max = 100;
constexpr std::size_t lines_in_message_max = 5;

std::string lines_of(const MalformedRows& malformed) {
  std::string lines;
  for (std::size_t i = 0; i < malformed.first.size() && i < lines_in_message_max; ++i) {
    lines += (i ? "; line " : "Line ") + std::to_string(malformed.first[i].line) + " " + malformed.first[i].problem;
  }
  return lines + (malformed.count > lines_in_message_max ? "; …" : ".");
}

}  // namespace

void MalformedRows::add(std::uint64_t line, std::string problem) {
  if (count++ < lines_kept_max) first.push_back({line, std::move(problem)});
}

Json MalformedRows::to_json() const {
  Json told = Json::array();
  for (const auto& line : first) told.push_back({{"line", line.line}, {"problem", line.problem}});
  if (count > first.size()) told.push_back({{"more", count - first.size()}});
  return told;
}

void check_malformed(const MalformedRows& malformed, std::uint64_t rows, std::optional<std::uint64_t> to_skip) {
  if (malformed.count == to_skip.value_or(0)) return;
  const auto count = std::to_string(malformed.count);
  const auto records = std::to_string(rows + malformed.count);
  if (malformed.count == 0) {
    throw Error("malformed_rows",
                "malformed_rows_to_skip is " + std::to_string(*to_skip) + ", but none of the " + records +
                    " rows is malformed; nothing was imported.",
                "Leave malformed_rows_to_skip out.");
  }
  throw Error("malformed_rows",
              count + " of " + records + (malformed.count == 1 ? " rows is" : " rows are") +
                  " malformed, so nothing was imported. " + lines_of(malformed),
              "Correct the file; or set malformed_rows_to_skip to " + count +
                  " to import the other rows. inspect_file lists the lines.");
}

}  // namespace stele
