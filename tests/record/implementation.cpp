// perpend_record.h as C++, with our warnings.
#define PERPEND_RECORD_IMPLEMENTATION
#include <perpend_record.h>
