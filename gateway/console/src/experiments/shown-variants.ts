// Which variants of an experiment have a column. Pure.

import type { Variant } from "./variant-requests.ts";

/** Each is compared by a request of its own. */
export const shownMax = 8;

type Listed = Pick<Variant, "id" | "parentId" | "status" | "result">;

/** What the others are compared with: the variant that the URL names, if it has results, else the baseline. */
export function referenceOf<Each extends Listed>(
  variants: readonly Each[],
  named: string | undefined,
): Each | undefined {
  return (
    variants.find(({ id, result }) => id === named && result !== null) ??
    variants.find(({ parentId }) => parentId === null)
  );
}

/** Those that the URL names, else the newest that are not rejected; in the order of their creation, without the reference. */
export function shownVariants<Each extends Listed>(
  variants: readonly Each[],
  reference: Each | undefined,
  named: readonly string[] | undefined,
): Each[] {
  const others = variants.filter((variant) => variant !== reference);
  const chosen = others.filter(({ id, status }) => named?.includes(id) ?? status !== "REJECTED");
  return chosen.slice(-shownMax);
}

/** The one of which all is shown: the one that the URL names, else the first that was run. */
export function chosenVariant<Each extends Listed>(
  variants: readonly Each[],
  reference: Each | undefined,
  named: string | undefined,
): Each | undefined {
  const others = variants.filter((variant) => variant !== reference);
  return (
    others.find(({ id }) => id === named) ??
    others.find(({ status }) => status === "COMPLETED" || status === "RUNNING") ??
    others[0]
  );
}
