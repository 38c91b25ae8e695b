# Writes a C++ file that holds the store's schema files as text, in the order of their versions. Run by the build:
#   cmake -DFOLDER=core/store -DOUTPUT=schema_files.cpp -P embed_schema.cmake
# schema.sql is version 1, schema_2.sql leads from 1 to 2, and so on without a gap.
set(entries "")
set(version 1)
set(file "${FOLDER}/schema.sql")
while(EXISTS "${file}")
  file(READ "${file}" text)
  string(APPEND entries "    R\"sql(${text})sql\",\n")
  math(EXPR version "${version} + 1")
  set(file "${FOLDER}/schema_${version}.sql")
endwhile()

file(WRITE "${OUTPUT}" "// Made from core/store/schema*.sql by cmake/embed_schema.cmake.
#include \"store/schema.hpp\"

namespace stele {

std::span<const std::string_view> schema_files() {
  static constexpr std::string_view files[] = {
${entries}  };
  return files;
}

}  // namespace stele
")
