// Bounds of a platform caller's tokenMinutesMax; separate from the document's reader, so that the command line need not
// load it.

export const tokenMinutesMaxDefault = 60;
export const tokenMinutesMaxMax = 24 * 60;
