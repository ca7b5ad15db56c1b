// What belongs to a whole file in the standard file: /model/ and /events.
#pragma once

#include "io/columns.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_types.hpp"
#include "io/model_growth.hpp"

namespace perpend::io {

// Rows behind the shortest column of a kind do not count, nor do shapes at the end that need more
// than is there: a writer that was killed leaves such. Names that are given again do not, either:
// `repeated` says whether there are any. Throws InputError for everything else.
ModelColumns read_model(const h5::File&, bool* repeated = nullptr);
std::vector<std::string> read_events(const h5::File&);
void write_file_columns(const h5::File&, const ModelColumns&,
                        const std::vector<std::string>& events);

}  // namespace perpend::io
