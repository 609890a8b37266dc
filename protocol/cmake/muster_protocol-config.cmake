# find_package(muster_protocol) gives muster::protocol, which needs nothing but the standard library.
include("${CMAKE_CURRENT_LIST_DIR}/muster_protocol-targets.cmake")
