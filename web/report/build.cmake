# cmake -DNPM=npm -DOUT=file.html -P build.cmake: builds the page into OUT. The packages of the lock
# file are fetched once; when that fails there is no OUT, and no error either. A mistake in the
# page's own sources is an error.
set(folder ${CMAKE_CURRENT_LIST_DIR})
get_filename_component(out_folder ${OUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder}/node_modules ${out_folder})
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
    message("${log}\nperpend report: npm ci failed, the program is built without its page")
    file(REMOVE ${OUT})
    return()
  endif()
  file(WRITE ${stamp} ${wanted})
endif()

execute_process(COMMAND ${NPM} run --silent build -- --outDir ${out_folder}/report --emptyOutDir
  WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
if(failed)
  message(FATAL_ERROR "${log}")
endif()
file(COPY_FILE ${out_folder}/report/index.html ${OUT})
