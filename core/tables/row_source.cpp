#include "tables/row_source.hpp"

namespace stele {

Json Warning::to_json() const {
  Json json;
  if (!column.empty()) json["column"] = column;
  json["kind"] = kind;
  json["message"] = message;
  if (value) json["value"] = *value;
  if (row) json["row"] = *row;
  if (count) json["count"] = *count;
  return json;
}

}  // namespace stele
