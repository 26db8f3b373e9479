// Limits on the cost of reading files and imports, regardless of what a file declares.

import { jsonDepthMax } from "@ems/kit/json/issue-messages";
import type { ReadLimits } from "@ems/kit/readers";

const mib = 1024 * 1024;

/** Maximum number of parts in a form, including files. */
export const partsMax = 120;
/** Maximum number of files in a form. */
export const filesMax = 100;
/** Maximum length of a form field, in characters. */
export const fieldLengthMax = 64 * 1024;
/** Maximum number of documents per file, such as the sheets of a workbook. */
export const sheetsMax = 50;
export const pagesMax = 1_000;

/** Limits on the cells of a table, the columns of an XLSX sheet, and the bytes of all unpacked files in an archive. */
export const tableLimits: ReadLimits = { values: 200_000, columns: 16_384, depth: jsonDepthMax, bytes: 48 * mib };
/** PDF.js returns at most one piece of text per word; the last page of 1,000 pages has several thousand. */
export const pdfLimits: ReadLimits = { ...tableLimits, values: 5_000_000 };
/** Limits on XML elements: a page has about 1,000; a paragraph in a table in a table is eight levels deep. */
export const docxLimits: ReadLimits = { ...tableLimits, values: 400_000, depth: 200 };

/** Limits on elements of a page. Pages without end tags are deeper than documents. */
export const htmlLimits: ReadLimits = { ...docxLimits, depth: 1_000 };
export const jsonLimits = { values: 200_000, depth: jsonDepthMax, bytes: 48 * mib };

/** Limits of a worker thread's heap, and of its total memory including buffers. */
export const heapMib = 160;
export const memoryBytesMax = 256 * mib;
/** Interval of memory measurements; in one interval, a reader allocates at most a few hundred megabytes. */
export const measureMs = 50;
export const readTimeoutMs = 20_000;

/** Maximum numbers of concurrent readers per application and in total; each reader occupies a core. */
export const readersMaxPerKey = 1;
export const readersMax = 2;
export const queueMaxPerKey = 4;
export const queueMax = 64;
export const queueTimeoutMs = 10_000;
/** Maximum total size of files that are being read or waiting. */
export const heldBytesMax = 96 * mib;
