// Deflate (RFC 1951): matches within the last 32 KiB found through chains of equal three-byte
// hashes, with one byte of looking ahead before a match is taken, then Huffman codes of their own
// for each block of tokens. The lengths of a code are limited to 15 bits (7 for the code of code
// lengths) by making the rare symbols less rare until the tree is low enough.
#include "draw/deflate.hpp"

#include <algorithm>
#include <array>
#include <queue>

namespace perpend::draw {
namespace {

constexpr std::size_t kWindow = 32768, kShortest = 3, kLongest = 258, kBlock = 1 << 16;
constexpr int kTries = 128;  // earlier places looked at for a match

// Length codes 257..285 and distance codes 0..29: first value and extra bits.
constexpr std::array<int, 29> kLengthBase{3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                          15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                          67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<int, 29> kLengthExtra{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<int, 30> kDistanceBase{
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<int, 30> kDistanceExtra{0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                             6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
constexpr std::array<std::size_t, 19> kLengthOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                   11, 4,  12, 3, 13, 2, 14, 1, 15};
constexpr std::size_t kEnd = 256;  // the symbol that ends a block

template <std::size_t N>
std::size_t code_of(const std::array<int, N>& bases, int value) {
  return static_cast<std::size_t>(std::upper_bound(bases.begin(), bases.end(), value) -
                                  bases.begin()) -
         1;
}

struct Token {
  int value;         // a byte, or the length of a match
  int distance = 0;  // 0: a byte
};

class Bits {
 public:
  void put(unsigned value, int count) {
    held_ |= static_cast<std::uint64_t>(value) << bits_;
    bits_ += count;
    for (; bits_ >= 8; bits_ -= 8, held_ >>= 8) out_.push_back(static_cast<char>(held_ & 0xff));
  }
  std::string finish() {
    if (bits_ > 0) put(0, 8 - bits_);
    return std::move(out_);
  }

 private:
  std::string out_;
  std::uint64_t held_ = 0;
  int bits_ = 0;
};

// Depths of Huffman's tree; equal weights are taken in the order they came, so that the same counts
// give the same code.
std::vector<int> depths(const std::vector<long>& weights) {
  using Entry = std::pair<long, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::size_t> parent(2 * weights.size(), 0);
  std::size_t next = weights.size(), used = 0;
  for (std::size_t s = 0; s < weights.size(); ++s)
    if (weights[s] > 0) {
      queue.push({weights[s], s});
      ++used;
    }
  std::vector<int> lengths(weights.size(), 0);
  if (used == 1) lengths[queue.top().second] = 1;
  if (used < 2) return lengths;
  while (queue.size() > 1) {
    const Entry a = queue.top();
    queue.pop();
    const Entry b = queue.top();
    queue.pop();
    parent[a.second] = parent[b.second] = next;
    queue.push({a.first + b.first, next++});
  }
  const std::size_t root = next - 1;
  for (std::size_t s = 0; s < weights.size(); ++s)
    if (weights[s] > 0)
      for (std::size_t node = s; node != root; node = parent[node]) ++lengths[s];
  return lengths;
}

struct Code {
  std::vector<int> lengths;
  std::vector<unsigned> bits;  // first bit lowest, as they are written

  Code(std::vector<long> weights, int longest) {
    lengths = depths(weights);
    while (*std::max_element(lengths.begin(), lengths.end()) > longest) {
      for (long& weight : weights)
        if (weight > 0) weight = weight / 2 + 1;
      lengths = depths(weights);
    }
    std::array<unsigned, 17> next{};
    for (int length : lengths)
      if (length > 0) ++next[static_cast<std::size_t>(length) + 1];
    for (std::size_t length = 1; length < next.size(); ++length)
      next[length] = (next[length] + next[length - 1]) << (length > 1 ? 1 : 0);
    bits.assign(lengths.size(), 0);
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      if (lengths[s] == 0) continue;
      const unsigned code = next[static_cast<std::size_t>(lengths[s])]++;
      for (int b = 0; b < lengths[s]; ++b) bits[s] |= ((code >> b) & 1u) << (lengths[s] - 1 - b);
    }
  }
  void put(Bits& out, std::size_t symbol) const { out.put(bits[symbol], lengths[symbol]); }
};

// Code lengths as symbols 0..15, and runs: 16 repeats the last one, 17 and 18 are zeros.
struct Run {
  std::size_t symbol;
  unsigned extra = 0;
  int extra_bits = 0;
};
std::vector<Run> runs(const std::vector<int>& lengths) {
  std::vector<Run> out;
  for (std::size_t i = 0; i < lengths.size();) {
    std::size_t count = 1;
    while (i + count < lengths.size() && lengths[i + count] == lengths[i]) ++count;
    const int length = lengths[i];
    i += count;
    if (length == 0) {
      for (; count >= 11; count -= std::min<std::size_t>(count, 138))
        out.push_back({18, static_cast<unsigned>(std::min<std::size_t>(count, 138) - 11), 7});
      for (; count >= 3; count -= std::min<std::size_t>(count, 10))
        out.push_back({17, static_cast<unsigned>(std::min<std::size_t>(count, 10) - 3), 3});
    } else {
      out.push_back({static_cast<std::size_t>(length)});
      for (--count; count >= 3; count -= std::min<std::size_t>(count, 6))
        out.push_back({16, static_cast<unsigned>(std::min<std::size_t>(count, 6) - 3), 2});
    }
    for (; count > 0; --count) out.push_back({static_cast<std::size_t>(length)});
  }
  return out;
}

void put_block(Bits& out, const std::vector<Token>& tokens, bool last) {
  std::vector<long> literal(286, 0), distance(30, 0);
  for (const Token& token : tokens) {
    if (token.distance == 0) {
      ++literal[static_cast<std::size_t>(token.value)];
    } else {
      ++literal[kEnd + 1 + code_of(kLengthBase, token.value)];
      ++distance[code_of(kDistanceBase, token.distance)];
    }
  }
  literal[kEnd] = 1;
  if (std::all_of(distance.begin(), distance.end(), [](long n) { return n == 0; }))
    distance[0] = 1;  // one code is always sent
  const Code literals(literal, 15), distances(distance, 15);

  std::vector<int> lengths = literals.lengths;
  lengths.insert(lengths.end(), distances.lengths.begin(), distances.lengths.end());
  const std::vector<Run> described = runs(lengths);
  std::vector<long> weights(19, 0);
  for (const Run& run : described) ++weights[run.symbol];
  const Code code(weights, 7);
  std::size_t sent = kLengthOrder.size();
  while (sent > 4 && code.lengths[kLengthOrder[sent - 1]] == 0) --sent;

  out.put(last ? 1 : 0, 1);
  out.put(2, 2);  // codes of its own
  out.put(286 - 257, 5);
  out.put(30 - 1, 5);
  out.put(static_cast<unsigned>(sent - 4), 4);
  for (std::size_t i = 0; i < sent; ++i)
    out.put(static_cast<unsigned>(code.lengths[kLengthOrder[i]]), 3);
  for (const Run& run : described) {
    code.put(out, run.symbol);
    out.put(run.extra, run.extra_bits);
  }
  for (const Token& token : tokens) {
    if (token.distance == 0) {
      literals.put(out, static_cast<std::size_t>(token.value));
      continue;
    }
    const std::size_t l = code_of(kLengthBase, token.value);
    literals.put(out, kEnd + 1 + l);
    out.put(static_cast<unsigned>(token.value - kLengthBase[l]), kLengthExtra[l]);
    const std::size_t d = code_of(kDistanceBase, token.distance);
    distances.put(out, d);
    out.put(static_cast<unsigned>(token.distance - kDistanceBase[d]), kDistanceExtra[d]);
  }
  literals.put(out, kEnd);
}

// Earlier places with the same three bytes, newest first.
class Matches {
 public:
  explicit Matches(const std::vector<std::uint8_t>& data)
      : data_(data), head_(1 << 15, kNone), before_(data.size(), kNone) {}

  void add(std::size_t at) {
    if (at + kShortest > data_.size()) return;
    std::size_t& head = head_[hash(at)];
    before_[at] = head;
    head = at;
  }

  // The longest match for what begins at `at`, which is not yet added.
  Token longest(std::size_t at) const {
    Token best{0, 0};
    if (at + kShortest > data_.size()) return best;
    const std::size_t most = std::min(kLongest, data_.size() - at);
    std::size_t from = head_[hash(at)];
    for (int tries = 0; tries < kTries && from != kNone && at - from <= kWindow; ++tries) {
      std::size_t length = 0;
      while (length < most && data_[from + length] == data_[at + length]) ++length;
      if (length >= kShortest && static_cast<int>(length) > best.value) {
        best = {static_cast<int>(length), static_cast<int>(at - from)};
        if (length == most) break;
      }
      from = before_[from];
    }
    return best;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t hash(std::size_t at) const {
    const std::uint32_t three = static_cast<std::uint32_t>(data_[at]) |
                                static_cast<std::uint32_t>(data_[at + 1]) << 8 |
                                static_cast<std::uint32_t>(data_[at + 2]) << 16;
    return (three * 2654435761u) >> 17;
  }
  const std::vector<std::uint8_t>& data_;
  std::vector<std::size_t> head_, before_;
};

std::uint32_t adler(const std::vector<std::uint8_t>& data) {
  std::uint32_t a = 1, b = 0;
  for (std::uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

}  // namespace

std::string zlib_compressed(const std::vector<std::uint8_t>& data) {
  Bits out;
  out.put(0x78, 8);
  out.put(0xda, 8);  // window of 32 KiB, slowest compression
  Matches matches(data);
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < data.size();) {
    Token match = matches.longest(at);
    matches.add(at);
    if (match.distance > 0 && match.value < 32 && at + 1 < data.size() &&
        matches.longest(at + 1).value > match.value)
      match = {0, 0};  // a byte now, the longer match next
    if (match.distance == 0) {
      tokens.push_back({data[at]});
      ++at;
    } else {
      tokens.push_back(match);
      const std::size_t end = at + static_cast<std::size_t>(match.value);
      for (++at; at < end; ++at) matches.add(at);
    }
    if (tokens.size() == kBlock && at < data.size()) {
      put_block(out, tokens, false);
      tokens.clear();
    }
  }
  put_block(out, tokens, true);
  std::string bytes = out.finish();
  const std::uint32_t check = adler(data);
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>((check >> shift) & 0xff));
  return bytes;
}

}  // namespace perpend::draw
