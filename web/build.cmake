# cmake -DNPM=npm -DPAGE=report -DOUT=file.html -DWORK=folder -P build.cmake: builds the page of that
# folder into OUT, or with -DSAME=file.html tells whether that file has the same bytes. The packages
# of the lock file are fetched once; where they cannot be, the last line begins with "skipped".
set(folder ${CMAKE_CURRENT_LIST_DIR}/${PAGE})
file(MAKE_DIRECTORY ${folder}/node_modules ${WORK})
file(LOCK ${folder}/node_modules DIRECTORY GUARD PROCESS TIMEOUT 600)

file(SHA256 ${folder}/package-lock.json wanted)
set(stamp ${folder}/node_modules/.perpend-lock)
set(there "")
if(EXISTS ${stamp})
  file(READ ${stamp} there)
endif()
if(NOT there STREQUAL wanted)
  # The lock file names no registry, so npm asks for one list per package: from its cache if it can.
  execute_process(COMMAND ${NPM} ci --prefer-offline --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${folder} TIMEOUT 600 RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    message("${log}\nskipped: npm ci cannot fetch the packages of the page")
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endif()

execute_process(COMMAND ${NPM} run --silent build -- --outDir ${WORK}/${PAGE} --emptyOutDir
  WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed)
  message(FATAL_ERROR "${log}")
endif()
if(SAME)
  file(SHA256 ${WORK}/${PAGE}/index.html built)
  file(SHA256 ${SAME} committed)
  if(NOT built STREQUAL committed)
    message(FATAL_ERROR "${SAME} is not what its sources give: "
      "cmake --build --preset release --target perpend_${PAGE}_page")
  endif()
else()
  file(COPY_FILE ${WORK}/${PAGE}/index.html ${OUT})
endif()
