# SPDX-License-Identifier: GPL-3.0-or-later
cmake_minimum_required(VERSION 3.25)
# cmake -D OUT=file -D SOURCE=dir "-D HEADERS=a.h;b.h" -P one_header.cmake: the headers behind one another, without the
# includes of one another. One that includes another which is not among those before it is an error.
set(whole "/* SPDX-License-Identifier: GPL-3.0-or-later */\n/* For collectors outside the program's tree; put together from the tree's headers. */\n")
foreach(name ${HEADERS})
  file(READ ${SOURCE}/${name} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" include "${include}")
    if(NOT include IN_LIST seen)
      message(FATAL_ERROR "${name} includes ${include}, which does not stand before it")
    endif()
  endforeach()
  list(APPEND seen ${name})
  string(REGEX REPLACE "#include \"[^\"]+\"\n" "" text "${text}")
  string(APPEND whole "\n/* ==== ${name} ==== */\n${text}")
endforeach()
file(WRITE ${OUT} "${whole}")
