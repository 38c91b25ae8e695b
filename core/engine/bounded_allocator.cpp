#include "engine/bounded_allocator.hpp"

#include "duckdb/common/exception.hpp"

namespace stele {

namespace {

using duckdb::Allocator;
using duckdb::data_ptr_t;
using duckdb::idx_t;
using duckdb::PrivateAllocatorData;

void check_size(idx_t size) {
  if (size > allocation_bytes_max)
    throw duckdb::OutOfMemoryException("a single piece of %llu bytes is not handed out", size);
}

data_ptr_t allocate(PrivateAllocatorData* data, idx_t size) {
  check_size(size);
  return Allocator::DefaultAllocate(data, size);
}

data_ptr_t reallocate(PrivateAllocatorData* data, data_ptr_t pointer, idx_t old_size, idx_t size) {
  check_size(size);
  return Allocator::DefaultReallocate(data, pointer, old_size, size);
}

}  // namespace

void bound_default_allocator() {
  // What was allocated before still points at the allocator that it came from.
  static const auto replaced = [] {
    auto previous = Allocator::DefaultAllocatorReference();
    Allocator::DefaultAllocatorReference() =
        duckdb::make_shared_ptr<Allocator>(allocate, Allocator::DefaultFree, reallocate, nullptr);
    return previous;
  }();
  static_cast<void>(replaced);
}

duckdb::unique_ptr<Allocator> make_bounded_allocator() {
  return duckdb::make_uniq<Allocator>(allocate, Allocator::DefaultFree, reallocate, nullptr);
}

}  // namespace stele
