# cmake -D NM=nm -D PLUGIN=file.so -P one_symbol.cmake: fails unless the entry is all it exports.
execute_process(COMMAND "${NM}" -D --defined-only "${PLUGIN}"
  OUTPUT_VARIABLE symbols OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "^[0-9a-f]+ T muster_plugin_entry$")
  message(FATAL_ERROR "${PLUGIN} exports:\n${symbols}")
endif()
