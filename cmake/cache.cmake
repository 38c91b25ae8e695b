# Where everything that is fetched or built once lives: outside the tree, so that a fresh clone on the same machine reuses it.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(STELE_CACHE "$ENV{XDG_CACHE_HOME}/stele")
else()
  set(STELE_CACHE "$ENV{HOME}/.cache/stele")
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
