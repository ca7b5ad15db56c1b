#include "io/guarded_driver.hpp"

#include "perpend/record/driver.h"

namespace perpend::io::h5 {

bool lock_patiently(int descriptor, int how) { return perpend_record_lock(descriptor, how) != 0; }

Handle guard(hid_t access) { return {perpend_record_drive(access), H5FDunregister}; }

std::string failure(hid_t file) {
  const int failed = perpend_record_driver_failure(file);
  return failed ? std::strerror(failed) : "";
}

}  // namespace perpend::io::h5
