# stele::zstd: two units of the zstd inside DuckDB, compiled again for WebAssembly with wider bit containers.
#
# zstd's decoders read ahead into a size_t and take their fast paths where that has 64 bits. On wasm32 it has 32, though the
# machine's registers have 64. The same sources with these few words changed unpack Parquet pages in 0.7 of the time
# (docs/engine.md). They are linked before the engine's archive, whose own units are then never drawn in. Every word that
# is to be changed must be found, so that another version of DuckDB cannot pass unnoticed.
set(zstd_source "${duckdb_source}/third_party/zstd")
set(zstd_wide "${CMAKE_BINARY_DIR}/zstd")

function(stele_widen from to)
  file(READ "${zstd_source}/${from}" text)
  while(ARGN)
    list(POP_FRONT ARGN narrow wide)
    string(FIND "${text}" "${narrow}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "zstd's ${from} has no \"${narrow}\": look at cmake/zstd.cmake")
    endif()
    string(REPLACE "${narrow}" "${wide}" text "${text}")
  endwhile()
  file(WRITE "${zstd_wide}/${to}" "${text}")
endfunction()

stele_widen(include/zstd/common/bitstream.h include/zstd/common/bitstream.h
  "typedef size_t BitContainerType" "typedef U64 BitContainerType"
  "MEM_readLEST(" "MEM_readLE64("
  "MEM_32bits()" "0")
stele_widen(decompress/zstd_decompress_block.cpp zstd_decompress_block.cpp
  "MEM_32bits()" "0"
  "MEM_64bits()" "1")
stele_widen(decompress/huf_decompress.cpp huf_decompress.cpp
  "MEM_32bits()" "0"
  "MEM_64bits()" "1"
  "MEM_readLEST(" "MEM_readLE64("
  "static size_t HUF_initFastDStream" "static U64 HUF_initFastDStream"
  "size_t const value = MEM_readLE64(ip) | 1" "U64 const value = MEM_readLE64(ip) | 1"
  "bit->start + sizeof(size_t)" "bit->start + sizeof(U64)")

add_library(stele_zstd STATIC "${zstd_wide}/zstd_decompress_block.cpp" "${zstd_wide}/huf_decompress.cpp")
target_compile_features(stele_zstd PRIVATE cxx_std_17)
target_include_directories(stele_zstd PRIVATE "${zstd_wide}/include" "${zstd_source}/include" "${zstd_source}")
target_compile_definitions(stele_zstd PRIVATE NDEBUG)
target_compile_options(stele_zstd PRIVATE -O2 -fwasm-exceptions -w)
add_library(stele::zstd ALIAS stele_zstd)
