// Errors of an import: the first ones in detail, the others only counted. Pure.

import { echoed } from "@ems/kit/json/issue-messages";
import { taskImportErrorsBytesMax, taskImportErrorsMax } from "@ems/proto/limits";

export interface ImportFault {
  readonly row: number;
  /** Column or path of the error; empty if the error concerns the whole row. */
  readonly field: string;
  readonly message: string;
}

export interface FoundFaults {
  /** The first errors, up to the limit. */
  readonly faults: readonly ImportFault[];
  readonly count: number;
}

export interface ReportedFaults {
  readonly faults: readonly ImportFault[];
  readonly omitted: number;
}

const messageLengthMax = 200;

/** Collects errors in the order of their rows; once the limit is reached, only counts them. */
export class FaultList implements FoundFaults {
  readonly faults: ImportFault[] = [];
  count = 0;

  add({ row, field, message }: ImportFault): void {
    this.count += 1;
    // Names of columns come from the caller and may be long.
    if (this.faults.length < taskImportErrorsMax)
      this.faults.push({ row, field: echoed(field), message: shortened(message) });
  }

  replaceWith(fault: ImportFault): void {
    this.faults.length = 0;
    this.count = 0;
    this.add(fault);
  }
}

/** Merges the lists by row, and omits errors that do not fit in the response. */
export function reportFaults(...lists: readonly FoundFaults[]): ReportedFaults {
  const count = lists.reduce((sum, list) => sum + list.count, 0);
  const sorted = lists.flatMap(({ faults }) => faults).sort((a, b) => a.row - b.row);
  let bytes = 0;
  const faults = sorted.slice(0, taskImportErrorsMax).filter((fault) => {
    bytes += Buffer.byteLength(JSON.stringify(fault)) + 1;
    return bytes <= taskImportErrorsBytesMax;
  });
  return { faults, omitted: count - faults.length };
}

function shortened(message: string): string {
  return message.length <= messageLengthMax ? message : `${message.slice(0, messageLengthMax - 1).toWellFormed()}…`;
}
