#include "engine/bounded_allocator.hpp"

#include "duckdb/common/exception.hpp"
#include "engine/step_watch.hpp"

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
  StepWatch::before_allocating(size);
  const data_ptr_t pointer = Allocator::DefaultAllocate(data, size);
  if (pointer) StepWatch::allocated(size);
  return pointer;
}

void release(PrivateAllocatorData* data, data_ptr_t pointer, idx_t size) {
  Allocator::DefaultFree(data, pointer, size);
  if (pointer) StepWatch::freed(size);
}

data_ptr_t reallocate(PrivateAllocatorData* data, data_ptr_t pointer, idx_t old_size, idx_t size) {
  check_size(size);
  if (size > old_size) StepWatch::before_allocating(size - old_size);
  const data_ptr_t moved = Allocator::DefaultReallocate(data, pointer, old_size, size);
  if (moved) {
    StepWatch::freed(old_size);
    StepWatch::allocated(size);
  }
  return moved;
}

}  // namespace

void bound_default_allocator() {
  // What was allocated before still points at the allocator that it came from.
  static const auto replaced = [] {
    auto previous = Allocator::DefaultAllocatorReference();
    Allocator::DefaultAllocatorReference() = duckdb::make_shared_ptr<Allocator>(allocate, release, reallocate, nullptr);
    return previous;
  }();
  static_cast<void>(replaced);
}

duckdb::unique_ptr<Allocator> make_bounded_allocator() {
  return duckdb::make_uniq<Allocator>(allocate, release, reallocate, nullptr);
}

}  // namespace stele
