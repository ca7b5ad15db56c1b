#include "view/token.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "perpend/view.hpp"

namespace perpend::view {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kLength = 32;

bool ours_alone(int file) {
  struct stat about {};
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == getuid() &&
         (about.st_mode & 077) == 0;
}

}  // namespace

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw std::runtime_error("this system gives no random numbers");
  std::string out;
  for (const unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

// In a file that nobody else can read; what is not such a file is left alone.
std::string kept_token(const std::string& folder, std::uint16_t port) {
  const std::string path = folder + "/perpend-view-" + std::to_string(port);
  std::string token = random_token();
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return token;
  if (ours_alone(file)) {
    char read_text[kLength];
    const std::string_view kept(read_text, kLength);
    const bool whole = ::read(file, read_text, kLength) == static_cast<ssize_t>(kLength) &&
                       kept.find_first_not_of(kDigits) == std::string_view::npos;
    if (whole)
      token = kept;
    else if (ftruncate(file, 0) != 0 ||
             pwrite(file, token.data(), kLength, 0) != static_cast<ssize_t>(kLength))
      unlink(path.c_str());
  }
  ::close(file);
  return token;
}

}  // namespace perpend::view
