#define _POSIX_C_SOURCE 200809L
#include "io/zip_entry.h"

#ifdef REGARD_MINIZIP

#include "base/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unzip.h>

enum { NAMES_LISTED = 5 };                               // in a message
enum { MAX_NAME = 1024, END_BYTES = 22, ENCRYPTED = 1 }; // of the zip format

struct ZipEntry {
    unzFile archive;
    FILE *stream;     // of the archive, which closes it
    const char *name; // not owned
    bool open;        // the file in the archive
    uLong size;       // of it
    char path[MAX_NAME];
};

static Status broken(const char *name, const char *detail, Error *error)
{
    return error_set(error, STATUS_FORMAT,
                     "%s: is zip that is cut off or broken (%s); get the file again", name, detail);
}

static bool is_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    return *base && strcmp(base, ".DS_Store") != 0 && strncmp(path, "__MACOSX/", 9) != 0;
}

// Finds the only file, and makes it the archive's current one.
static Status choose(ZipEntry *entry, Error *error)
{
    Bytes names = {0};
    size_t files = 0;
    unz_file_pos place = {0}, here;
    char path[MAX_NAME];
    Status status = STATUS_OK;
    int result = unzGoToFirstFile(entry->archive);
    for (; result == UNZ_OK && !status; result = unzGoToNextFile(entry->archive)) {
        unz_file_info info;
        result = unzGetCurrentFileInfo(entry->archive, &info, path, sizeof path, NULL, 0, NULL, 0);
        if (result != UNZ_OK || (result = unzGetFilePos(entry->archive, &here)) != UNZ_OK) break;
        path[sizeof path - 1] = '\0';
        if (info.flag & ENCRYPTED) status = broken(entry->name, "encrypted", error);
        if (!is_file(path)) continue;
        if (files++ == 0) {
            place = here;
            entry->size = info.uncompressed_size;
            memcpy(entry->path, path, sizeof path);
        }
        if (files <= NAMES_LISTED && !status)
            status = bytes_append_format(&names, error, "%s%.80s", files > 1 ? ", " : "", path);
    }
    if (!status && result != UNZ_END_OF_LIST_OF_FILE)
        status = broken(entry->name, "its list of files", error);
    if (!status && files != 1)
        status = error_set(error, STATUS_FORMAT,
                           "%s: is zip with %zu files%s%s%s; it must have one: unpack it and name "
                           "the right one",
                           entry->name, files, files ? ": " : "", bytes_text(&names),
                           files > NAMES_LISTED ? ", …" : "");
    bytes_free(&names);
    if (!status && unzGoToFilePos(entry->archive, &place) != UNZ_OK)
        status = broken(entry->name, "its list of files", error);
    return status;
}

// minizip opens files by name: this one is open already.
static voidpf open_stream(voidpf opaque, const char *name, int mode)
{
    (void)name;
    (void)mode;
    return opaque;
}

// minizip overlooks what follows the archive, as after a transfer that went wrong.
static bool ends_the_file(const ZipEntry *entry)
{
    unz_global_info info;
    char end[4];
    return unzGetGlobalInfo(entry->archive, &info) == UNZ_OK &&
           fseek(entry->stream, -(long)(END_BYTES + info.size_comment), SEEK_END) == 0 &&
           fread(end, sizeof end, 1, entry->stream) == 1 && !memcmp(end, "PK\5\6", sizeof end);
}

static Status open_archive(ZipEntry *entry, int descriptor, Error *error)
{
    int own = dup(descriptor);
    entry->stream = own >= 0 ? fdopen(own, "rb") : NULL;
    if (!entry->stream) {
        if (own >= 0) close(own);
        return error_memory(error, sizeof *entry, "a zip file");
    }
    zlib_filefunc_def functions;
    fill_fopen_filefunc(&functions);
    functions.zopen_file = open_stream;
    functions.opaque = entry->stream;
    entry->archive = unzOpen2(entry->name, &functions);
    if (!entry->archive) { // which has closed the stream
        entry->stream = NULL;
        return broken(entry->name, "no list of files", error);
    }
    if (!ends_the_file(entry)) return broken(entry->name, "something follows it", error);
    TRY(choose(entry, error));
    if (unzOpenCurrentFile(entry->archive) != UNZ_OK)
        return broken(entry->name, "the file in it", error);
    entry->open = true;
    return STATUS_OK;
}

Status zip_entry_open(ZipEntry **out, int descriptor, const char *name, Error *error)
{
    if (lseek(descriptor, 0, SEEK_SET) < 0)
        return error_set(error, STATUS_ARGUMENT,
                         "%s: is zip in a pipe, which cannot be read; name the file, or unpack it "
                         "with unzip -p",
                         name);
    ZipEntry *entry = memory_new(1, sizeof *entry);
    if (!entry) return error_memory(error, sizeof *entry, "a zip file");
    entry->name = name;
    Status status = open_archive(entry, descriptor, error);
    if (status)
        zip_entry_close(entry);
    else
        *out = entry;
    return status;
}

Status zip_entry_read(ZipEntry *entry, char *out, size_t capacity, size_t *length, Error *error)
{
    *length = 0;
    if (!entry->open) return STATUS_OK; // the end was read
    unsigned most = capacity < (1U << 30) ? (unsigned)capacity : 1U << 30;
    int got = unzReadCurrentFile(entry->archive, out, most);
    if (got < 0) return broken(entry->name, "its data", error);
    *length = (size_t)got;
    if (got > 0) return STATUS_OK;
    entry->open = false;
    bool whole = (uLong)unztell(entry->archive) == entry->size; // else it checks no sum
    if (unzCloseCurrentFile(entry->archive) == UNZ_OK && whole) return STATUS_OK;
    return broken(entry->name, whole ? "its checksum" : "its length", error);
}

Status zip_entry_find_name(Bytes *out, const char *path, Error *error)
{
    ZipEntry *entry;
    struct stat info; // a pipe must not be opened twice
    bool regular = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    int descriptor = regular ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    if (descriptor < 0) return error_set(error, STATUS_IO, "%s: cannot be opened", path);
    Status status = zip_entry_open(&entry, descriptor, path, error);
    close(descriptor);
    TRY(status);
    status = bytes_append_string(out, entry->path, error);
    zip_entry_close(entry);
    return status;
}

void zip_entry_close(ZipEntry *entry)
{
    if (!entry) return;
    if (entry->open) unzCloseCurrentFile(entry->archive);
    if (entry->archive) unzClose(entry->archive);
    memory_free(entry);
}

#else

Status zip_entry_open(ZipEntry **entry, int descriptor, const char *name, Error *error)
{
    (void)entry;
    (void)descriptor;
    return error_set(
        error, STATUS_ARGUMENT,
        "%s: is zip, and this regard was built without minizip; install libminizip-dev and "
        "build it again, or unpack the file with unzip",
        name);
}

Status zip_entry_read(ZipEntry *entry, char *out, size_t capacity, size_t *length, Error *error)
{
    (void)entry;
    (void)out;
    (void)capacity;
    *length = 0;
    return error_set(error, STATUS_ARGUMENT, "zip cannot be read");
}

Status zip_entry_find_name(Bytes *out, const char *path, Error *error)
{
    (void)out;
    return error_set(error, STATUS_ARGUMENT, "%s: zip cannot be read", path);
}

void zip_entry_close(ZipEntry *entry)
{
    (void)entry;
}

#endif
