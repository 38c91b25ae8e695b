// JsonReader: JSON rows one at a time, from lines or from a list of any length, with digits as they are written. A
// record that is not the JSON it should be is passed over and counted, or an error that names its line where the next
// one cannot be found.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tables/byte_window.hpp"
#include "tables/json_layout.hpp"
#include "tables/json_scan.hpp"
#include "tables/record_reader.hpp"

namespace stele {

class JsonReader : public RecordReader {
 public:
  // Throws Error too_many_columns once there are more keys than that.
  // With `check_utf8` a record that is not UTF-8 is malformed; else all bytes are.
  JsonReader(std::unique_ptr<ByteSource> utf8, JsonLayout layout, std::size_t columns_max, bool check_utf8 = false);

  void rewind() override;
  bool next() override;
  std::span<const Cell> cells() const override { return cells_; }
  std::uint64_t work_done() const override { return window_.taken(); }

  // The names of the columns so far: keys in the order in which they first appear, or those of the header.
  const std::vector<std::string>& names() const { return names_; }
  const MalformedRows& malformed_rows() const override { return malformed_; }
  // Lists of nothing but nulls, passed over since rewind().
  std::uint64_t blank_rows() const { return blank_rows_; }

 private:
  bool next_line(std::string_view& line);
  bool next_element(std::string_view& element);
  bool next_document(std::string_view& document);
  bool next_text(std::string_view& text);
  bool grow();
  char first_ahead();
  void take(std::size_t bytes);
  bool read_record(std::string_view text);
  bool read_object(std::string_view text);
  bool read_list(std::string_view text);
  void pass_over(const JsonFault& fault, std::string_view text);
  void forget_names(std::size_t count);
  std::uint64_t line_of(const JsonFault& fault, std::string_view text) const;
  std::size_t position_of(const JsonMember& member, std::size_t guess);
  void check_end();
  [[noreturn]] void refuse(const JsonFault& fault, std::string_view text) const;
  [[noreturn]] void refuse_line(const std::string& what) const;

  ByteWindow window_;
  JsonLayout layout_;
  std::size_t columns_max_;
  bool started_ = false, ended_ = false;
  JsonScanner scanner_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<Cell> cells_;
  std::uint64_t line_ = 1, record_line_ = 1;
  MalformedRows malformed_;
  bool check_utf8_ = false;
  std::uint64_t blank_rows_ = 0;
};

}  // namespace stele
