# Flags and the function that makes a layer.

# Flags for meaning first: no contraction, no assumption about the rounding mode.
add_library(ulp_flags INTERFACE)
target_compile_options(ulp_flags INTERFACE
  -ffp-contract=off -frounding-math
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion
  -Wstrict-prototypes -Wmissing-prototypes -Wvla)
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  # clang says that -frounding-math is not honoured everywhere; the tests that change the mode decide.
  target_compile_options(ulp_flags INTERFACE -Wno-unsupported-floating-point-opt)
endif()
target_include_directories(ulp_flags INTERFACE ${PROJECT_SOURCE_DIR})
foreach(sanitizer IN LISTS ULP_SANITIZE)
  target_compile_options(ulp_flags INTERFACE -fsanitize=${sanitizer} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
  target_link_options(ulp_flags INTERFACE -fsanitize=${sanitizer})
endforeach()
if(ULP_COVERAGE)
  target_compile_options(ulp_flags INTERFACE --coverage)
  target_link_options(ulp_flags INTERFACE --coverage)
endif()

# ulp_add_layer(NAME SOURCES file... [OBJECTS object...] [USES layer...] [LIBRARIES target...])
# One OBJECT library a folder. USES names the layers whose headers it may include: nothing else links,
# and the order of the lists is the direction of the house. LIBRARIES are foreign ones. OBJECTS were compiled
# apart, with flags of their own.
function(ulp_add_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;OBJECTS;USES;LIBRARIES" ${ARGN})
  add_library(ulp_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(ulp_${name} PRIVATE ulp_flags ${arg_LIBRARIES})
  set(needs ${arg_LIBRARIES})
  set(objects $<TARGET_OBJECTS:ulp_${name}> ${arg_OBJECTS})
  set_target_properties(ulp_${name} PROPERTIES OBJECTS_OF_LAYER "${objects}")
  foreach(layer IN LISTS arg_USES)
    get_target_property(below ulp_${layer}_all SOURCES_OF_LAYER)
    list(APPEND objects ${below})
    get_target_property(libraries ulp_${layer}_all LIBRARIES_OF_LAYER)
    if(libraries)
      list(APPEND needs ${libraries})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES objects)
  list(REMOVE_DUPLICATES needs)
  # ulp_NAME_all: a static library of this layer and all below it, for tests and tools to link.
  add_library(ulp_${name}_all STATIC ${objects})
  set_target_properties(ulp_${name}_all PROPERTIES
    SOURCES_OF_LAYER "${objects}" LIBRARIES_OF_LAYER "${needs}" LINKER_LANGUAGE C)
  target_link_libraries(ulp_${name}_all PUBLIC ulp_flags ${needs})
endfunction()
