# SPDX-License-Identifier: GPL-3.0-or-later
# The libraries, by the name that rooms.cmake's LINKS uses. Debian's package names are in packages.sh.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
foreach(pair
    cpuid=libcpuid curl=libcurl protobuf-c=libprotobuf-c zstd=libzstd yaml=yaml-0.1 xxhash=libxxhash
    sqlite=sqlite3 microhttpd=libmicrohttpd jansson=jansson pcre2=libpcre2-8 gsl=gsl)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 module)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
  add_library(lib-${name} INTERFACE)
  target_link_libraries(lib-${name} INTERFACE PkgConfig::${name})
endforeach()
add_library(lib-threads INTERFACE)
target_link_libraries(lib-threads INTERFACE Threads::Threads)
add_library(lib-math INTERFACE)
target_link_libraries(lib-math INTERFACE m)
find_program(PROTOC_C protoc-c REQUIRED)

# Loaded by agent/curl_library.c when it is needed, so only its headers are used here.
add_library(lib-curl-headers INTERFACE)
target_include_directories(lib-curl-headers SYSTEM INTERFACE ${curl_INCLUDE_DIRS})

# The same for collectors/perf_library.c; it has no pkg-config file.
find_path(pfm_INCLUDE_DIR perfmon/pfmlib_perf_event.h REQUIRED)
add_library(lib-pfm-headers INTERFACE)
target_include_directories(lib-pfm-headers SYSTEM INTERFACE ${pfm_INCLUDE_DIR})
