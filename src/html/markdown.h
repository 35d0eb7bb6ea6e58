/* Markdown (CommonMark, with the tables, task lists, notes and ~~ of GitHub's) as HtmlDocument takes
 * it: cmark, whose only user this is, says what the text consists of; emphasis, links and HTML in a text
 * are its inline elements, code and mathematics between $ stay as they are.
 *
 *     > - The **cat** [sleeps](u).          a segment: The cat sleeps.
 *
 * The text of a paragraph, a heading, a note, a definition or a cell of a table is a segment, written in
 * one line, and so is that of an image, or of the title of a link, which stands for an attribute; all
 * else stays byte for byte: code blocks, HTML blocks, definitions of links, the header of metadata,
 * links whose text is their label. */
#pragma once

#include "html/pieces.h"

// NULL if the program was built without cmark.
extern const HtmlSyntax *const markdown_syntax;
