// Exports: the rows of a list in the order of arrival, page by page. Each exported line has a cursor, from which a new
// request continues. A cursor contains the end of the export, so that a continued export ends where it would have.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { dateFromTimestamp } from "../json/timestamp.ts";
import { decodeCursor, encodeCursor, invalidCursor } from "./cursor.ts";
import { cursorScope } from "./page.ts";

export interface ExportRequest {
  readonly $typeName?: string;
  readonly after?: string | undefined;
  readonly createdUntil?: Timestamp | undefined;
}

/** Place of a line in an export. */
export interface ExportPlace {
  readonly createdAt: Date;
  readonly id: string;
  /** The last exported part of the row, if further lines contain the rest. */
  readonly part?: ExportedPart | undefined;
}

export interface ExportedPart {
  readonly timestamp: Date;
  readonly position: number;
}

/** Maximum difference between the clocks of processes: rows that are stored now may have a later time. */
const clockSkewMs = 10_000;

/** One export of a tenant. */
export class Export {
  /** The place to continue after; undefined for the first page. */
  readonly start: ExportPlace | undefined;
  /** Rows that arrive later are not exported. */
  readonly until: Date;
  readonly #scope: ReturnType<typeof cursorScope>;

  /** Throws an issue of the field `after` if its cursor is invalid or of another export. */
  constructor(request: ExportRequest, tenant: string, now: Date) {
    this.#scope = cursorScope(request, tenant, "createdAt ASC");
    // Empty counts as absent, as in lists.
    const continued = request.after ? parse(decodeCursor(this.#scope, request.after)) : undefined;
    this.start = continued?.place;
    this.until = continued?.until ?? getEnd(request, now);
  }

  /** Returns the cursor of the line at `place`. */
  encode({ createdAt, id, part }: ExportPlace): string {
    const times = [this.until, createdAt].map((time) => time.toISOString());
    const key = [...times, ...(part === undefined ? [] : [part.timestamp.toISOString(), part.position])].join(" ");
    return encodeCursor(this.#scope, { key, id });
  }
}

function getEnd({ createdUntil }: ExportRequest, now: Date): Date {
  const end = new Date(now.getTime() + clockSkewMs);
  const requested = createdUntil && dateFromTimestamp(createdUntil);
  return requested !== undefined && requested < end ? requested : end;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const positionMax = 2 ** 31 - 1;

function parse({ key, id }: { readonly key: string | null; readonly id: string }) {
  const [until, createdAt, timestamp, position, ...rest] = (key ?? "").split(" ");
  if (!uuid.test(id) || rest.length > 0 || (timestamp === undefined) !== (position === undefined))
    throw invalidCursor();
  const part =
    timestamp === undefined ? undefined : { timestamp: parseTime(timestamp), position: parsePosition(position ?? "") };
  return { until: parseTime(until), place: { createdAt: parseTime(createdAt), id, part } };
}

/** Years that PostgreSQL can store, and JSON can express. */
const storable = /^(?!0000)\d{4}-/;

function parseTime(text = ""): Date {
  const time = new Date(text);
  if (!storable.test(text) || Number.isNaN(time.getTime()) || time.toISOString() !== text) throw invalidCursor();
  return time;
}

function parsePosition(text: string): number {
  const position = Number(text);
  if (!/^\d{1,10}$/.test(text) || position > positionMax) throw invalidCursor();
  return position;
}
