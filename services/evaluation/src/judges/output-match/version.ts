/** Increase this version with each change of the arithmetic. */
export const version = "output-match/2";
