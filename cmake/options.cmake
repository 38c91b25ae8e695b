# stele::options: what every unit of ours is compiled with.
add_library(stele_options INTERFACE)
add_library(stele::options ALIAS stele_options)
target_compile_options(stele_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow)

# nlohmann_json is header-only: taken alone, so that a cross build never sees the machine's own headers.
find_path(nlohmann_dir nlohmann/json.hpp PATHS /usr/include /usr/local/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/include")
file(CREATE_LINK "${nlohmann_dir}/nlohmann" "${CMAKE_BINARY_DIR}/include/nlohmann" SYMBOLIC)
target_include_directories(stele_options SYSTEM INTERFACE "${CMAKE_BINARY_DIR}/include")

if(EMSCRIPTEN)
  target_compile_options(stele_options INTERFACE -fwasm-exceptions -Wno-deprecated-experimental-coroutine)
  target_link_options(stele_options INTERFACE -fwasm-exceptions)
endif()

# With clang, whose objects also serve the fuzz targets; -O1, since the tests run for longer than they compile.
option(STELE_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer, with the coverage that libFuzzer reads" OFF)
if(STELE_SANITIZE)
  target_compile_options(stele_options INTERFACE
    -O1 -gline-tables-only -fsanitize=address,undefined,fuzzer-no-link
    -fno-sanitize=function # clang 14 cannot place its prologue before a coroutine
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(stele_options INTERFACE -fsanitize=address,undefined)
endif()
