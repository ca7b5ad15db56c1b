// The journal of a campaign: records appended one by one, each with its checksum, so that whatever
// kills the program leaves a readable beginning.
//
//   record = magic (4 bytes), size of the content (4), FNV-1a of the content (8), content (CBOR)
#pragma once

#include <string>
#include <vector>

#include "bench/json.hpp"

namespace perpend::bench {

class Journal {
 public:
  // Opens the file, or begins it; what follows the last whole record is cut off. One process at a
  // time: throws io::InputError when another one has it open, or when it cannot be written.
  explicit Journal(const std::string& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Those that were there; once.
  std::vector<Json> take_records() { return std::move(records_); }
  void append(const Json&);
  void clear();  // forgets them all
  void sync();   // safe from a power failure too

 private:
  void read();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  int file_ = -1;
  std::vector<Json> records_;
};

}  // namespace perpend::bench
