// What a process says to the process that started it, where that is one of ours.

/** Where a process listens, as it tells the process that started it: ports that were 0 have become real ones. */
export interface Listening {
  readonly port: number;
  readonly adminUrl: string;
}

export function reportListening(listening: Listening): void {
  process.send?.(listening);
}
