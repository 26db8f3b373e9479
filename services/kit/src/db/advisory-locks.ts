/**
 * Numbers of all advisory locks; each lock is held once per database. Locks with a computed key (`hashtextextended`:
 * idempotency.ts, experiments.add_months) collide with these only by a 64-bit coincidence.
 */
export const advisoryLocks = {
  migration: 7_305_912_044,
  preparation: 7_305_912_045,
  reconciliation: 7_305_912_046,
  bootstrap: 7_305_912_047,
} as const;
