#include "render/render.h"

namespace vaa {

std::string render(const Report& report, const RenderOptions&) { return report.json() + "\n"; }

}  // namespace vaa
