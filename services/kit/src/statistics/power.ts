// How large a difference must be to be seen, and how many items that takes: a test at 5 %, two-sided.

import { z } from "./student-t.ts";

/** The normal distribution's quantile of a power of 0.8: four of five such differences are found. */
const zPower = 0.8416212335729143;

/** The smallest difference that a test with this standard error finds with a power of 0.8. */
export const smallestDetectable = (standardError: number) => (z + zPower) * standardError;

/** How many items find a difference with a power of 0.8, where `items` of them have this standard error. */
export const itemsNeeded = (standardError: number, items: number, difference: number) =>
  Math.ceil(items * (smallestDetectable(standardError) / difference) ** 2);
