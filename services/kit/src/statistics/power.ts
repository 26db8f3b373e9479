// Smallest detectable difference, and the number of items needed to detect a difference: a two-sided test at 5 %.

import { z } from "./student-t.ts";

/** Quantile of the normal distribution for a power of 0.8: four of five such differences are detected. */
const zPower = 0.8416212335729143;

/** Smallest difference that a test with this standard error detects with a power of 0.8. */
export const smallestDetectable = (standardError: number) => (z + zPower) * standardError;

/** Number of items needed to detect a difference with a power of 0.8, if `items` items have this standard error. */
export const itemsNeeded = (standardError: number, items: number, difference: number) =>
  Math.ceil(items * (smallestDetectable(standardError) / difference) ** 2);
