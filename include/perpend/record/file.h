/* Writing the file in HDF5's SWMR mode, rows before offsets. Part of perpend_record.h.
 *
 * All datasets are created before SWMR starts: what is created later is lost if the process is
 * killed. Rows wait in memory until a flush (after the first frame, every 64 frames and every
 * second) or until there is a megabyte of them.
 */
#ifndef PERPEND_RECORD_FILE_H
#define PERPEND_RECORD_FILE_H

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perpend/record/check.h"
#ifndef _WIN32
#include "perpend/record/driver.h"
#else /* HDF5's own driver, which does not survive a full disk */
static hid_t perpend_record_drive(hid_t access) { return (void)access, H5I_INVALID_HID; }
static int perpend_record_driver_failure(hid_t file) { return (void)file, 0; }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One dataset and the rows that wait to be written to it. */
typedef struct perpend_record_output {
  hid_t data;
  char* rows;
  size_t bytes, reserved, row_bytes;
  int64_t first; /* where the waiting rows begin in the dataset */
} perpend_record_output;

struct perpend_record_state {
  char* path;
  hid_t file, driver, name_type;
  perpend_record_output outputs[PERPEND_RECORD_COLUMNS];
  int64_t totals[PERPEND_RECORD_ALL_COUNTS];
  perpend_record_ids known[2];
  int64_t frames;
  int64_t answerers; /* lines in the attribute */
  int64_t version;   /* format_version */
  time_t flushed;
  int broken; /* a write failed: nothing more is written */
  H5E_auto2_t printer;
  void* printer_data;
};

/* Waiting rows are written without a flush when there are so many. Also the rows of a chunk. */
enum { PERPEND_RECORD_WAITING_BYTES = 1 << 20, PERPEND_RECORD_CHUNK = 1024 };
/* Frames between flushes, if a second has not passed before. The first frame is flushed at once. */
enum { PERPEND_RECORD_FLUSH_FRAMES = 64 };

static int perpend_record_fail(perpend_record* record, int code, const char* format, ...) {
  const char* path = record->inside && record->inside->path ? record->inside->path : "record";
  int used = snprintf(record->message, sizeof record->message, "%.300s: ", path);
  va_list arguments;
  va_start(arguments, format);
  if (used > 0)
    vsnprintf(record->message + used, sizeof record->message - (size_t)used, format, arguments);
  va_end(arguments);
  return code;
}

static herr_t perpend_record_innermost(unsigned depth, const H5E_error2_t* entry, void* out) {
  if (depth == 0 && entry->desc) snprintf((char*)out, 200, "%s", entry->desc);
  return 0;
}

/* The message for a failure of HDF5, with the reason of the operating system if there is one. */
static int perpend_record_refused(perpend_record* record, const char* name, const char* what) {
  char why[200] = "no reason given";
  static const char says[] = "error message = '";
  char *begin, *end;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, perpend_record_innermost, why);
  begin = strstr(why, says);
  begin = begin ? begin + sizeof says - 1 : why;
  end = begin != why ? strchr(begin, '\'') : NULL;
  if (end) *end = '\0';
  record->inside->broken = 1;
  return perpend_record_fail(record, PERPEND_RECORD_FILE, "%s%s%s (%s)", name, *name ? ": " : "",
                             what, begin);
}

/* HDF5 prints errors unless printing is switched off, for the whole process. So it is switched off
 * only during a call. */
static void perpend_record_hush(struct perpend_record_state* state) {
  H5Eget_auto2(H5E_DEFAULT, &state->printer, &state->printer_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
static void perpend_record_unhush(struct perpend_record_state* state) {
  H5Eset_auto2(H5E_DEFAULT, state->printer, state->printer_data);
}

static size_t perpend_record_bytes(char type) {
  return type == 'b' ? 1 : type == 's' ? PERPEND_RECORD_NAME_BYTES : 8;
}
static hid_t perpend_record_in_memory(const perpend_record* record, char type) {
  if (type == 's') return record->inside->name_type;
  return type == 'd' ? H5T_NATIVE_DOUBLE : type == 'i' ? H5T_NATIVE_INT64 : H5T_NATIVE_INT8;
}

/* The value of a column if a frame does not have it. */
static void perpend_record_absent(int index, void* number) {
  const double no_number = (double)NAN;
  const int64_t no_integer = index == PERPEND_RECORD_SYSTEM_OFFSETS ? 0 : INT64_MIN;
  const int8_t no_byte = -1;
  const char type = perpend_record_columns[index].type;
  if (type == 'd') memcpy(number, &no_number, sizeof no_number);
  if (type == 'i') memcpy(number, &no_integer, sizeof no_integer);
  if (type == 'b') memcpy(number, &no_byte, sizeof no_byte);
}

static int perpend_record_shape(const perpend_record_column* column, hsize_t rows, hsize_t* shape) {
  shape[0] = rows;
  shape[1] = (hsize_t)column->width;
  shape[2] = (hsize_t)column->width2;
  return 1 + (column->width > 0) + (column->width2 > 0);
}

static int perpend_record_attribute(perpend_record* record, const char* name, hid_t on_disk,
                                    hid_t in_memory, const void* value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute =
      H5Acreate2(record->inside->file, name, on_disk, space, H5P_DEFAULT, H5P_DEFAULT);
  int failed = attribute < 0 || H5Awrite(attribute, in_memory, value) < 0;
  if (failed) perpend_record_refused(record, name, "this attribute cannot be written");
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return failed ? PERPEND_RECORD_FILE : PERPEND_RECORD_OK;
}

static int perpend_record_text(perpend_record* record, const char* name, const char* text,
                               const char* otherwise) {
  const char* value = text ? text : otherwise;
  size_t length = strlen(value);
  hid_t type = H5Tcopy(H5T_C_S1);
  int code;
  /* HDF5 has no texts of length 0, and an attribute has at most 64 KiB. */
  if (length > 60000) {
    H5Tclose(type);
    return perpend_record_fail(record, PERPEND_RECORD_INVALID, "%s is longer than 60000 bytes",
                               name);
  }
  H5Tset_size(type, length ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  code = perpend_record_attribute(record, name, type, type, value);
  H5Tclose(type);
  return code;
}

static int perpend_record_write_header(perpend_record* record,
                                       const perpend_record_header* header) {
  const int64_t version = record->inside->version,
                scalar_bytes = header->scalar_bytes ? header->scalar_bytes : 8;
  char created[32] = "";
  const time_t now = time(NULL);
  const struct tm* parts = gmtime(&now);
  int code;
  if (parts) strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", parts);
  if ((code = perpend_record_text(record, "format", "perpend", "")) ||
      (code = perpend_record_attribute(record, "format_version", H5T_STD_I64LE, H5T_NATIVE_INT64,
                                       &version)) ||
      (code = perpend_record_attribute(record, "scalar_bytes", H5T_STD_I64LE, H5T_NATIVE_INT64,
                                       &scalar_bytes)) ||
      (code = perpend_record_text(record, "engine", header->engine, "")) ||
      (code = perpend_record_text(record, "engine_version", header->engine_version, "")) ||
      (code = perpend_record_text(record, "scene", header->scene, "")) ||
      (code = perpend_record_text(record, "created", created, "")) ||
      (code = perpend_record_text(record, "units", "SI", "")) ||
      (code = perpend_record_text(record, "friction_model", header->friction_model, "coulomb")) ||
      (code = perpend_record_text(record, "omitted", header->omitted, "")) ||
      (header->answerers &&
       (code = perpend_record_text(record, "answerers", header->answerers, ""))))
    return code;
  return perpend_record_text(record, "stepper", header->stepper, "st");
}

/* The format_version from which on files have the column. */
static int64_t perpend_record_since(int index) {
  const size_t member = perpend_record_columns[index].member;
  if (member == PERPEND_RECORD_AT(constraints.compliance)) return 2;
  return member == PERPEND_RECORD_AT(contacts.push) ||
                 member == PERPEND_RECORD_AT(contacts.surface_velocity) ||
                 member == PERPEND_RECORD_AT(constraints.pairs2) ||
                 member == PERPEND_RECORD_AT(constraints.jacobian2)
             ? 3
             : 1;
}

/* Makes an empty, extensible dataset. Rows that are not written are absent: NaN, the lowest number,
 * or -1. */
static int perpend_record_make(perpend_record* record, int index) {
  const perpend_record_column* column = &perpend_record_columns[index];
  perpend_record_output* output = &record->inside->outputs[index];
  double absent; /* large enough for every type */
  const hid_t on_disk = column->type == 'd'   ? H5T_IEEE_F64LE
                        : column->type == 'i' ? H5T_STD_I64LE
                        : column->type == 's' ? record->inside->name_type
                                              : H5T_STD_I8LE;
  hsize_t none[3], unlimited[3], chunk[3];
  const int rank = perpend_record_shape(column, 0, none);
  hid_t space, creation = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE),
               access = H5Pcreate(H5P_DATASET_ACCESS);
  perpend_record_shape(column, H5S_UNLIMITED, unlimited);
  perpend_record_shape(column, PERPEND_RECORD_CHUNK, chunk);
  output->row_bytes = perpend_record_bytes(column->type);
  if (column->width) output->row_bytes *= (size_t)column->width;
  if (column->width2) output->row_bytes *= (size_t)column->width2;
  space = H5Screate_simple(rank, none, unlimited);
  H5Pset_chunk(creation, rank, chunk);
  perpend_record_absent(index, &absent);
  if (column->type != 's')
    H5Pset_fill_value(creation, perpend_record_in_memory(record, column->type), &absent);
  H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC);
  H5Pset_create_intermediate_group(links, 1);
  H5Pset_chunk_cache(access, 1, 0, 1.0); /* rows go straight to the file */
  output->data =
      H5Dcreate2(record->inside->file, column->name, on_disk, space, links, creation, access);
  if (output->data < 0) perpend_record_refused(record, column->name, "cannot be created");
  H5Sclose(space);
  H5Pclose(creation);
  H5Pclose(links);
  H5Pclose(access);
  return output->data < 0 ? PERPEND_RECORD_FILE : PERPEND_RECORD_OK;
}

/* Do not replace a file that another program is writing, or whose writer was killed. */
static int perpend_record_may_replace(perpend_record* record) {
  const char* path = record->inside->path;
  hid_t there;
  FILE* file;
#ifndef _WIN32
  struct stat found;
  if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
    return perpend_record_fail(record, PERPEND_RECORD_FILE,
                               "cannot be written: it is not a plain file");
#endif
  file = fopen(path, "ab");
  if (!file)
    return perpend_record_fail(record, PERPEND_RECORD_FILE, "cannot be written: %s",
                               strerror(errno));
  fclose(file);
  if (H5Fis_hdf5(path) <= 0) return PERPEND_RECORD_OK;
  there = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  if (there >= 0) H5Fclose(there);
  if (there >= 0) return PERPEND_RECORD_OK;
  return perpend_record_fail(record, PERPEND_RECORD_FILE,
                             "another program is writing it, or its writer was killed: repair it "
                             "with perpend repair, or remove it");
}

static int perpend_record_create(perpend_record* record, const perpend_record_header* header) {
  struct perpend_record_state* state = record->inside;
  hid_t access, creation;
  int index, code = perpend_record_may_replace(record);
  if (code) return code;
  access = H5Pcreate(H5P_FILE_ACCESS);
  creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST); /* SWMR needs it */
  /* Headers that are rewritten must not cross a page of the kernel: a kill could leave half of one.
   */
  H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
  H5Pset_file_space_page_size(creation, 4096);
  state->driver = perpend_record_drive(access);
  state->file = H5Fcreate(state->path, H5F_ACC_TRUNC, creation, access);
  if (state->file < 0) code = perpend_record_refused(record, "", "cannot be created");
  H5Pclose(access);
  H5Pclose(creation);
  state->name_type = H5Tcopy(H5T_C_S1);
  H5Tset_size(state->name_type, PERPEND_RECORD_NAME_BYTES);
  H5Tset_strpad(state->name_type, H5T_STR_NULLPAD);
  if (!code) code = perpend_record_write_header(record, header);
  for (index = 0; !code && index < PERPEND_RECORD_COLUMNS; ++index)
    if (perpend_record_since(index) <= record->inside->version)
      code = perpend_record_make(record, index);
  /* What is created after this is lost if the process is killed. So everything is created before.
   */
  if (!code && H5Fstart_swmr_write(state->file) < 0)
    code = perpend_record_refused(record, "", "cannot be opened in HDF5's SWMR mode");
  return code;
}

static int perpend_record_release(perpend_record* record, int code) {
  struct perpend_record_state* state = record->inside;
  int index;
  for (index = 0; index < PERPEND_RECORD_COLUMNS; ++index) {
    if (state->outputs[index].data >= 0 && H5Dclose(state->outputs[index].data) < 0 && !code)
      code = perpend_record_refused(record, perpend_record_columns[index].name, "cannot be closed");
    free(state->outputs[index].rows);
  }
  if (state->name_type >= 0) H5Tclose(state->name_type);
  if (state->file >= 0 && H5Fclose(state->file) < 0 && !code)
    code = perpend_record_refused(record, "", "cannot be closed");
  if (state->driver >= 0) H5FDunregister(state->driver);
  perpend_record_unhush(state);
  free(state->known[0].sorted);
  free(state->known[1].sorted);
  free(state->path);
  free(state);
  record->inside = NULL;
  return code;
}

int perpend_record_open(perpend_record* record, const char* path,
                        const perpend_record_header* header) {
  struct perpend_record_state* state;
  int index, code;
  record->message[0] = '\0';
  record->inside = NULL;
  if (!path || !header)
    return perpend_record_fail(record, PERPEND_RECORD_INVALID, "path or header is NULL");
  state = (struct perpend_record_state*)calloc(1, sizeof *state);
  if (state) state->path = (char*)malloc(strlen(path) + 1);
  if (!state || !state->path) {
    free(state);
    return perpend_record_fail(record, PERPEND_RECORD_MEMORY, "no memory to open a file");
  }
  strcpy(state->path, path);
  state->file = state->driver = state->name_type = H5I_INVALID_HID;
  for (index = 0; index < PERPEND_RECORD_COLUMNS; ++index)
    state->outputs[index].data = H5I_INVALID_HID;
  state->flushed = time(NULL);
  state->version = header->format_version ? header->format_version : 1;
  if (header->answerers && *header->answerers) {
    const char* letter;
    state->answerers = 1;
    for (letter = header->answerers; *letter; ++letter)
      if (*letter == '\n' && letter[1]) ++state->answerers;
  }
  record->inside = state;
  perpend_record_hush(state);
  if (header->stepper && strcmp(header->stepper, "st") && strcmp(header->stepper, "ap"))
    code =
        perpend_record_fail(record, PERPEND_RECORD_INVALID, "stepper is neither \"st\" nor \"ap\"");
  else if (header->format_version < 0 || header->format_version > 3)
    code = perpend_record_fail(record, PERPEND_RECORD_INVALID, "format_version is not 1, 2 or 3");
  else if (header->scalar_bytes && header->scalar_bytes != 4 && header->scalar_bytes != 8)
    code = perpend_record_fail(record, PERPEND_RECORD_INVALID, "scalar_bytes is neither 4 nor 8");
  else
    code = perpend_record_create(record, header);
  if (code) return perpend_record_release(record, code);
  perpend_record_unhush(state);
  return PERPEND_RECORD_OK;
}

static int perpend_record_write(perpend_record* record, int index) {
  const perpend_record_column* column = &perpend_record_columns[index];
  perpend_record_output* output = &record->inside->outputs[index];
  const hsize_t rows = output->bytes ? (hsize_t)(output->bytes / output->row_bytes) : 0;
  hsize_t extent[3], count[3], start[3] = {0, 0, 0};
  hid_t space = H5I_INVALID_HID, memory = H5I_INVALID_HID;
  int rank, failed;
  if (!rows) return PERPEND_RECORD_OK;
  rank = perpend_record_shape(column, (hsize_t)output->first + rows, extent);
  perpend_record_shape(column, rows, count);
  start[0] = (hsize_t)output->first;
  failed = H5Dset_extent(output->data, extent) < 0;
  if (!failed) {
    space = H5Dget_space(output->data);
    memory = H5Screate_simple(rank, count, NULL);
    failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
             H5Dwrite(output->data, perpend_record_in_memory(record, column->type), memory, space,
                      H5P_DEFAULT, output->rows) < 0;
  }
  if (failed) perpend_record_refused(record, column->name, "cannot be written");
  if (space >= 0) H5Sclose(space);
  if (memory >= 0) H5Sclose(memory);
  output->bytes = 0;
  return failed ? PERPEND_RECORD_FILE : PERPEND_RECORD_OK;
}

static int perpend_record_write_columns(perpend_record* record) {
  int index, code = PERPEND_RECORD_OK;
  for (index = 0; !code && index < PERPEND_RECORD_OFFSETS; ++index)
    code = perpend_record_write(record, index);
  return code;
}

/* The driver hides failed writes from HDF5 (driver.h), so ask the driver. */
static int perpend_record_flush_file(perpend_record* record) {
  struct perpend_record_state* state = record->inside;
  int failed;
  if (H5Fflush(state->file, H5F_SCOPE_LOCAL) < 0)
    return perpend_record_refused(record, "", "cannot be flushed");
  failed = perpend_record_driver_failure(state->file);
  if (!failed) return PERPEND_RECORD_OK;
  state->broken = 1;
  return perpend_record_fail(record, PERPEND_RECORD_FILE, "cannot be written (%s)",
                             strerror(failed));
}

/* Columns are flushed before the offsets: a frame exists when its row of offsets does. */
static int perpend_record_flush_all(perpend_record* record) {
  struct perpend_record_state* state = record->inside;
  int code = perpend_record_write_columns(record);
  if (!code) code = perpend_record_flush_file(record);
  if (!code) code = perpend_record_write(record, PERPEND_RECORD_OFFSETS);
  if (!code) code = perpend_record_flush_file(record);
  state->flushed = time(NULL);
  return code;
}

/* True if the file is not open, or a write failed before. The message stays. */
static int perpend_record_unusable(perpend_record* record) {
  if (record->inside && record->inside->broken) return PERPEND_RECORD_FILE;
  record->message[0] = '\0';
  if (record->inside) return PERPEND_RECORD_OK;
  return perpend_record_fail(record, PERPEND_RECORD_INVALID, "not open");
}

int perpend_record_flush(perpend_record* record) {
  int code = perpend_record_unusable(record);
  if (code) return code;
  perpend_record_hush(record->inside);
  code = perpend_record_flush_all(record);
  perpend_record_unhush(record->inside);
  return code;
}

int perpend_record_close(perpend_record* record) {
  int code;
  if (!record->inside) return PERPEND_RECORD_OK;
  code = perpend_record_unusable(record);
  perpend_record_hush(record->inside);
  if (!code) code = perpend_record_flush_all(record);
  return perpend_record_release(record, code);
}

/* The rows that this frame adds to a column; returns how many. */
static int64_t perpend_record_rows(int index, const perpend_record_frame* frame,
                                   const perpend_record_given* given, const void** rows) {
  const perpend_record_column* column = &perpend_record_columns[index];
  const char* member = (const char*)frame + column->member;
  *rows = member;
  if (column->optional == 'v') return 1;
  if (column->optional == 't') return *(const double*)(const void*)member > 0;
  if (index == PERPEND_RECORD_SYSTEM_OFFSETS)
    *rows = given->has_system ? given->system_offsets : NULL;
  else if (index == PERPEND_RECORD_OFFSETS)
    *rows = given->offsets;
  else
    memcpy(rows, member, sizeof *rows);
  if (column->member == PERPEND_RECORD_AT(bodies.ids)) *rows = given->ids;
  if (column->member == PERPEND_RECORD_AT(contacts.tangents)) *rows = given->tangents;
  if (!*rows) return 0;
  return column->counted_by == PERPEND_RECORD_FRAME ? 1 : given->counts[column->counted_by];
}

/* Makes room for the rows, and for those that earlier frames did not have. Returns 0 if there is no
 * memory. */
static int perpend_record_reserve(perpend_record_output* output, int64_t first, int64_t rows) {
  const int64_t begin = output->bytes ? output->first : first;
  const size_t wanted = (size_t)(first + rows - begin) * output->row_bytes;
  size_t size = output->reserved ? output->reserved : 4096;
  char* grown;
  if (wanted <= output->reserved) return 1;
  while (size < wanted) size *= 2;
  grown = (char*)realloc(output->rows, size);
  if (!grown) return 0;
  output->rows = grown;
  output->reserved = size;
  return 1;
}

/* Longer names end between two letters of UTF-8. */
static void perpend_record_name(const char* name, char* to) {
  size_t length = name ? strlen(name) : 0;
  if (length > PERPEND_RECORD_NAME_BYTES) {
    length = PERPEND_RECORD_NAME_BYTES;
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) --length;
  }
  memset(to, 0, PERPEND_RECORD_NAME_BYTES);
  if (length) memcpy(to, name, length);
}

/* Meshes count vertices and triangles of this frame; in the file they are counted on. */
static void perpend_record_count_on(int64_t* meshes, int64_t rows, const int64_t* totals) {
  int64_t i;
  for (i = 0; i < rows; ++i) {
    if (meshes[4 * i + 1]) meshes[4 * i] += totals[PERPEND_RECORD_VERTEX];
    if (meshes[4 * i + 1]) meshes[4 * i + 2] += totals[PERPEND_RECORD_TRIANGLE];
  }
}

/* rows: that many of those in `from`, which are all of them, or those that are kept. */
static void perpend_record_put(int index, perpend_record_output* output, int64_t first,
                               int64_t rows, const void* from, const char* kept,
                               const int64_t* totals) {
  const char type = perpend_record_columns[index].type;
  const size_t size = (size_t)rows * output->row_bytes;
  int64_t i = 0, done;
  size_t end;
  if (!output->bytes) output->first = first;
  end = (size_t)(first - output->first) * output->row_bytes;
  while (output->bytes < end) {
    perpend_record_absent(index, output->rows + output->bytes);
    output->bytes += perpend_record_bytes(type);
  }
  for (done = 0; kept && done < rows; ++i) {
    char* to = output->rows + output->bytes + (size_t)done * output->row_bytes;
    if (!kept[i]) continue;
    if (type == 's')
      perpend_record_name(((const char* const*)from)[i], to);
    else
      memcpy(to, (const char*)from + (size_t)i * output->row_bytes, output->row_bytes);
    ++done;
  }
  if (!kept) memcpy(output->rows + output->bytes, from, size);
  if (perpend_record_columns[index].member == PERPEND_RECORD_AT(model.shape_meshes))
    perpend_record_count_on((int64_t*)(void*)(output->rows + output->bytes), rows, totals);
  output->bytes += size;
}

static int perpend_record_append(perpend_record* record, const perpend_record_frame* frame,
                                 perpend_record_given* given) {
  struct perpend_record_state* state = record->inside;
  size_t waiting = 0;
  int index, pass;
  for (index = 0; index < PERPEND_RECORD_COUNTS; ++index) {
    int64_t* offsets = index < PERPEND_RECORD_FRAME_COUNTS
                           ? given->offsets + index
                           : given->system_offsets + index - PERPEND_RECORD_FRAME_COUNTS;
    offsets[0] = state->totals[index];
    offsets[index < PERPEND_RECORD_FRAME_COUNTS ? PERPEND_RECORD_FRAME_COUNTS
                                                : PERPEND_RECORD_SYSTEM_COUNTS] =
        given->counts[index];
  }
  /* Allocate for all columns first, so that a frame is added completely or not at all. */
  for (pass = 0; pass < 2; ++pass)
    for (index = 0; index < PERPEND_RECORD_COLUMNS; ++index) {
      const int by = perpend_record_columns[index].counted_by;
      const int64_t first = by == PERPEND_RECORD_FRAME ? state->frames : state->totals[by];
      const void* rows;
      const int64_t count = perpend_record_rows(index, frame, given, &rows);
      perpend_record_output* output = &state->outputs[index];
      if (count > 0 && pass == 0 && !perpend_record_reserve(output, first, count))
        return perpend_record_fail(record, PERPEND_RECORD_MEMORY, "frame %ld: no memory for %s",
                                   (long)state->frames, perpend_record_columns[index].name);
      if (count > 0 && pass == 1)
        perpend_record_put(index, output, first, count, rows,
                           by == PERPEND_RECORD_FRAME ? NULL : given->kept[by], state->totals);
      waiting += output->bytes;
    }
  for (index = 0; index < PERPEND_RECORD_ALL_COUNTS; ++index)
    state->totals[index] += given->counts[index];
  ++state->frames;
  if (time(NULL) != state->flushed || state->frames % PERPEND_RECORD_FLUSH_FRAMES == 1)
    return perpend_record_flush_all(record);
  return waiting > PERPEND_RECORD_WAITING_BYTES ? perpend_record_write_columns(record)
                                                : PERPEND_RECORD_OK;
}

/* Returns 0 if there is no memory. */
static int perpend_record_grow(perpend_record_ids* known, int64_t more) {
  int64_t* grown;
  if (more == 0) return 1;
  grown = (int64_t*)realloc(known->sorted, (size_t)(known->count + more) * sizeof *grown);
  if (grown) known->sorted = grown;
  return grown != NULL;
}

static void perpend_record_remember(perpend_record_ids* known, const int64_t* ids, int64_t rows,
                                    const char* kept) {
  const int64_t before = known->count;
  int64_t i;
  for (i = 0; i < rows; ++i)
    if (kept[i]) known->sorted[known->count++] = ids[i];
  if (known->count > before)
    qsort(known->sorted, (size_t)known->count, sizeof *known->sorted, perpend_record_by_id);
}

/* Makes room for new names first, so that a frame is added completely or not at all. */
static int perpend_record_append_all(perpend_record* record, const perpend_record_frame* frame,
                                     perpend_record_given* given) {
  perpend_record_ids* known = record->inside->known;
  int code;
  if (!perpend_record_grow(&known[0], given->counts[PERPEND_RECORD_MODEL_BODY]) ||
      !perpend_record_grow(&known[1], given->counts[PERPEND_RECORD_MODEL_JOINT]))
    return perpend_record_fail(record, PERPEND_RECORD_MEMORY, "frame %ld: no memory for names",
                               (long)record->inside->frames);
  code = perpend_record_append(record, frame, given);
  if (code == PERPEND_RECORD_MEMORY) return code;
  perpend_record_remember(&known[0], frame->model.body_ids, frame->model.body_count,
                          given->kept[PERPEND_RECORD_MODEL_BODY]);
  perpend_record_remember(&known[1], frame->model.joint_ids, frame->model.joint_count,
                          given->kept[PERPEND_RECORD_MODEL_JOINT]);
  return code;
}

int perpend_record_add(perpend_record* record, const perpend_record_frame* frame) {
  perpend_record_given given;
  char why[200];
  int index, code = perpend_record_unusable(record);
  if (code) return code;
  code = perpend_record_check(frame, record->inside->known, &given, why, sizeof why);
  if (!code && frame->solution.answered &&
      (*frame->solution.answered < 0 || *frame->solution.answered >= record->inside->answerers)) {
    code = PERPEND_RECORD_INVALID;
    snprintf(why, sizeof why, "solution/answered is %ld, but the header has %ld answerers",
             (long)*frame->solution.answered, (long)record->inside->answerers);
  }
  for (index = 0; !code && index < PERPEND_RECORD_COLUMNS; ++index) {
    const void* rows = NULL;
    if (perpend_record_since(index) <= record->inside->version) continue;
    memcpy(&rows, (const char*)frame + perpend_record_columns[index].member, sizeof rows);
    if (!rows) continue;
    code = PERPEND_RECORD_INVALID;
    snprintf(why, sizeof why, "%s needs format_version %ld in the header",
             perpend_record_columns[index].name, (long)perpend_record_since(index));
  }
  if (code) perpend_record_fail(record, code, "frame %ld: %s", (long)record->inside->frames, why);
  perpend_record_hush(record->inside);
  if (!code) code = perpend_record_append_all(record, frame, &given);
  perpend_record_unhush(record->inside);
  free(given.made_ids);
  free(given.made_tangents);
  for (index = 0; index < PERPEND_RECORD_ALL_COUNTS; ++index) free(given.kept[index]);
  return code;
}

#ifdef __cplusplus
}
#endif
#endif
