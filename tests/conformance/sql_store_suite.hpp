// The conformance suite of SqlStore: what core/store/sql_store.hpp promises, asserted of any implementation. It makes
// tables of its own whose names begin with conformance_, and touches no other.
#pragma once

#include <span>

#include "conformance/check.hpp"
#include "store/sql_store.hpp"

namespace stele::conformance {

// In any order, over one store or a fresh one for each.
std::span<const Check<SqlStore>> sql_store_checks();

// For stores that outlive their object: write, destroy the store without further ado, open it again, check.
void write_before_reopening(SqlStore& store);
Failure check_after_reopening(SqlStore& store);

}  // namespace stele::conformance
