// Results as the page of the report reads them: small, and quick to open.
//
// Four texts in base64 of zlib streams. `meta`: JSON with the names, and a list of the columns.
// `columns`: those columns, one after the other, each as its bytes 0, then its bytes 1, ... of all
// values (what is alike stands together, which deflates to half). `figures`: summary and profiles,
// one stream per line and group of problems (report_figures.hpp). `histories`: one stream per line,
// each the histories of some consecutive problems, so that a convergence plot unpacks one of them
// and not all.
//
// Numbers of rows are float32 (seven digits), those of histories 16 bits of a logarithm between
// 1e-40 and 1e10 (within 0.1 %, less than a pixel): results.h5 has them exactly.
#pragma once

#include <cstdint>
#include <string>

#include "perpend/bench.hpp"

namespace perpend::bench {

struct ReportData {
  std::string meta, columns, figures, histories;
};
ReportData report_data(const Results&, const Pages& = {});

}  // namespace perpend::bench
