/* perpend_record.h as C99, with our warnings. */
#define PERPEND_RECORD_IMPLEMENTATION
#include <perpend_record.h>
