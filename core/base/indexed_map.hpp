// IndexedMap: nlohmann's ordered_map, which looks a key up by walking along all, with an index once there are many: an
// object of 200,000 members takes it 20 s to read, whoever sent it.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/ordered_map.hpp>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace stele {

template <class Key, class T, class IgnoredLess = std::less<Key>,
          class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap : public nlohmann::ordered_map<Key, T, IgnoredLess, Allocator> {
  using Base = nlohmann::ordered_map<Key, T, IgnoredLess, Allocator>;

 public:
  using Base::Base;
  using typename Base::const_iterator;
  using typename Base::iterator;
  using typename Base::size_type;
  using typename Base::value_type;

  template <class K>
  iterator find(const K& key) {
    return this->begin() + position(key);
  }
  template <class K>
  const_iterator find(const K& key) const {
    return this->begin() + position(key);
  }
  template <class K>
  size_type count(const K& key) const {
    return find(key) == this->end() ? 0 : 1;
  }

  template <class K>
  T& at(const K& key) {
    return found(*this, key);
  }
  template <class K>
  const T& at(const K& key) const {
    return found(*this, key);
  }
  template <class K>
  T& operator[](K&& key) {
    return emplace(std::forward<K>(key), T{}).first->second;
  }
  template <class K>
  const T& operator[](const K& key) const {
    return at(key);
  }

  template <class K, class V>
  std::pair<iterator, bool> emplace(K&& key, V&& value) {
    if (const auto there = find(key); there != this->end()) return {there, false};
    this->emplace_back(std::forward<K>(key), std::forward<V>(value));
    return {std::prev(this->end()), true};
  }
  std::pair<iterator, bool> insert(const value_type& value) { return emplace(value.first, value.second); }
  std::pair<iterator, bool> insert(value_type&& value) { return emplace(value.first, std::move(value.second)); }
  template <class Input>
  void insert(Input first, Input last) {
    for (; first != last; ++first) insert(*first);
  }

  void clear() noexcept {
    index_.forget();
    Base::clear();
  }
  iterator erase(iterator position) { return erase(position, std::next(position)); }
  iterator erase(iterator first, iterator last) {
    index_.forget();
    return Base::erase(first, last);
  }
  template <class K>
  size_type erase(const K& key) {
    const auto there = find(key);
    if (there == this->end()) return 0;
    erase(there);
    return 1;
  }

 private:
  static constexpr size_type members_walked = 32;  // below, walking is faster

  // Positions by the hash of their key. Members that were added since the last look are taken in by the next.
  class Index {
   public:
    Index() = default;
    Index(const Index&) noexcept {}
    Index(Index&& other) noexcept : positions_(std::move(other.positions_)), size_(std::exchange(other.size_, 0)) {}
    Index& operator=(Index other) noexcept {
      positions_ = std::move(other.positions_);
      size_ = other.size_;
      return *this;
    }
    ~Index() = default;

    void forget() noexcept {
      positions_.reset();
      size_ = 0;
    }

    size_type position(const IndexedMap& map, std::string_view key) {
      if (size_ > map.size()) forget();
      if (!positions_) positions_ = std::make_unique<Positions>();
      for (; size_ < map.size(); ++size_) positions_->emplace(hash(map.begin()[size_].first), size_);
      const auto [first, last] = positions_->equal_range(hash(key));
      for (auto at = first; at != last; ++at)
        if (map.begin()[at->second].first == key) return at->second;
      return map.size();
    }

   private:
    using Positions = std::unordered_multimap<std::size_t, size_type>;
    static std::size_t hash(std::string_view key) { return std::hash<std::string_view>{}(key); }

    std::unique_ptr<Positions> positions_;
    size_type size_ = 0;
  };

  // size() where there is no such key.
  std::ptrdiff_t position(std::string_view key) const {
    if (this->size() > members_walked) return static_cast<std::ptrdiff_t>(index_.position(*this, key));
    std::ptrdiff_t at = 0;
    for (const auto& member : *this) {
      if (member.first == key) break;
      ++at;
    }
    return at;
  }

  template <class Self, class K>
  static auto& found(Self& self, const K& key) {
    const auto there = self.find(key);
    if (there == self.end()) throw std::out_of_range("key not found");
    return there->second;
  }

  mutable Index index_;
};

}  // namespace stele
