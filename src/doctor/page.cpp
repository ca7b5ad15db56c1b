// The page of a diagnosis: findings as cards, with links into the viewer, and plots over the
// frames.
#include <algorithm>
#include <cmath>

#include "doctor/examination.hpp"
#include "perpend/base/html_text.hpp"
#include "perpend/draw.hpp"

namespace perpend::doctor {
namespace {

constexpr const char* kPageStyle = R"(<style>
:root{color-scheme:light dark;--ground:#ffffff;--text:#1f2328;--line:#d1d9e0;--faint:#59636e;--card:#f6f8fa;--bad:#bc4c00;--good:#1a7f37}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--line:#3d444d;--faint:#9198a1;--card:#151b23;--bad:#f0883e;--good:#3fb950}}
body{font:16px/1.5 system-ui,"DejaVu Sans",Verdana,sans-serif;background:var(--ground);color:var(--text);margin:0 auto;padding:1rem;max-width:1000px}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:0}
article{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;margin:1rem 0}
.bad{color:var(--bad)}.good{color:var(--good)}.faint{color:var(--faint)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.5rem 0 0}dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}
svg{max-width:100%;height:auto;border:1px solid var(--line);border-radius:8px;margin:.5rem 0}a{color:inherit}
code{overflow-wrap:anywhere}
</style>
)";

std::string row_of(const char* title, const std::string& text) {
  return std::string("<dt>") + title + "</dt><dd>" + html_text(text) + "</dd>\n";
}

std::string card(const Finding& f, const std::string& viewer) {
  std::string out = "<article id=\"" + f.verdict->id + "\"><h2 class=\"bad\">" +
                    html_text(f.verdict->title) + "</h2>\n<p>At fault is the <strong>" +
                    std::string(name(f.verdict->blame)) + "</strong>: " + html_text(f.says) +
                    ".</p>\n<dl>";
  out += row_of("value", number_with(f.value, f.unit));
  out += row_of("where", f.where);
  const std::string frame = std::to_string(f.frame);
  out += "<dt>frame</dt><dd>";
  out += viewer.empty()
             ? frame
             : "<a href=\"" + html_text(viewer) + "#frame=" + frame + "\">" + frame + "</a>";
  out += "</dd>\n";
  out += row_of("proof", f.proof) + row_of("change", f.change) + row_of("then", f.predicted);
  return out + "</dl></article>\n";
}

bool any_known(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

// The ids of a plot are its own only within its file.
std::string plot_with_ids(std::string text, int number) {
  const std::string prefix = std::string("p").append(std::to_string(number)).append("-");
  for (const std::string& before : {std::string("id=\""), std::string("url(#")})
    for (std::size_t at = 0; (at = text.find(before + "inside", at)) != std::string::npos;
         at += before.size())
      text.insert(at + before.size(), prefix);
  return text;
}

std::string plots(const Courses& c) {
  struct Shown {
    const char *title, *label;
    bool log;
    std::vector<std::pair<const char*, const std::vector<double>*>> curves;
  };
  const Shown all[] = {
      {"How wrong is the answer?",
       "m/s",
       true,
       {{"own problem", &c.own_error}, {"rigid Coulomb contact", &c.velocity_error}}},
      {"Do the forces add up?", "m/s", true, {{"left over", &c.momentum}}},
      {"Does friction creep?", "m/s", true, {{"mean speed inside the cone", &c.creep}}},
      {"Is the step too large?",
       "rad; body sizes",
       false,
       {{"largest turn in a step", &c.turn}, {"overlap not predicted", &c.depth}}}};
  std::string out;
  int number = 0;
  for (const Shown& one : all) {
    draw::Plot plot{one.title, {"frame", false}, {one.label, one.log}, {}};
    for (const auto& [label, values] : one.curves)
      if (any_known(*values)) plot.curves.push_back({label, c.frame, *values, false, false});
    if (!plot.curves.empty()) out += plot_with_ids(draw::svg({plot}, 900, 320), number++);
  }
  return out;
}

}  // namespace

std::string html(const Diagnosis& diagnosis, const std::string& file, const std::string& viewer) {
  std::string verdict;
  for (const std::string& word : diagnosis.verdict())
    verdict += (verdict.empty() ? "" : ", ") + (word == "cannot_tell" ? "cannot tell" : word);
  const bool sound = diagnosis.findings.empty() && verdict == "sound";
  std::string out = html_head("Doctor: " + file, kPageStyle) + "<body>\n<h1>" + html_text(file) +
                    "</h1>\n<p>Verdict: <strong class=\"" + (sound ? "good" : "bad") + "\">" +
                    html_text(verdict) + "</strong>, from " + std::to_string(diagnosis.frames) +
                    " frames.</p>\n";
  for (const Finding& f : diagnosis.findings) out += card(f, viewer);
  for (const Missing& one : diagnosis.missing)
    out += "<p>Missing: <code>" + html_text(one.dataset) + "</code>; " + html_text(one.without) +
           ".</p>\n";
  if (!diagnosis.findings.empty())
    out += "<p class=\"faint\">To look at a frame: <code>perpend view " + html_text(file) +
           "</code>, and #frame=K at the end of its address.</p>\n";
  return out + plots(diagnosis.courses) + "</body></html>\n";
}

}  // namespace perpend::doctor
