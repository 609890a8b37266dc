# The test abi.abidiff: the headers against the stored border, as abidiff sees them; then that it
# sees what is forbidden and lets pass what is not. A new baseline, when a minor is released:
#   cc -std=c11 -g -shared -fPIC -I sdk/include -ffile-prefix-map=$PWD/= tests/abi/border_probe.c -o p.so
#   abidw --no-comp-dir-path --no-corpus-path --no-show-locs --type-id-style hash p.so
if(NOT ABIDIFF)
  message("SKIPPED: there is no abidiff (Debian: abigail-tools)")
  return()
endif()
file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")

# Sets `changed` to whether the headers in a folder differ from the baseline in a way that breaks.
function(compare headers)
  execute_process(COMMAND "${CC}" -std=c11 -g -shared -fPIC "-I${headers}"
    "${SOURCE}/border_probe.c" -o "${SCRATCH}/probe.so" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${ABIDIFF}" --leaf-changes-only
    --suppressions "${SOURCE}/border.suppr" "${SOURCE}/border_0_1.abi" "${SCRATCH}/probe.so"
    RESULT_VARIABLE result OUTPUT_VARIABLE report ERROR_VARIABLE report)
  if(result EQUAL 0)
    set(changed NO PARENT_SCOPE)
  else()
    set(changed YES PARENT_SCOPE)
  endif()
  set(report "${report}" PARENT_SCOPE)
endfunction()

compare("${HEADERS}")
if(changed)
  message(FATAL_ERROR "the border changed:\n${report}")
endif()

# A copy of the headers with one member put in front of another, or at a struct's end.
function(expect want header where member)
  file(REMOVE_RECURSE "${SCRATCH}/headers")
  file(COPY "${HEADERS}/" DESTINATION "${SCRATCH}/headers")
  set(file "${SCRATCH}/headers/muster/abi/${header}")
  file(READ "${file}" text)
  string(REPLACE "${where}" "${member}\n${where}" edited "${text}")
  if(edited STREQUAL text)
    message(FATAL_ERROR "${header} has no '${where}'")
  endif()
  file(WRITE "${file}" "${edited}")
  compare("${SCRATCH}/headers")
  if(NOT changed STREQUAL want)
    message(FATAL_ERROR "'${member}' before '${where}': a change ${want} is wanted\n${report}")
  endif()
endfunction()
expect(NO decision.h "} muster_decision;" "  void (*more)(void* self);")
expect(NO group_protocol.h "} muster_group_protocol_v1;" "  void (*more)(void* self);")
expect(YES decision.h "  void (*timer)(" "  void (*more)(void* self);")
expect(YES options.h "} muster_option;" "  const char* more;")
