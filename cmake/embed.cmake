# SPDX-License-Identifier: GPL-3.0-or-later
# Files that a program carries in itself: embed(room NAME file) makes "room/NAME.h" with
#   static const char NAME[];     the file's bytes, and a NUL behind them
# in the build tree. A changed file is embedded anew by the next build.
function(embed room name file)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  set(header ${CMAKE_BINARY_DIR}/embedded/${room}/${name}.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
  file(CONFIGURE OUTPUT ${header} CONTENT "static const char ${name}[] = {\n@bytes@0\n};\n" @ONLY)
  target_include_directories(${room} PRIVATE ${CMAKE_BINARY_DIR}/embedded)
endfunction()
