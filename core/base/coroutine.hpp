// <coroutine> under one name: Emscripten 3.1.6 ships it as an experimental header only. Nothing else lives here.
#pragma once

#if __has_include(<coroutine>)
#include <coroutine>
#else
#include <experimental/coroutine>
// NOLINTNEXTLINE(cert-dcl58-cpp): stands in for the missing standard header.
namespace std {
using experimental::coroutine_handle;
using experimental::coroutine_traits;
using experimental::suspend_always;
}  // namespace std
#endif
