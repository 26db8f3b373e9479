/**
 * Loopback address of this process alone. A released port of 127.0.0.1 may be taken by another process at once:
 * listeners that must return at the same port listen here.
 */
export const loopbackHost = `127.64.${(process.pid >> 8) & 255}.${process.pid & 255}`;
