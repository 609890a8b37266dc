# The test sdk.installed: the SDK alone, as a stranger gets it. Each project is configured with
# nothing but the install prefix, built, tested, and its plugin looked at.
set(prefix "${SCRATCH}/prefix")
if(CCACHE)
  set(ENV{CMAKE_C_COMPILER_LAUNCHER} "${CCACHE}")
  set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${CCACHE}")
endif()
file(REMOVE_RECURSE "${SCRATCH}")

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " line)
    message(FATAL_ERROR "${line}\n${log}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --component sdk --prefix "${prefix}")

function(outside folder plugin)
  set(build "${SCRATCH}/${plugin}")
  # Copied, so that no include can reach into Muster's tree by a relative path.
  file(COPY "${folder}/" DESTINATION "${build}/source")
  run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${build}/source" -B "${build}/build"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_C_COMPILER=${CC}" "-DCMAKE_CXX_COMPILER=${CXX}")
  run("${CMAKE_COMMAND}" --build "${build}/build")
  run("${CMAKE_CTEST_COMMAND}" --test-dir "${build}/build" --output-on-failure)
  set(folder "${build}/build/plugins/${plugin}")
  run("${CMAKE_COMMAND}" -D "NM=${NM}" -D "PLUGIN=${folder}/${plugin}.so"
    -P "${SOURCE}/tests/abi/one_symbol.cmake")
  if(NOT EXISTS "${folder}/plugin.toml")
    message(FATAL_ERROR "${plugin} has no manifest")
  endif()
endfunction()

set(examples "${prefix}/share/muster_sdk/examples")
outside("${examples}/assignor-cpp" round_robin)
outside("${examples}/assignor-c" round_robin_c)
outside("${SOURCE}/tests/abi/every_kind" every_kind)
run("${CMAKE_COMMAND}" -E compare_files
  "${SCRATCH}/every_kind/build/plugins/every_kind/plugin.toml"
  "${SOURCE}/tests/abi/every_kind/expected.toml")

# What docs/writing-a-plugin.md has a newcomer paste, pasted.
file(MAKE_DIRECTORY "${SCRATCH}/pasted")
run(awk -v "folder=${SCRATCH}/pasted" -f "${SOURCE}/tests/abi/paste.awk"
  "${SOURCE}/docs/writing-a-plugin.md")
file(REMOVE_RECURSE "${SCRATCH}/round_robin")
outside("${SCRATCH}/pasted" round_robin)
if(NOT EXISTS "${SCRATCH}/round_robin/build/round_robin_test")
  message(FATAL_ERROR "the document's test was not built")
endif()
