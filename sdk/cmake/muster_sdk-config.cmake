# find_package(muster_sdk): muster::sdk, muster::sdk_testing and muster_add_plugin. Needs nothing.
include("${CMAKE_CURRENT_LIST_DIR}/muster_sdk-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/muster_sdk-functions.cmake")
