// report.html is the built page with three texts put into marked places; report.md stands beside
// it.
#include "perpend/bench/report.hpp"

#include <cassert>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "bench/report_data.hpp"
#include "bench/report_page.hpp"

namespace perpend::bench {
namespace {

// <!--NAME--> in the page becomes the text.
void put(std::string& page, const std::string& place, const std::string& text) {
  const std::string mark = "<!--" + place + "-->";
  const std::size_t at = page.find(mark);
  assert(at != std::string::npos);
  page.replace(at, mark.size(), text);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '&')
      safe += "&amp;";
    else if (letter == '<')
      safe += "&lt;";
    else
      safe += letter;
  }
  return safe;
}

// Whole or not at all: under another name, then renamed.
void write_file(const std::string& path, const std::string& text) {
  const std::string temporary = path + ".part";
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
      std::remove(temporary.c_str());
      throw io::InputError(path + ": cannot be written");
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) {
    std::remove(temporary.c_str());
    throw io::InputError(path + ": cannot be written: " + error.message());
  }
}

}  // namespace

bool has_report_page() { return !report_page().empty(); }

std::string report_html(const Results& results) {
  std::string page(report_page());
  const ReportData data = report_data(results);
  put(page, "title", escaped(results.title));
  put(page, "meta", data.meta);
  put(page, "columns", data.columns);
  put(page, "histories", data.histories);
  return page;
}

void write_report(const Results& results, const std::string& folder) {
  write_file(folder + "/report.md", report_markdown(results));
  if (has_report_page()) write_file(folder + "/report.html", report_html(results));
}

}  // namespace perpend::bench
