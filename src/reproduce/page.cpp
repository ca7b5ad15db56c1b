// The page of all experiments, as HTML and as Markdown, and the files of figures and tables.
#include <algorithm>
#include <cmath>

#include "perpend/base/csv_text.hpp"
#include "perpend/base/html_text.hpp"
#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr int kWidth = 480, kHeight = 340, kColumns = 3;  // of a plot; in a row of a file

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '|' || letter == '*' || letter == '_') out += '\\';
    out += letter;
  }
  return html_text(out);
}

std::string value(double x) {
  if (std::isnan(x)) return "–";
  if (std::isinf(x)) return x > 0 ? "never" : "-∞";
  return readable(x);
}

std::string prefix(int plot) { return std::string("p").append(std::to_string(plot)) + "-"; }

// The ids of a plot are its own only within its file.
std::string with_ids(std::string svg, const std::string& first) {
  for (const std::string& before : {std::string("id=\""), std::string("url(#")})
    for (std::size_t at = 0; (at = svg.find(before + "inside", at)) != std::string::npos;
         at += before.size())
      svg.insert(at + before.size(), first);
  return svg;
}

std::string anchor(const Finished& one) { return one.what->name; }

std::string summary(std::span<const Finished> list) {
  const Counts counts = count(list);
  return std::to_string(counts.all()) + " claims: " + std::to_string(counts.agrees) + " agree, " +
         std::to_string(counts.differs) + " differ, " + std::to_string(counts.not_comparable) +
         " cannot be compared.";
}

std::string about_run(const Settings& settings) {
  std::string out =
      "Every value is computed by this program when the page is made; a verdict follows from the "
      "two values alone. “Differs” is a result, not a failure.";
  if (settings.quick) out += " This is the quick page: smaller problems and fewer iterations.";
  for (const auto& [name, other] : settings.replaced)
    out += " " + other + " ran in place of " + name + ".";
  return out;
}

constexpr const char* kStyle = R"(<style>
:root{color-scheme:light dark;--ground:#ffffff;--text:#1f2328;--line:#d1d9e0;--faint:#59636e;--card:#f6f8fa;--yes:#1a7f37;--no:#bc4c00;--open:#6639ba}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--line:#3d444d;--faint:#9198a1;--card:#151b23;--yes:#3fb950;--no:#f0883e;--open:#ab7df8}}
body{font:16px/1.5 system-ui,"DejaVu Sans",Verdana,sans-serif;background:var(--ground);color:var(--text);margin:0 auto;padding:1rem;max-width:1480px}
h1{font-size:1.6rem}h2{font-size:1.3rem;border-bottom:1px solid var(--line);margin-top:2.5rem}h3{font-size:1.1rem;margin-top:2rem}
p{max-width:50rem}a{color:inherit}
.plots{display:flex;flex-wrap:wrap;gap:12px}.plots svg{flex:0 1 460px;max-width:100%;min-width:0;height:auto;border:1px solid var(--line);border-radius:8px}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
td.number{white-space:nowrap}td.where{min-width:5.5rem}td.words{min-width:14rem}th{background:var(--card)}
.agrees{color:var(--yes)}.differs{color:var(--no)}.open{color:var(--open)}.verdict{font-weight:600;white-space:nowrap}
.files{color:var(--faint);font-size:.85rem}
@media (max-width:700px){.list th:first-child,.list td:first-child{display:none}.claims thead{display:none}.claims tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}.claims td{display:block;border:0;padding:.1rem 0}.claims td[data-title]::before{content:attr(data-title) ": ";color:var(--faint)}}
</style>
)";

const char* class_of(Verdict verdict) {
  if (verdict == Verdict::agrees) return "agrees";
  return verdict == Verdict::differs ? "differs" : "open";
}

std::string claims_html(const std::vector<Claim>& claims) {
  std::string out =
      "<div class=\"wide\"><table class=\"claims\"><thead><tr><th>where</th><th>quantity</th>"
      "<th>paper</th><th>ours</th><th>verdict</th><th>reason</th></tr></thead><tbody>\n";
  for (const Claim& claim : claims) {
    const Verdict verdict = claim.verdict();
    out += "<tr><td class=\"where\">" + html_text(claim.where) + "</td><td class=\"words\">" +
           html_text(claim.quantity) + "</td><td class=\"number\" data-title=\"paper\">" +
           html_text(claim.paper.words) + "</td><td class=\"number\" data-title=\"ours\">" +
           value(claim.ours) + "</td><td class=\"verdict " + class_of(verdict) + "\">" +
           std::string(name(verdict)) + "</td><td class=\"words\">" + html_text(claim.reason()) +
           "</td></tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string table_html(const Table& table) {
  std::string out = "<p>" + html_text(table.title) + "</p><div class=\"wide\"><table><thead><tr>";
  for (const std::string& column : table.columns) out += "<th>" + html_text(column) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (const std::string& cell : row) out += "<td>" + html_text(cell) + "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

void add_cell(std::string& row, const std::string& text) {
  row += ' ';
  row += markdown_cell(text);
  row += " |";
}

std::string table_markdown(const Table& table) {
  std::string out = table.title + "\n\n|";
  for (const std::string& column : table.columns) add_cell(out, column);
  out += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += " --- |";
  out += "\n";
  for (const auto& row : table.rows) {
    out += "|";
    for (const std::string& cell : row) add_cell(out, cell);
    out += "\n";
  }
  return out + "\n";
}

// How many of an experiment's claims have each verdict.
struct Line {
  std::string agrees, differs, open;
};
Line line_of(const Finished& one) {
  const Counts counts = count({&one, 1});
  return {std::to_string(counts.agrees), std::to_string(counts.differs),
          std::to_string(counts.not_comparable)};
}

}  // namespace

std::string svg(const Figure& figure) {
  const int count = static_cast<int>(figure.plots.size());
  const int columns = std::max(1, std::min(count, kColumns)),
            rows = (count + columns - 1) / columns;
  const std::string width = std::to_string(columns * kWidth),
                    height = std::to_string(std::max(1, rows) * kHeight);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
                    height + "\" viewBox=\"0 0 " + width + " " + height + "\">\n";
  for (int i = 0; i < count; ++i) {
    std::string one = with_ids(
        draw::svg({figure.plots[static_cast<std::size_t>(i)]}, kWidth, kHeight), prefix(i));
    one.insert(one.find(" width="), " x=\"" + std::to_string(i % columns * kWidth) + "\" y=\"" +
                                        std::to_string(i / columns * kHeight) + "\"");
    out += one;
  }
  return out + "</svg>\n";
}

std::string csv(const Table& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out.append(i > 0 ? "," : "").append(csv_text(cells[i]));
    return out + "\n";
  };
  std::string out = line(table.columns);
  for (const auto& row : table.rows) out += line(row);
  return out;
}

std::string html(std::span<const Finished> list, const Settings& settings) {
  std::string out = html_head("The papers again", kStyle) +
                    "<body>\n<h1>The papers again</h1>\n<p><strong>" + html_text(summary(list)) +
                    "</strong> " + html_text(about_run(settings)) + "</p>\n";
  out +=
      "<div class=\"wide\"><table class=\"list\"><thead><tr><th>paper</th><th>figure or table</th>"
      "<th>experiment</th><th>agree</th><th>differ</th><th>cannot be compared</th></tr></thead>"
      "<tbody>\n";
  for (const Finished& one : list) {
    const Line line = line_of(one);
    out += "<tr><td>" + html_text(one.what->paper) + "</td><td>" + html_text(one.what->figure) +
           "</td><td><a href=\"#" + anchor(one) + "\">" + html_text(one.what->title) +
           "</a></td><td class=\"agrees\">" + line.agrees + "</td><td class=\"differs\">" +
           line.differs + "</td><td class=\"open\">" + line.open + "</td></tr>\n";
  }
  out += "</tbody></table></div>\n";
  std::string paper;
  int number = 0;
  for (const Finished& one : list) {
    if (one.what->paper != paper) {
      paper = one.what->paper;
      out += "<h2>" + html_text(paper) + "</h2>\n";
    }
    out += "<h3 id=\"" + anchor(one) + "\">" + html_text(one.what->figure) + ": " +
           html_text(one.what->title) + "</h3>\n<p>" + html_text(one.outcome.text) + "</p>\n";
    for (const Figure& figure : one.outcome.figures) {
      out += "<p>" + html_text(figure.title) + "</p>\n<div class=\"plots\">\n";
      for (const draw::Plot& plot : figure.plots)
        out += with_ids(draw::svg({plot}, kWidth, kHeight), prefix(number++));
      out += "</div>\n";
    }
    for (const Table& table : one.outcome.tables)
      if (table.shown) out += table_html(table);
    out += "<p>What the paper says</p>\n" + claims_html(one.outcome.claims);
    out += "<p class=\"files\">";
    for (const Figure& figure : one.outcome.figures)
      out += "<a href=\"" + figure.name + ".svg\">" + figure.name + ".svg</a> ";
    for (const Table& table : one.outcome.tables)
      out += "<a href=\"" + table.name + ".csv\">" + table.name + ".csv</a> ";
    out += "</p>\n";
  }
  return out + "</body></html>\n";
}

std::string markdown(std::span<const Finished> list, const Settings& settings) {
  std::string out = "# The papers again\n\n**" + summary(list) + "** " + about_run(settings) +
                    "\n\n| paper | figure or table | experiment | agree | differ | cannot be "
                    "compared |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Finished& one : list) {
    const Line line = line_of(one);
    out += "| " + markdown_cell(one.what->paper) + " | " + markdown_cell(one.what->figure) +
           " | [" + markdown_cell(one.what->title) + "](#" + anchor(one) + ") | " + line.agrees +
           " | " + line.differs + " | " + line.open + " |\n";
  }
  std::string paper;
  for (const Finished& one : list) {
    if (one.what->paper != paper) {
      paper = one.what->paper;
      out += "\n## " + paper + "\n";
    }
    out += "\n<a id=\"" + anchor(one) + "\"></a>\n\n### " + one.what->figure + ": " +
           one.what->title + "\n\n" + html_text(one.outcome.text) + "\n\n";
    for (const Figure& figure : one.outcome.figures)
      out += "![" + figure.title + "](" + figure.name + ".svg)\n\n";
    for (const Table& table : one.outcome.tables)
      if (table.shown) out += table_markdown(table);
    out +=
        "| where | quantity | paper | ours | verdict | reason |\n"
        "| --- | --- | --- | --- | --- | --- |\n";
    for (const Claim& claim : one.outcome.claims)
      out += "| " + markdown_cell(claim.where) + " | " + markdown_cell(claim.quantity) + " | " +
             markdown_cell(claim.paper.words) + " | " + value(claim.ours) + " | **" +
             std::string(name(claim.verdict())) + "** | " + markdown_cell(claim.reason()) + " |\n";
    out += "\n";
    for (const Table& table : one.outcome.tables)
      out += "[" + table.name + ".csv](" + table.name + ".csv) ";
    out += "\n";
  }
  return out;
}

}  // namespace perpend::reproduce
