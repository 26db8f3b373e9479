// Cost limits of one text or file, and the error that all readers throw. Pure.

/** Limits of one read; each reader documents values, depth and columns of its format. */
export interface ReadLimits {
  /** Cells of a table; members, items and scalars of a tree; elements of a document. */
  readonly values: number;
  /** Nested objects and lists. */
  readonly depth: number;
  /** Cells of one row. */
  readonly columns: number;
  /** Bytes of decoded text, and of unpacked archive entries. */
  readonly bytes: number;
}

/** Place of an error, as precise as the format allows; rows, columns and pages begin at 1. */
export interface ReadPosition {
  readonly row?: number;
  readonly column?: number;
  /** Path in a tree, such as `$.messages[3].content`. */
  readonly path?: string;
  readonly page?: number;
  readonly sheet?: string;
  /** Offset of the first wrong byte, from 0. */
  readonly byte?: number;
}

/** A position, or a function that computes it: only errors need it. */
export type ReadPlace = ReadPosition | (() => ReadPosition);

/** `INVALID`: the text is not in its format. `LIMIT`: reading it would exceed the caller's limits. */
export type UnreadableReason = "INVALID" | "LIMIT";

const messageLengthMax = 200;
/** Maximum characters of a name in a position: a name comes from the text and may be as long as the text. */
const nameLengthMax = 60;

/** Error of every reader, with problem and position. Its message has at most 200 characters. */
export class UnreadableText extends Error {
  override name = "UnreadableText";
  readonly reason: UnreadableReason;
  readonly position: ReadPosition;
  /** The message without its position. */
  readonly problem: string;

  constructor(problem: string, position: ReadPosition = {}, reason: UnreadableReason = "INVALID") {
    const place = describePosition(position);
    const room = messageLengthMax - place.length;
    const bounded = shorten(problem, room);
    super(`${bounded}${place}`);
    this.problem = bounded;
    this.position = position;
    this.reason = reason;
  }
}

/** Counts the cost of one read; throws `UnreadableText` when it exceeds a limit. */
export class ReadBudget {
  readonly limits: ReadLimits;
  /** Number of characters that PostgreSQL cannot store and that readers replaced. */
  replacedCharacters = 0;
  /** Number of empty lines that readers of rows skipped. */
  emptyLines = 0;
  #values = 0;
  #bytes = 0;
  #depth = 0;

  constructor(limits: ReadLimits) {
    this.limits = limits;
  }

  get spentValues(): number {
    return this.#values;
  }

  get spentBytes(): number {
    return this.#bytes;
  }

  spendValues(count: number, place?: ReadPlace): void {
    this.#values += count;
    if (this.#values > this.limits.values) throw exceeded(`${counted(this.limits.values)} values`, place);
  }

  spendBytes(count: number, place?: ReadPlace): void {
    this.#bytes += count;
    if (this.#bytes > this.limits.bytes) throw exceeded(`${counted(this.limits.bytes)} bytes`, place);
  }

  /** Checks the number of cells in one row. It does not count towards the cost of the read. */
  spendColumns(count: number, place?: ReadPlace): void {
    if (count > this.limits.columns) throw exceeded(`${counted(this.limits.columns)} columns`, place);
  }

  /** Enters an object or a list; `leaveLevel` leaves it. */
  spendLevel(place?: ReadPlace): void {
    this.#depth += 1;
    if (this.#depth > this.limits.depth) throw exceeded(`${counted(this.limits.depth)} nested levels`, place);
  }

  leaveLevel(): void {
    this.#depth -= 1;
  }
}

function exceeded(limit: string, place: ReadPlace = {}): UnreadableText {
  const position = typeof place === "function" ? place() : place;
  return new UnreadableText(`Expected at most ${limit}`, position, "LIMIT");
}

function counted(count: number): string {
  return count.toLocaleString("en");
}

function describePosition({ sheet, page, row, column, path, byte }: ReadPosition): string {
  const parts = [
    sheet === undefined ? [] : [`sheet ${shorten(sheet, nameLengthMax)}`],
    page === undefined ? [] : [`page ${page}`],
    row === undefined ? [] : [`row ${row}`],
    column === undefined ? [] : [`column ${column}`],
    path === undefined ? [] : [`at ${shorten(path, nameLengthMax)}`],
    byte === undefined ? [] : [`byte ${byte}`],
  ].flat();
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text.toWellFormed() : `${text.slice(0, max - 1).toWellFormed()}…`;
}
