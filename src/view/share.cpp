// A page that carries its recordings: the viewer's own page with what a server would tell it
// inside. Everything that comes from a file is inside base64: no name can become HTML.
#include <zlib.h>

#include <new>

#include "perpend/base.hpp"
#include "perpend/view.hpp"
#include "view/frames.hpp"
#include "view/page.hpp"
#include "view/playground.hpp"

namespace perpend::view {
namespace {

// RFC 1952; the header tells no time and no system, so that equal inputs give equal bytes.
std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kLevel = 6;  // within 1 % of the best, at a sixth of its time
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  std::string buffer(std::size_t{1} << 16, '\0');
  std::size_t given = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    // zlib counts with 32 bits.
    const std::size_t part = std::min<std::size_t>(bytes.size() - given, std::size_t{1} << 28);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));
    stream.avail_in = static_cast<uInt>(part);
    given += part;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      status = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0 && status != Z_STREAM_END);
  }
  deflateEnd(&stream);
  return out;
}

void add_element(std::string& out, std::string_view attributes, std::string_view content) {
  out.append("<script type=\"application/octet-stream\" ").append(attributes).append(">");
  out.append(content).append("</script>\n");
}

// The page with the program and more inside.
std::string page_with(std::string_view carried) {
  const std::string_view empty = page();
  const std::size_t end = empty.rfind("</body>");
  if (end == std::string_view::npos) throw std::logic_error("the page has no end");
  std::string out(empty.substr(0, end));
  add_element(out, "id=\"perpend-worker\"", share_worker());
  add_element(out, "id=\"perpend-module\"", share_module());
  return out.append(carried).append(empty.substr(end));
}

}  // namespace

bool can_share() { return !share_module().empty(); }

std::string shared_page(const std::vector<SharedRecording>& recordings) {
  std::string carried;
  for (const SharedRecording& one : recordings) {
    io::LoadedRecording loaded = load_recording(one.path, one.frames ? &*one.frames : nullptr);
    if (!one.name.empty()) loaded.name = one.name;
    if (one.trajectory) keep_trajectory(loaded);
    add_element(carried, "class=\"perpend-recording\"", base64(gzipped(io::pack(loaded))));
  }
  return page_with(carried);
}

std::string playground_page(const std::function<bool()>& stop) {
  const std::string examples = playground_examples(stop);
  if (examples.empty()) return {};
  std::string carried;
  add_element(carried, "id=\"perpend-playground\"", base64(gzipped(examples)));
  return page_with(carried);
}

}  // namespace perpend::view
