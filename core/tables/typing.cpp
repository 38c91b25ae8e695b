#include "tables/typing.hpp"

#include <algorithm>
#include <numeric>

#include "base/assert.hpp"

namespace stele {
namespace {

constexpr std::size_t shown_bytes_max = 100;
constexpr std::size_t words_max = 8;
constexpr std::uint16_t bits_day_first = bit_day_first_slash | bit_day_first_dot;
constexpr std::uint16_t bits_month_first = bit_month_first_slash | bit_month_first_dot;
constexpr std::uint16_t bits_local_date = bits_day_first | bits_month_first;
constexpr std::uint16_t bits_bool = bit_bool_lower | bit_bool_title | bit_bool_upper;

// Cut between characters, not within one.
std::string_view cut(std::string_view value) {
  if (value.size() <= shown_bytes_max) return value;
  auto end = shown_bytes_max;
  while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0) == 0x80) --end;
  return value.substr(0, end);
}

const char* noun(TypeBit type) {
  switch (type) {
    case bit_bigint:
    case bit_double:
      return "a number";
    case bit_date:
      return "a date";
    case bit_time:
      return "a time";
    case bit_timestamp:
      return "a timestamp";
    case bit_zoned_timestamp:
      return "a timestamp with time zone";
    case bit_json:
      return "an object or array";
    case bit_bool_lower:
    case bit_bool_title:
    case bit_bool_upper:
      return "a boolean";
    default:
      return "a date of the same order";
  }
}

}  // namespace

std::uint16_t type_bits(std::string_view type) {
  if (type == "BIGINT") return bit_bigint;
  if (type == "DOUBLE") return bit_double;
  if (type == "BOOLEAN") return bits_bool;
  if (type == "DATE") return bit_date;
  if (type == "TIME") return bit_time;
  if (type == "TIMESTAMP") return bit_timestamp;
  if (type == "TIMESTAMP WITH TIME ZONE") return bit_zoned_timestamp;
  if (type == "JSON") return bit_json;
  return 0;
}

std::string in_quotes(std::string_view value) {
  const auto shown = cut(value);
  return '"' + std::string(shown) + (shown.size() < value.size() ? "…\"" : "\"");
}

std::uint64_t ColumnTyping::values() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }

std::uint64_t ColumnTyping::typed_values() const {
  return values() - count(ValueClass::text) - count(ValueClass::empty) - count(ValueClass::quoted_empty);
}

void ColumnTyping::see_first(ValueClass value_class, std::string_view value, std::uint64_t row) {
  types_ &= traits(value_class).types;
  firsts_.push_back({value_class, std::string(cut(value)), row});
}

void ColumnTyping::see_word(std::string_view value) {
  const auto shown = cut(value);
  for (auto& word : words_) {
    if (word.value == shown) {
      ++word.count;
      return;
    }
  }
  if (words_.size() == words_max) {
    many_words_ = true;
  } else {
    words_.push_back({std::string(shown), 1});
  }
}

Finding ColumnTyping::finding(std::string_view column, const TypingRules& rules) const {
  const auto types = rules.local_dates ? types_ : static_cast<std::uint16_t>(types_ & ~bits_local_date);
  Finding found;
  found.type = "VARCHAR";
  if (values() == count(ValueClass::quoted_empty)) return found;
  if (types & bit_bigint) {
    found.type = "BIGINT";
  } else if (types & bit_double) {
    found.type = "DOUBLE";
  } else if (types & bits_bool) {
    found.type = "BOOLEAN";
  } else if (types & bit_date) {
    found.type = "DATE";
  } else if (types & bit_time) {
    found.type = "TIME";
  } else if (types & bit_timestamp) {
    found.type = "TIMESTAMP";
  } else if (types & bit_zoned_timestamp) {
    found.type = "TIMESTAMP WITH TIME ZONE";
  } else if (types & bit_json) {
    found.type = "JSON";
  } else if (((types & bits_day_first) != 0) != ((types & bits_month_first) != 0)) {
    found.type = "DATE";
    found.date_order = types & bits_day_first ? DateOrder::day_first : DateOrder::month_first;
    const auto settling = std::find_if(firsts_.begin(), firsts_.end(), [](const First& first) {
      const auto bits = traits(first.value_class).types;
      return ((bits & bits_day_first) != 0) != ((bits & bits_month_first) != 0);
    });
    const char* order = found.date_order == DateOrder::day_first ? "day/month/year" : "month/day/year";
    found.warnings.push_back({"dates_read",
                              "Column " + in_quotes(column) + " was read as dates written " + order + ": " +
                                  in_quotes(settling->value) + " (row " + std::to_string(settling->row) +
                                  ") can be read no other way.",
                              std::string(column), settling->value, settling->row, values()});
  }
  if (found.type == "VARCHAR") {
    if (auto warning = why_text(column)) found.warnings.push_back(std::move(*warning));
  } else {
    if (auto warning = empties_as_null(column)) found.warnings.push_back(std::move(*warning));
    if (auto warning = digits_cut(column)) found.warnings.push_back(std::move(*warning));
  }
  return found;
}

const ColumnTyping::First& ColumnTyping::first_of(ValueClass value_class) const {
  const auto first = std::find_if(firsts_.begin(), firsts_.end(),
                                  [&](const First& candidate) { return candidate.value_class == value_class; });
  require(first != firsts_.end(), "a class that was counted has a first value");
  return *first;
}

std::optional<Warning> ColumnTyping::empties_as_null(std::string_view column) const {
  const auto empties = count(ValueClass::quoted_empty);
  if (empties == 0) return {};
  const auto& first = first_of(ValueClass::quoted_empty);
  return Warning{"empty_as_null",
                 "Column " + in_quotes(column) + " has " + std::to_string(empties) +
                     " cells of quoted empty text, the first in row " + std::to_string(first.row) +
                     "; they became NULL.",
                 std::string(column),
                 "",
                 first.row,
                 empties};
}

std::optional<Warning> ColumnTyping::digits_cut(std::string_view column) const {
  const auto cut = count(ValueClass::fine_instant);
  if (cut == 0) return {};
  const auto& first = first_of(ValueClass::fine_instant);
  return Warning{"digits_cut",
                 "Column " + in_quotes(column) + " holds instants to the microsecond: the digits beyond it of " +
                     std::to_string(cut) + (cut == 1 ? " value were cut, of " : " values were cut, first of ") +
                     in_quotes(first.value) + " (row " + std::to_string(first.row) + ").",
                 std::string(column),
                 first.value,
                 first.row,
                 cut};
}

// The type that most values of a family have.
TypeBit ColumnTyping::nearest_type(Family family) const {
  if (family == Family::number) return count(ValueClass::decimal) ? bit_double : bit_bigint;
  if (family == Family::nested) return bit_json;
  TypeBit nearest = family == Family::boolean ? bit_bool_lower : bit_date;
  std::uint64_t most = 0;
  for (const int shift : {2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13}) {
    const auto type = static_cast<TypeBit>(1 << shift);
    std::uint64_t fitting = 0;
    for (std::size_t i = 0; i < class_count; ++i) {
      const auto& of_class = traits(static_cast<ValueClass>(i));
      if (of_class.family == family && (of_class.types & type)) fitting += counts_[i];
    }
    if (fitting > most) most = fitting, nearest = type;
  }
  return nearest;
}

// Nothing to say of a column of words; of one that nearly is numbers or dates, what keeps it from being so.
std::optional<Warning> ColumnTyping::why_text(std::string_view column) const {
  std::array<std::uint64_t, 5> of_family{};
  for (std::size_t i = 0; i < class_count; ++i) {
    of_family[static_cast<std::size_t>(traits(static_cast<ValueClass>(i)).family)] += counts_[i];
  }
  const auto most = std::max_element(of_family.begin() + 1, of_family.end());
  if (*most == 0 || (many_words_ && *most * 10 < values())) return {};
  const auto type = nearest_type(static_cast<Family>(most - of_family.begin()));

  const First* first = nullptr;
  std::uint64_t beyond = 0;
  for (const auto& candidate : firsts_) {
    if (traits(candidate.value_class).types & type) continue;
    beyond += count(candidate.value_class);
    if (!first || candidate.row < first->row) first = &candidate;
  }
  std::string why;
  if (!first) {
    // Every value has this type, and every value has the other order too, or the format keeps local dates text.
    first = &firsts_.front();
    beyond = values();
    const bool both = (types_ & bits_day_first) && (types_ & bits_month_first);
    why = both ? "can be read with the day or the month first, and the column does not settle which"
               : traits(ValueClass::other_date).why_kept;
  } else {
    why = first->value_class == ValueClass::text ? std::string("is not ") + noun(type)
                                                 : traits(first->value_class).why_kept;
  }
  return Warning{"kept_as_text",
                 "Column " + in_quotes(column) + " stays text, exactly as written: " + in_quotes(first->value) +
                     " (row " + std::to_string(first->row) + ") " + why + "; " + std::to_string(beyond) + " of " +
                     std::to_string(values()) + " values" + others(*first, type) + ".",
                 std::string(column),
                 first->value,
                 first->row,
                 beyond};
}

// The other values that keep the column text, with the counts of those that are plain words.
std::string ColumnTyping::others(const First& first, std::uint16_t type) const {
  std::string named;
  if (count(ValueClass::text) && !many_words_) {
    for (const auto& word : words_)
      named += (named.empty() ? "" : ", ") + in_quotes(word.value) + " × " + std::to_string(word.count);
  }
  for (const auto& other : firsts_) {
    if (other.value_class == ValueClass::text || &other == &first || (traits(other.value_class).types & type)) continue;
    named += (named.empty() ? "" : ", ") + in_quotes(other.value);
  }
  return named.empty() ? "" : ", among them " + named;
}

std::vector<TypeLoss> ColumnTyping::losses() const {
  std::vector<TypeLoss> losses;
  for (const char* type :
       {"BIGINT", "DOUBLE", "BOOLEAN", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP WITH TIME ZONE", "JSON"}) {
    const auto bits = type_bits(type);
    std::uint64_t lost = 0, typed = 0;
    for (std::size_t i = 0; i < class_count; ++i) {
      const auto& of_class = traits(static_cast<ValueClass>(i));
      if (!(of_class.types & bits)) lost += counts_[i];
      if ((of_class.types & bits) && of_class.family != Family::none) typed += counts_[i];
    }
    const auto first = first_beyond(bits);
    if (first && typed * 10 >= values()) losses.push_back({type, lost, first->value, first->row});
  }
  return losses;
}

std::optional<RowSource::Misfit> ColumnTyping::first_beyond(std::uint16_t types) const {
  const First* first = nullptr;
  for (const auto& candidate : firsts_) {
    if (traits(candidate.value_class).types & types) continue;
    if (!first || candidate.row < first->row) first = &candidate;
  }
  if (!first) return {};
  return RowSource::Misfit{first->value, first->row};
}

}  // namespace stele
