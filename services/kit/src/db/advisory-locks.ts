/**
 * Every number that the product takes an advisory lock under; each is held once in a database. Locks whose key is computed
 * (`hashtextextended`: idempotency.ts, experiments.add_months) meet none of these but by an accident of 64 bits.
 */
export const advisoryLocks = {
  migration: 7_305_912_044,
  preparation: 7_305_912_045,
  reconciliation: 7_305_912_046,
  bootstrap: 7_305_912_047,
} as const;
