// Services: the parts of one core that a tool's handler works with. They belong to the core and outlive every call.
#pragma once

#include "base/host.hpp"
#include "engine/engine.hpp"
#include "engine/limits.hpp"
#include "store/blobs.hpp"
#include "tables/catalog.hpp"
#include "tables/overview.hpp"
#include "tables/receipts.hpp"
#include "tables/versions.hpp"
#include "tables/writer.hpp"
#include "tools/staging.hpp"

namespace stele {

struct Services {
  Host& host;
  const Limits& limits;
  Blobs& blobs;
  Engine& engine;
  Catalog& catalog;
  Versions& versions;
  Writer& writer;
  Receipts& receipts;
  Staging& staging;
  SqlStore& store;
  Overview& overview;
};

}  // namespace stele
