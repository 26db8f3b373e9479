/**
 * A loopback address that is this process's alone. A port of 127.0.0.1 that is given back may be anybody's in the next
 * moment: what must come back at the port that it had listens here, where nobody else takes one.
 */
export const loopbackHost = `127.64.${(process.pid >> 8) & 255}.${process.pid & 255}`;
