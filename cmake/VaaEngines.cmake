# What is known of engines: the files of a folder of lib/engines become one table of name and JSON.
#   vaa_engine_table(data engine_data FILE) makes the function vaa::engine_data() and sets FILE to its source.
function(vaa_engine_table folder function source)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lib/engines/${folder}/*.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(rows "")
  foreach(path ${files})
    get_filename_component(name "${path}" NAME_WE)
    file(READ "${path}" json)
    string(APPEND rows "    {\"${name}\", R\"json(${json})json\"},\n")
  endforeach()
  set(made "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  file(CONFIGURE OUTPUT "${made}" @ONLY CONTENT [=[// Made from lib/engines/@folder@.
#include "engines/engine_data.h"

namespace vaa {

std::span<const EngineData> @function@() {
  static constexpr EngineData kData[] = {
@rows@  };
  return kData;
}

}  // namespace vaa
]=])
  set(${source} "${made}" PARENT_SCOPE)
endfunction()
vaa_engine_table(data engine_data VAA_ENGINE_DATA)
vaa_engine_table(defaults defaults_data VAA_ENGINE_DEFAULTS)
vaa_engine_table(policies policy_data VAA_ENGINE_POLICIES)
