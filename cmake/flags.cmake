# SPDX-License-Identifier: GPL-3.0-or-later
# How every line of C in the house is compiled.
add_compile_definitions(_GNU_SOURCE ASSAY_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wvla -Wformat=2 -fno-common -fno-strict-aliasing -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
if(ASSAY_WERROR)
  add_compile_options(-Werror)
endif()
if(ASSAY_FUZZ) # the rooms tell libFuzzer which of their branches an input reached
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ASSAY_SANITIZE)
  add_compile_definitions(ASSAY_SANITIZED)
  add_compile_options(-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ASSAY_SANITIZE})
elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions($<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=2>)
  add_compile_options(-fstack-protector-strong)
endif()
include_directories(${CMAKE_SOURCE_DIR})
