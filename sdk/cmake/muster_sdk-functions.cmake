# muster_add_plugin(NAME ID <reverse DNS> VERSION <semver> SOURCES <file>...
#                   [LICENSE <SPDX>] [LIBRARIES <target>...])
#
# Makes two targets of one compilation:
#   NAME         the plugin, <build>/plugins/NAME/NAME.so, with plugin.toml beside it
#   NAME_static  the same objects as a static library, for unit tests that call its classes
# Works the same inside Muster's tree and out of it. C and C++ sources.

function(muster_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ID;VERSION;LICENSE" "SOURCES;LIBRARIES")
  foreach(required ID VERSION SOURCES)
    if(NOT arg_${required})
      message(FATAL_ERROR "muster_add_plugin(${name}): ${required} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "muster_add_plugin(${name}): what is ${arg_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT arg_LICENSE)
    set(arg_LICENSE "Apache-2.0")
  endif()

  _muster_plugin_objects(${name})
  _muster_plugin_module(${name})
  add_library(${name}_static STATIC $<TARGET_OBJECTS:${name}_objects>)
  set_target_properties(${name}_static PROPERTIES LINKER_LANGUAGE ${language})
  target_include_directories(${name}_static INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${name}_static PUBLIC muster::sdk ${arg_LIBRARIES})
  if(language STREQUAL "CXX")
    target_compile_features(${name}_static INTERFACE cxx_std_20)
  endif()
  _muster_plugin_manifest(${name})

  # Where a host of the same prefix looks; a folder a plugin, so that the manifest keeps its name.
  set(destination "lib/muster/plugins/${name}")
  install(TARGETS ${name} LIBRARY DESTINATION "${destination}" COMPONENT plugins)
  install(FILES "${_folder}/plugin.toml" DESTINATION "${destination}" COMPONENT plugins)
endfunction()

# The macros below are parts of muster_add_plugin and use its variables.
macro(_muster_plugin_objects name)
  add_library(${name}_objects OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_objects PRIVATE muster::sdk ${arg_LIBRARIES})
  target_include_directories(${name}_objects PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${name}_objects PRIVATE
    MUSTER_PLUGIN_ID="${arg_ID}" MUSTER_PLUGIN_VERSION="${arg_VERSION}"
    MUSTER_PLUGIN_LICENSE="${arg_LICENSE}")
  set_target_properties(${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # A unique symbol would pin the library and share its statics with other plugins.
  target_compile_options(${name}_objects PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  if(TARGET muster_warnings)
    target_link_libraries(${name}_objects PRIVATE muster_warnings)
  endif()
  if(CMAKE_CXX_COMPILER_LOADED)
    set(language CXX)
    if(NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 20)
      target_compile_features(${name}_objects PRIVATE cxx_std_20)
    endif()
  else()
    set(language C)
  endif()
endmacro()

macro(_muster_plugin_module name)
  add_library(${name} MODULE $<TARGET_OBJECTS:${name}_objects>)
  set(_folder "${CMAKE_BINARY_DIR}/plugins/${name}")
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".so" LINKER_LANGUAGE ${language}
    LIBRARY_OUTPUT_DIRECTORY "$<1:${_folder}>")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  set(_script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${_script}")
  target_link_options(${name} PRIVATE
    "LINKER:--version-script=${_script}" "LINKER:--exclude-libs,ALL")
  # Sanitizers of clang leave their runtime to the executable, so a plugin has open symbols then.
  if(NOT (MUSTER_SANITIZE AND CMAKE_${language}_COMPILER_ID MATCHES "Clang"))
    target_link_options(${name} PRIVATE "LINKER:-z,defs")
  endif()
  set_property(GLOBAL APPEND PROPERTY MUSTER_PLUGINS ${name})
endmacro()

# One source of truth: the manifest is what the plugin's own entry says.
macro(_muster_plugin_manifest name)
  if(NOT TARGET muster_sdk_manifest)
    set(_source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/manifest.c")
    set_source_files_properties("${_source}" PROPERTIES LANGUAGE ${language})
    add_executable(muster_sdk_manifest EXCLUDE_FROM_ALL "${_source}")
    target_link_libraries(muster_sdk_manifest PRIVATE muster::sdk ${CMAKE_DL_LIBS})
    set_target_properties(muster_sdk_manifest PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "$<1:${CMAKE_BINARY_DIR}/muster_sdk>")
  endif()
  add_dependencies(${name} muster_sdk_manifest)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND muster_sdk_manifest "$<TARGET_FILE:${name}>" "${_folder}/plugin.toml"
    BYPRODUCTS "${_folder}/plugin.toml" VERBATIM)
endmacro()
