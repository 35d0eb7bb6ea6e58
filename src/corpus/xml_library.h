/* libxml2, loaded when it is first needed: with what it needs itself, such as ICU, it takes longer
 * to load than a short text to translate, and only TMX files need it. */
#ifndef REGARD_CORPUS_XML_LIBRARY_H
#define REGARD_CORPUS_XML_LIBRARY_H

#include "base/status.h"

#include <libxml/xmlerror.h>
#include <libxml/xmlreader.h>

// The functions that are used, without the xml before their names.
#define XML_FUNCTIONS(X)                                                                           \
    X(DictGetUsage)                                                                                \
    X(FreeTextReader)                                                                              \
    X(ReaderForIO)                                                                                 \
    X(SetStructuredErrorFunc)                                                                      \
    X(TextReaderConstLocalName)                                                                    \
    X(TextReaderConstValue)                                                                        \
    X(TextReaderCurrentNode)                                                                       \
    X(TextReaderDepth)                                                                             \
    X(TextReaderGetAttribute)                                                                      \
    X(TextReaderGetParserLineNumber)                                                               \
    X(TextReaderIsEmptyElement)                                                                    \
    X(TextReaderNodeType)                                                                          \
    X(TextReaderRead)

typedef struct XmlLibrary {
#define XML_MEMBER(name) __typeof__(xml##name) *name;
    XML_FUNCTIONS(XML_MEMBER)
#undef XML_MEMBER
    __typeof__(__xmlStructuredError) *structured_error; // where the thread's handler is
    __typeof__(__xmlStructuredErrorContext) *structured_error_context;
    xmlFreeFunc *free; // the variable xmlFree
} XmlLibrary;

// Sets the functions; STATUS_IO if the library is not there. Any thread may call it.
Status xml_library(const XmlLibrary **library, Error *error);

#endif
