/** Start and end, exclusive. */
export type Range = readonly [start: number, end: number];

/** Returns the ranges of all matches, in any order. */
export type Find = (text: string) => Range[];
