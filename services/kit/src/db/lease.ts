// Leases by PostgreSQL's clock, as SQL. A lease's length is an SQL interval.

/** SQL: end of a lease that starts now. As the lease's token, it is in milliseconds, like JavaScript dates. */
export function leaseEnd(length: string): string {
  return `date_trunc('milliseconds', clock_timestamp()) + ${length}`;
}

/**
 * True if the row has no lease, the lease has expired, or it ends later than a valid lease can: PostgreSQL's clock was
 * ahead when it was taken.
 */
export function isLeaseOver(column: string, length: string): string {
  return `(${column} IS NULL OR ${column} <= clock_timestamp() OR ${column} > clock_timestamp() + 2 * ${length})`;
}

/** Converts a parameter in milliseconds to an interval. */
export function milliseconds(parameter: string): string {
  return `(${parameter} * interval '1 millisecond')`;
}
