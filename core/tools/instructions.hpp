// Instructions: what a home tells an agent when it connects. Guidance on using the tools together; a tool's own words
// are in its definition.
#pragma once

namespace stele {

const char* agent_instructions();

}  // namespace stele
