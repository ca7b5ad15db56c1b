// What is compressed comes back, by a reader written from RFC 1951 for this test.
#include "draw/deflate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <stdexcept>

namespace perpend::draw {
namespace deflate_test {

class Inflater {
 public:
  explicit Inflater(const std::string& bytes) : bytes_(bytes) {}

  std::vector<std::uint8_t> blocks() {
    for (bool last = false; !last;) {
      last = bits(1) == 1;
      if (bits(2) != 2) throw std::runtime_error("not a block with codes of its own");
      block();
    }
    return out_;
  }
  std::size_t position() const { return at_ + (left_ == 8 ? 0 : 1); }

 private:
  struct Code {
    std::array<int, 16> count{};
    std::vector<int> symbols;
    explicit Code(const std::vector<int>& lengths) {
      for (std::size_t length = 1; length < 16; ++length)
        for (std::size_t s = 0; s < lengths.size(); ++s)
          if (lengths[s] == static_cast<int>(length)) {
            ++count[length];
            symbols.push_back(static_cast<int>(s));
          }
    }
  };

  int bits(int n) {
    int value = 0;
    for (int k = 0; k < n; ++k) {
      if (left_ == 0) {
        ++at_;
        left_ = 8;
      }
      const int byte = static_cast<std::uint8_t>(bytes_.at(at_));
      value |= ((byte >> (8 - left_)) & 1) << k;
      --left_;
    }
    return value;
  }

  int symbol(const Code& code) {
    int value = 0, first = 0, index = 0;
    for (std::size_t length = 1; length < 16; ++length) {
      value |= bits(1);
      if (value - code.count[length] < first)
        return code.symbols.at(static_cast<std::size_t>(index + value - first));
      index += code.count[length];
      first = (first + code.count[length]) << 1;
      value <<= 1;
    }
    throw std::runtime_error("no such code");
  }

  void block() {
    const int literals = bits(5) + 257, distances = bits(5) + 1, sent = bits(4) + 4;
    const std::array<std::size_t, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::vector<int> small(19, 0);
    for (int i = 0; i < sent; ++i) small[order[static_cast<std::size_t>(i)]] = bits(3);
    const Code code(small);
    std::vector<int> lengths;
    while (static_cast<int>(lengths.size()) < literals + distances) {
      const int s = symbol(code);
      if (s < 16) {
        lengths.push_back(s);
        continue;
      }
      const int value = s == 16 ? lengths.back() : 0;
      const int times = s == 16 ? 3 + bits(2) : s == 17 ? 3 + bits(3) : 11 + bits(7);
      lengths.insert(lengths.end(), static_cast<std::size_t>(times), value);
    }
    const Code literal({lengths.begin(), lengths.begin() + literals});
    const Code distance({lengths.begin() + literals, lengths.end()});
    for (int s = symbol(literal); s != 256; s = symbol(literal)) {
      if (s < 256) {
        out_.push_back(static_cast<std::uint8_t>(s));
        continue;
      }
      int length = 258;
      if (s < 285) {
        const int extra = s < 265 ? 0 : (s - 261) / 4;
        const int base = s < 265 ? s - 254 : ((4 + (s - 265) % 4) << extra) + 3;
        length = base + bits(extra);
      }
      const int d = symbol(distance);
      const int extra = d < 4 ? 0 : (d - 2) / 2;
      const int back = (d < 4 ? d + 1 : ((2 + d % 2) << extra) + 1) + bits(extra);
      for (int k = 0; k < length; ++k)
        out_.push_back(out_.at(out_.size() - static_cast<std::size_t>(back)));
    }
  }

  const std::string& bytes_;
  std::size_t at_ = 2;  // behind zlib's two bytes
  int left_ = 8;
  std::vector<std::uint8_t> out_;
};

void comes_back(const std::vector<std::uint8_t>& data) {
  const std::string packed = zlib_compressed(data);
  ASSERT_EQ(
      (static_cast<std::uint8_t>(packed[0]) * 256 + static_cast<std::uint8_t>(packed[1])) % 31, 0);
  Inflater inflater(packed);
  EXPECT_EQ(inflater.blocks(), data);
  EXPECT_EQ(inflater.position() + 4, packed.size());  // the checksum ends it
}

std::vector<std::uint8_t> random_bytes(std::size_t n, int below) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> out(n);
  for (std::uint8_t& byte : out)
    byte = static_cast<std::uint8_t>(random() % static_cast<unsigned>(below));
  return out;
}

TEST(Deflate, NothingComesBack) { comes_back({}); }
TEST(Deflate, OneByteComesBack) { comes_back({42}); }
TEST(Deflate, NoiseComesBack) { comes_back(random_bytes(200000, 256)); }
TEST(Deflate, FewLettersComeBack) { comes_back(random_bytes(200000, 3)); }
TEST(Deflate, LongRunsComeBackSmall) {
  const std::vector<std::uint8_t> zeros(1000000, 0);
  comes_back(zeros);
  EXPECT_LT(zlib_compressed(zeros).size(), 2000u);
}
TEST(Deflate, MatchesAtTheEdgeOfTheWindowComeBack) {
  // The same noise again after just the length of the window, one byte less, one more.
  for (const int shift : {-1, 0, 1}) {
    std::vector<std::uint8_t> data = random_bytes(static_cast<std::size_t>(32768 + shift), 256);
    const std::vector<std::uint8_t> again = data;
    data.insert(data.end(), again.begin(), again.end());
    comes_back(data);
  }
}
TEST(Deflate, CodesOfVeryRareBytesAreNotTooLong) {
  // Fibonacci counts make Huffman's tree as deep as it gets: 25 letters would need 24 bits.
  std::vector<std::uint8_t> data;
  std::size_t a = 1, b = 1;
  for (int letter = 0; letter < 24; ++letter) {
    data.insert(data.end(), a, static_cast<std::uint8_t>(letter));
    b += a;
    std::swap(a, b);
  }
  std::mt19937 random(3);
  for (std::size_t i = data.size() - 1; i > 0; --i) std::swap(data[i], data[random() % (i + 1)]);
  comes_back(data);
}

}  // namespace deflate_test
}  // namespace perpend::draw
