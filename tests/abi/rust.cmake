# The test sdk.installed.rust: the Rust example as its README builds it, then looked at and called.
if(NOT RUSTC)
  message("SKIPPED: there is no rustc")
  return()
endif()
set(library "${SCRATCH}/round_robin_rs.so")
file(MAKE_DIRECTORY "${SCRATCH}")
foreach(command IN ITEMS
    "${RUSTC}|--edition|2021|--crate-type|cdylib|-O|-D|warnings|${SOURCE}|-o|${library}"
    "${MANIFEST}|${library}|${SCRATCH}/plugin.toml"
    "${CMAKE_COMMAND}|-D|NM=${NM}|-D|PLUGIN=${library}|-P|${ONE_SYMBOL}"
    "${ENTRY_IS_PURE}|${library}"
    "${ASSIGNS}|${library}")
  string(REPLACE "|" ";" command "${command}")
  execute_process(COMMAND ${command} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
