// Bounds of a platform caller's tokenMinutesMax, apart from the document's reader: a command line knows them without loading it.

export const tokenMinutesMaxDefault = 60;
export const tokenMinutesMaxMax = 24 * 60;
