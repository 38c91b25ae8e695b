// AnnotatedSource: a row source with what its home had to say about it. The rows pass through untouched.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "tables/row_source.hpp"

namespace stele {

class AnnotatedSource : public RowSource {
 public:
  AnnotatedSource(std::unique_ptr<RowSource> source, std::vector<Warning> warnings, Json facts)
      : source_(std::move(source)), warnings_(std::move(warnings)), facts_(source_->facts()) {
    warnings_.insert(warnings_.end(), source_->warnings().begin(), source_->warnings().end());
    if (facts.is_object()) facts_.update(facts);
  }

  const std::vector<SourceColumn>& columns() const override { return source_->columns(); }
  std::uint64_t rows() const override { return source_->rows(); }
  const std::vector<Warning>& warnings() const override { return warnings_; }
  Json facts() const override { return facts_; }
  const MalformedRows& malformed_rows() const override { return source_->malformed_rows(); }
  Task<std::optional<Misfit>> misfit(std::size_t column, std::string type) override {
    return source_->misfit(column, std::move(type));
  }
  std::optional<StagedSegment> take_written(const std::vector<Column>& columns) override {
    return source_->take_written(columns);
  }
  void rewind(std::vector<std::string> types) override { source_->rewind(std::move(types)); }
  bool fill(RowBuffer& buffer) override { return source_->fill(buffer); }
  bool any_left_out() const override { return source_->any_left_out(); }
  bool left_out(std::size_t row, std::size_t column) const override { return source_->left_out(row, column); }

 private:
  std::unique_ptr<RowSource> source_;
  std::vector<Warning> warnings_;
  Json facts_;
};

}  // namespace stele
