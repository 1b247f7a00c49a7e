# SPDX-License-Identifier: GPL-3.0-or-later
# A room is a folder that is one static library, with the list of rooms it may look into.
#
#   room(store MAY_INCLUDE proto base LINKS sqlite SOURCES catalog.c store.c)
#
# MAY_INCLUDE links those rooms' libraries and is written down in build/rooms.txt, against which the test
# "no arrow points up" (tests/rooms.sh) holds every #include of the tree. LINKS names libraries of
# libraries.cmake; they stay private to the room.

set(ASSAY_ROOMS_FILE ${CMAKE_BINARY_DIR}/rooms.txt)
file(WRITE ${ASSAY_ROOMS_FILE} "")

function(room name)
  cmake_parse_arguments(ROOM "" "" "MAY_INCLUDE;LINKS;SOURCES" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "room(${name}): what is ${ROOM_UNPARSED_ARGUMENTS}?")
  endif()
  add_library(${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(${name} PUBLIC ${ROOM_MAY_INCLUDE})
  foreach(library ${ROOM_LINKS})
    target_link_libraries(${name} PRIVATE lib-${library})
  endforeach()
  string(REPLACE ";" " " arrows "${ROOM_MAY_INCLUDE}")
  file(APPEND ${ASSAY_ROOMS_FILE} "${name}: ${arrows}\n")
endfunction()
