# stele::duckdb: the engine, at the one version that the project uses. Natively a published shared library, for WASM the
# archive of cmake/engine. Only core/engine links it.
set(STELE_DUCKDB_VERSION 1.4.4)
set(duckdb_home "${STELE_CACHE}/duckdb-${STELE_DUCKDB_VERSION}")
set(duckdb_source "${duckdb_home}/package/src/duckdb")

if(EMSCRIPTEN)
  # Named by the recipe, as cmake/setup.mjs names it, so that a changed recipe never links a stale archive.
  file(SHA256 "${CMAKE_CURRENT_SOURCE_DIR}/cmake/engine/CMakeLists.txt" recipe)
  string(SUBSTRING "${recipe}" 0 12 recipe)
  set(duckdb_library "${duckdb_home}/wasm-${recipe}/libduckdb.a")
  add_library(stele_duckdb STATIC IMPORTED GLOBAL)
else()
  set(duckdb_library "${duckdb_home}/native/libduckdb.so")
  add_library(stele_duckdb SHARED IMPORTED GLOBAL)
endif()
if(NOT EXISTS "${duckdb_library}" OR NOT EXISTS "${duckdb_source}")
  message(FATAL_ERROR "DuckDB ${STELE_DUCKDB_VERSION} is not in the cache: run `npm run setup` first")
endif()

set_target_properties(stele_duckdb PROPERTIES IMPORTED_LOCATION "${duckdb_library}")
target_include_directories(stele_duckdb SYSTEM INTERFACE
  "${duckdb_source}/src/include"
  "${duckdb_source}/extension/parquet/include" "${duckdb_source}/extension/json/include"
  "${duckdb_source}/extension/icu/include" "${duckdb_source}/extension/core_functions/include"
  "${duckdb_source}/third_party/parquet" "${duckdb_source}/third_party/thrift" "${duckdb_source}/third_party/yyjson/include"
  "${duckdb_source}/third_party/mbedtls/include" "${duckdb_source}/third_party/miniz"
  "${duckdb_source}/third_party/libpg_query/include" "${duckdb_source}/third_party/re2"
  "${duckdb_source}/third_party/fmt/include" "${duckdb_source}/third_party/utf8proc/include"
  "${duckdb_source}/third_party/fastpforlib" "${duckdb_source}/third_party/concurrentqueue" "${duckdb_source}/third_party/zstd/include")
# The headers must see the engine as it was compiled.
if(EMSCRIPTEN)
  target_compile_definitions(stele_duckdb INTERFACE NDEBUG DUCKDB_NO_THREADS=1 DUCKDB_DISABLE_EXTENSION_LOAD=1)
else()
  target_compile_definitions(stele_duckdb INTERFACE NDEBUG)
endif()
add_library(stele::duckdb ALIAS stele_duckdb)
