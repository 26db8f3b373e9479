// Imports a file of `ems export traces`: its lines are events of `POST /v0/ingest`. Repeating an import changes nothing.

import { ingestRowsMax, largeBodyBytesMax } from "@ems/proto/limits";
import type { ApiClient, Json } from "../api.ts";
import { Failure } from "../failure.ts";

export interface EventLine {
  readonly event: Json;
  readonly line: number;
  readonly bytes: number;
}

/** Events of one request. Servers may have lower limits than these. */
const eventsMax = 500;
const rowsMax = Math.floor(ingestRowsMax / 4);
const bytesMax = largeBodyBytesMax / 2;

export class EventImporter {
  readonly #api: ApiClient;
  #waiting: EventLine[] = [];
  #rows = 0;
  #bytes = 0;
  /** Number of imported lines. */
  count = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async add(line: EventLine): Promise<void> {
    const rows = 1 + (line.event.steps?.length ?? 0);
    const isFull =
      this.#waiting.length === eventsMax || this.#rows + rows > rowsMax || this.#bytes + line.bytes > bytesMax;
    if (isFull) await this.finish();
    this.#waiting.push(line);
    this.#rows += rows;
    this.#bytes += line.bytes;
  }

  /** Sends the events that wait. */
  async finish(): Promise<void> {
    const sent = this.#waiting;
    if (sent.length === 0) return;
    const { data } = await this.#api.post("/v0/ingest", { events: sent.map(({ event }) => event) });
    const failed = data.findIndex(({ success }: Json) => !success);
    if (failed >= 0) throw new Failure(`Line ${sent[failed]?.line}: ${data[failed].error}`);
    this.count += sent.length;
    this.#waiting = [];
    this.#rows = 0;
    this.#bytes = 0;
  }
}
