/** Start and end, exclusive. */
export type Range = readonly [start: number, end: number];

/** Where the text has what is looked for, in any order. */
export type Find = (text: string) => Range[];
