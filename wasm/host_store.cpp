#include "host_store.hpp"

#include <cstring>
#include <string>

#include "base/assert.hpp"

namespace stele {
namespace {

enum class Tag : std::uint8_t { null = 0, integer = 1, real = 2, text = 3, bytes = 4 };
enum class Status : std::uint8_t { ok = 0, conflict = 1, full = 2, io = 3 };

class Encoder {
 public:
  void count(std::size_t n) { number(static_cast<std::uint32_t>(n)); }

  void text(std::string_view value) {
    tag(Tag::text);
    blob(value.data(), value.size());
  }

  void value(const SqlValue& value) {
    std::visit([this](const auto& held) { this->held(held); }, value);
  }

  void statement(std::string_view sql, std::span<const SqlValue> params) {
    require(params.size() <= SqlStore::params_max, "a statement has at most 100 parameters");
    text(sql);
    count(params.size());
    for (const auto& param : params) value(param);
  }

  const Bytes& bytes() const { return bytes_; }

 private:
  void held(std::monostate) { tag(Tag::null); }
  void held(std::int64_t integer) {
    require(integer <= SqlStore::integer_max && integer >= -SqlStore::integer_max, "stored integers lie within 2^53-1");
    tag(Tag::integer);
    number(static_cast<double>(integer));
  }
  void held(double real) {
    tag(Tag::real);
    number(real);
  }
  void held(const std::string& value) { text(value); }
  void held(const Bytes& value) {
    tag(Tag::bytes);
    blob(value.data(), value.size());
  }

  void tag(Tag tag) { bytes_.push_back(static_cast<std::uint8_t>(tag)); }
  void blob(const void* data, std::size_t size) {
    require(size <= SqlStore::value_bytes_max, "a stored value has at most 1 MiB");
    count(size);
    append(data, size);
  }
  template <class Number>
  void number(Number number) {
    append(&number, sizeof number);  // WebAssembly is little-endian
  }
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  Bytes bytes_;
};

class Decoder {
 public:
  explicit Decoder(const Bytes& bytes) : rest_(bytes) {}

  std::uint32_t count() { return number<std::uint32_t>(); }
  Status status() { return static_cast<Status>(number<std::uint8_t>()); }

  SqlValue value() {
    switch (static_cast<Tag>(number<std::uint8_t>())) {
      case Tag::null:
        return std::monostate{};
      case Tag::integer:
        return static_cast<std::int64_t>(number<double>());
      case Tag::real:
        return number<double>();
      case Tag::text: {
        auto bytes = blob();
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }
      case Tag::bytes: {
        auto bytes = blob();
        return Bytes(bytes.begin(), bytes.end());
      }
    }
    throw InvariantBroken("a store answered with an unknown tag");
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::uint8_t> blob() { return take(count()); }
  template <class Number>
  Number number() {
    Number number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::span<const std::uint8_t> take(std::size_t size) {
    require(size <= rest_.size(), "a store's answer is whole");
    auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::uint8_t> rest_;
};

[[noreturn]] void throw_refusal(Status status, const std::string& message) {
  switch (status) {
    case Status::conflict:
      throw StoreError(StoreError::Kind::conflict, message);
    case Status::full:
      throw StoreError(StoreError::Kind::full, message);
    default:
      throw StoreError(StoreError::Kind::io, message);
  }
}

SqlRows decode_answer(const Bytes& answer) {
  Decoder decoder(answer);
  auto status = decoder.status();
  if (status != Status::ok) throw_refusal(status, std::get<std::string>(decoder.value()));
  auto rows = decoder.count();
  auto columns = decoder.count();
  SqlRows result(rows);
  for (auto& row : result) {
    row.reserve(columns);
    for (std::uint32_t column = 0; column < columns; ++column) row.push_back(decoder.value());
  }
  require(decoder.at_end(), "a store's answer ends after its rows");
  return result;
}

emscripten::val view_of(const Bytes& bytes) {
  return emscripten::val(emscripten::typed_memory_view(bytes.size(), bytes.data()));
}

}  // namespace

Bytes HostStore::ask(const char* method, const Bytes& request) {
  auto answer = store_.call<emscripten::val>(method, view_of(request));
  Bytes bytes(answer["length"].as<std::size_t>());
  view_of(bytes).call<void>("set", answer);
  return bytes;
}

SqlRows HostStore::query(std::string_view sql, std::span<const SqlValue> params) {
  Encoder request;
  request.statement(sql, params);
  return decode_answer(ask("query", request.bytes()));
}

void HostStore::commit(std::span<const SqlStatement> batch) { write("commit", batch); }

void HostStore::commit_ahead(std::span<const SqlStatement> batch) { write("commitAhead", batch); }

void HostStore::write(const char* method, std::span<const SqlStatement> batch) {
  Encoder request;
  request.count(batch.size());
  for (const auto& statement : batch) request.statement(statement.sql, statement.params);
  decode_answer(ask(method, request.bytes()));
}

std::int64_t JsHost::now_ms() { return static_cast<std::int64_t>(host_.call<double>("nowMs")); }

void JsHost::random_bytes(std::span<std::uint8_t> bytes) {
  host_.call<void>("randomBytes", emscripten::val(emscripten::typed_memory_view(bytes.size(), bytes.data())));
}

void JsHost::log(std::string_view line) { host_.call<void>("log", std::string(line)); }

}  // namespace stele
