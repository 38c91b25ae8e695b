// Typing: the one rule by which the values of a column become a type, for CSV cells, JSON strings, rows of a call and
// cells of a sheet alike. It looks at every value, never at a sample, and gives a type only where every value comes
// back as it was.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/classifier.hpp"
#include "tables/row_source.hpp"
#include "tables/value_text.hpp"

namespace stele {

struct TypingRules {
  // Whether 25/04/2025 may become a date where the whole column settles the order. Only for formats without a date of
  // their own: in JSON such text was meant as text.
  bool local_dates = false;
};

// What all values of one column allow.
struct Finding {
  std::string type;  // as SourceColumn::type
  DateOrder date_order = DateOrder::iso;
  std::vector<Warning> warnings;
};

// Collects the values of one column as they go by; memory does not grow with their number.
class ColumnTyping {
 public:
  // `row` is the 1-based record number. Nulls are not observed.
  void observe(ValueClass value_class, std::string_view value, std::uint64_t row) {
    auto& count = counts_[static_cast<std::size_t>(value_class)];
    if (count++ == 0) see_first(value_class, value, row);
    if (value_class == ValueClass::text && !many_words_) see_word(value);
  }
  // Another record turned out to stand before all that were observed.
  void shift_rows() {
    for (auto& first : firsts_) ++first.row;
  }
  // The values of this column that are not null.
  std::uint64_t values() const;
  std::uint64_t count(ValueClass value_class) const { return counts_[static_cast<std::size_t>(value_class)]; }
  // Values that look like numbers, dates or booleans.
  std::uint64_t typed_values() const;

  Finding finding(std::string_view column, const TypingRules& rules) const;

  // For a column that stays text: what the types that many of its values have would lose.
  std::vector<TypeLoss> losses() const;

  // The first value that no column with one of these types could hold.
  std::optional<RowSource::Misfit> first_beyond(std::uint16_t types) const;

 private:
  struct First {
    ValueClass value_class;
    std::string value;  // cut after 100 bytes
    std::uint64_t row;
  };
  struct Word {
    std::string value;
    std::uint64_t count;
  };

  void see_first(ValueClass value_class, std::string_view value, std::uint64_t row);
  void see_word(std::string_view value);
  TypeBit nearest_type(Family family) const;
  const First& first_of(ValueClass value_class) const;
  std::optional<Warning> empties_as_null(std::string_view column) const;
  std::optional<Warning> digits_cut(std::string_view column) const;
  std::optional<Warning> why_text(std::string_view column) const;
  std::string others(const First& first, std::uint16_t type) const;

  std::uint16_t types_ = all_type_bits;
  bool many_words_ = false;
  std::array<std::uint64_t, class_count> counts_{};
  std::vector<First> firsts_;  // of each class, in the order of their appearance
  std::vector<Word> words_;    // the first few different values of class text
};

// The types, of those typing gives, that hold the same values as a bit set; 0 for a type that typing does not give.
std::uint16_t type_bits(std::string_view type);

// A value as messages show it: in quotes, cut if it is long.
std::string in_quotes(std::string_view value);

}  // namespace stele
