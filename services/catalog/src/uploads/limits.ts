// Limits of files and imports: what reading one may cost, whatever the file says of itself.

import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import type { ReadLimits } from "@ems/kit/readers";

const mib = 1024 * 1024;

/** Parts of the form, files among them. */
export const partsMax = 20;
/** A field of the form, in characters. */
export const fieldLengthMax = 64 * 1024;
/** Documents of one file: the sheets of a workbook. */
export const sheetsMax = 50;
export const pagesMax = 1_000;

/** The cells of a table, the columns of XLSX, and all files of an archive, unpacked. */
export const tableLimits: ReadLimits = { values: 200_000, columns: 16_384, depth: jsonDepthMax, bytes: 48 * mib };
/** PDF.js finds a piece of text for each word or less; the last page of a thousand has some thousands. */
export const pdfLimits: ReadLimits = { ...tableLimits, values: 5_000_000 };
/** Elements of the XML: a page has about a thousand, and a paragraph in a table in a table eight levels. */
export const docxLimits: ReadLimits = { ...tableLimits, values: 400_000, depth: 200 };

/** The worker's heap, and all memory that it holds, buffers included. */
export const heapMib = 160;
export const memoryBytesMax = 256 * mib;
/** How often its memory is measured: between two measurements a reader allocates a few hundred megabytes at most. */
export const measureMs = 50;
export const readTimeoutMs = 20_000;

/** Files that are read at once, of one application and of all: each holds a core. */
export const readersMaxPerKey = 1;
export const readersMax = 2;
export const queueMaxPerKey = 4;
export const queueMax = 64;
export const queueTimeoutMs = 10_000;
/** Files that are read or wait. */
export const heldBytesMax = 96 * mib;
