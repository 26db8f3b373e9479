// Limits of one upload: what a reader of a file may use, whatever the file says of itself.

const mib = 1024 * 1024;

/** Parts of the form, files among them. */
export const partsMax = 20;
/** A field of the form, in characters. */
export const fieldLengthMax = 64 * 1024;
/** All files of a workbook, unpacked. */
export const unpackedBytesMax = 48 * mib;
/** Documents of one file: the sheets of a workbook. */
export const sheetsMax = 50;
export const cellsMax = 200_000;
export const pagesMax = 1_000;

/** The worker's heap, and all memory that it holds, buffers included. */
export const heapMib = 160;
export const memoryBytesMax = 256 * mib;
/** How often its memory is measured: between two measurements a reader allocates a few hundred megabytes at most. */
export const measureMs = 50;
export const readTimeoutMs = 20_000;

/** Files that are read at once, of one application and of all: each holds a core. */
export const readersMaxPerKey = 1;
export const readersMax = 2;
export const queueMaxPerKey = 2;
export const queueMax = 4;
export const queueTimeoutMs = 10_000;
