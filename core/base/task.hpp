// Task: work that runs in slices, written as straight code. A task never runs by itself: a Routine steps it, and
// between two steps the home may answer others, report progress or cancel. A slice is counted in work done, never in
// time.
#pragma once

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/coroutine.hpp"
#include "base/error.hpp"
#include "base/json.hpp"

namespace stele {

struct Progress {
  double done = 0;
  double total = 0;       // 0 when unknown
  const char* what = "";  // a few words on what is being done, of static storage
};

// The stack of suspended coroutines of one call. Nested tasks are pushed rather than resumed by symmetric transfer,
// which WebAssembly without tail calls cannot do.
struct RoutineState {
  std::vector<std::coroutine_handle<>> stack;
  bool yielded = false;
  bool cancelled = false;
  Progress progress;
  std::optional<Json> question;  // set while the task waits for the home
  Json reply;                    // the home's answer to it
};

namespace detail {

struct PromiseBase {
  RoutineState* routine = nullptr;
  std::exception_ptr failure;

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() { failure = std::current_exception(); }

  struct PopOnEnd {
    bool await_ready() noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> ended) noexcept {
      ended.promise().routine->stack.pop_back();
    }
    void await_resume() noexcept {}
  };
  PopOnEnd final_suspend() noexcept { return {}; }
};

template <class T>
struct PromiseValue : PromiseBase {
  std::optional<T> value;
  template <class U>
  void return_value(U&& returned) {
    value.emplace(std::forward<U>(returned));
  }
  T take() { return std::move(*value); }
};

template <>
struct PromiseValue<void> : PromiseBase {
  void return_void() {}
  void take() {}
};

}  // namespace detail

// A lazily started coroutine, owned by whoever holds it and destroyed with it. Await it once. A coroutine's parameters
// are taken by value or outlive the routine.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::PromiseValue<T> {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <class Parent>
  void await_suspend(std::coroutine_handle<Parent> parent) {
    begin(*parent.promise().routine);
  }
  T await_resume() { return result(); }

  // For Routine: puts this task on top of the routine's stack.
  void begin(RoutineState& routine) {
    handle_.promise().routine = &routine;
    routine.stack.push_back(handle_);
  }
  // For Routine: the value, or the exception the task ended with.
  T result() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.promise().take();
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

namespace detail {

struct EndSlice {
  Progress progress;
  RoutineState* routine = nullptr;
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    routine = waiting.promise().routine;
    routine->progress = progress;
    routine->yielded = true;
  }
  void await_resume() const {
    if (routine->cancelled)
      throw Error("cancelled", "The call was cancelled.", "Nothing was changed; call again to start over.");
  }
};

struct AskHome {
  Json question;
  EndSlice slice{};
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    slice.await_suspend(waiting);
    slice.routine->question = std::move(question);
  }
  Json await_resume() {
    slice.await_resume();
    return std::move(slice.routine->reply);
  }
};

}  // namespace detail

// co_await end_slice(...): lets the home have a turn. Throws Error "cancelled" if the call was cancelled meanwhile.
inline detail::EndSlice end_slice(Progress progress = {}) { return {progress}; }

// co_await ask_home(question): the home does something asynchronous and answers with JSON, or with
// {"error", "message", "hint"}, which the asker turns into an Error. Make the question in a statement of its own: g++
// 12 rejects a braced list within an expression that awaits.
inline detail::AskHome ask_home(Json question) { return {std::move(question)}; }

// Drives one task of JSON to its end, a slice at a time.
class Routine {
 public:
  explicit Routine(Task<Json> task) : task_(std::move(task)) { task_.begin(state_); }
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;

  // Runs until the end of the slice. Returns true when the task has ended; then take() once.
  bool step() {
    require(!state_.question, "a routine that waits for an answer is not stepped");
    state_.yielded = false;
    while (!state_.stack.empty() && !state_.yielded) state_.stack.back().resume();
    return state_.stack.empty();
  }
  const std::optional<Json>& question() const { return state_.question; }
  void answer(Json reply) {
    state_.reply = std::move(reply);
    state_.question.reset();
  }
  void cancel() {
    state_.cancelled = true;
    state_.question.reset();
  }
  const Progress& progress() const { return state_.progress; }
  Json take() { return task_.result(); }

 private:
  RoutineState state_;
  Task<Json> task_;
};

// Runs a task that asks nothing of the home to its end, for tests and for short work.
template <class T>
T run_to_end(Task<T> task) {
  RoutineState state;
  task.begin(state);
  while (!state.stack.empty()) {
    require(!state.question, "run_to_end has no home to ask");
    state.stack.back().resume();
  }
  return task.result();
}

}  // namespace stele
