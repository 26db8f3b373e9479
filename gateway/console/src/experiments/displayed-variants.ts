// Pure functions that select the variants with a column in an experiment's comparison.

import type { Variant } from "./variant-requests.ts";

/** Maximum number of columns. Limited because each needs a request. */
export const displayedMax = 8;

type Listed = Pick<Variant, "id" | "parentId" | "status" | "summary">;

/** Returns true if the variant has tests to compare. Errored ones count, because the comparison names them. */
export const isMeasured = ({ summary }: Pick<Variant, "summary">) =>
  summary !== null && summary.passed + summary.failed + summary.errored > 0;

/** Returns the reference to compare with: the variant in the URL if it has results, else the baseline. */
export function findReference<Each extends Listed>(
  variants: readonly Each[],
  named: string | undefined,
): Each | undefined {
  return (
    variants.find((variant) => variant.id === named && isMeasured(variant)) ??
    variants.find(({ parentId }) => parentId === null)
  );
}

/** Returns the variants in the URL, else the newest unrejected ones. Ordered by creation, without the reference. */
export function chooseDisplayed<Each extends Listed>(
  variants: readonly Each[],
  reference: Each | undefined,
  named: readonly string[] | undefined,
): Each[] {
  const compared = variants.filter((variant) => variant !== reference);
  const chosen = compared.filter(({ id, status }) => named?.includes(id) ?? status !== "REJECTED");
  return chosen.slice(-displayedMax);
}

/** Returns the selected variant: the one in the URL, else the first that has run. */
export function chosenVariant<Each extends Listed>(
  variants: readonly Each[],
  reference: Each | undefined,
  named: string | undefined,
): Each | undefined {
  const compared = variants.filter((variant) => variant !== reference);
  return (
    compared.find(({ id }) => id === named) ??
    compared.find(({ status }) => status === "COMPLETED" || status === "RUNNING") ??
    compared[0]
  );
}
