// Leases by PostgreSQL's clock, as SQL. A lease's length is an SQL interval.

/** The end of a lease that begins now, which is also its token: in milliseconds, since JavaScript's dates hold no more. */
export function leaseEnd(length: string): string {
  return `date_trunc('milliseconds', clock_timestamp()) + ${length}`;
}

/**
 * True when the row has no lease, or it is over, or it ends later than a lease that is held can: PostgreSQL's clock was ahead
 * when it was taken.
 */
export function isLeaseOver(column: string, length: string): string {
  return `(${column} IS NULL OR ${column} <= clock_timestamp() OR ${column} > clock_timestamp() + 2 * ${length})`;
}

/** A parameter of milliseconds as an interval. */
export function milliseconds(parameter: string): string {
  return `(${parameter} * interval '1 millisecond')`;
}
