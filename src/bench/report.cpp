// report.html is the built page with five texts put into marked places; report.md stands beside
// it.
#include <cassert>
#include <filesystem>

#include "bench/json.hpp"
#include "bench/report_data.hpp"
#include "bench/report_page.hpp"
#include "perpend/base/html_text.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/json.hpp"

namespace perpend::bench {
namespace {

constexpr const char* kPages = "/share/pages.json";

// <!--NAME--> in the page becomes the text.
void put(std::string& page, const std::string& place, const std::string& text) {
  const std::string mark = "<!--" + place + "-->";
  const std::size_t at = page.find(mark);
  assert(at != std::string::npos);
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string report_html(const Results& results, const Pages& pages) {
  std::string page(report_page());
  const ReportData data = report_data(results, pages);
  put(page, "title", html_text(io::printable(results.title)));
  put(page, "meta", data.meta);
  put(page, "columns", data.columns);
  put(page, "figures", data.figures);
  put(page, "histories", data.histories);
  return page;
}

void write_pages(const Pages& pages, const std::string& folder) {
  io::write_text(folder + kPages,
                 Json(pages).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Pages read_pages(const std::string& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder + kPages, ignored)) return {};
  try {
    return io::parse_json<Json>(io::read_text(folder + kPages), folder + kPages).get<Pages>();
  } catch (const Json::exception&) {
    throw io::InputError(folder + kPages + ": is not an object of texts");
  }
}

void write_report(const Results& results, const std::string& folder) {
  io::write_text(folder + "/report.md", report_markdown(results));
  io::write_text(folder + "/report.html", report_html(results, read_pages(folder)));
}

}  // namespace perpend::bench
