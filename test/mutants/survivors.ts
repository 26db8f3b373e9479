export interface Survivor {
  readonly file: string;
  readonly label: string;
  readonly reason: string;
}

/** Generated mutations that may survive, and why. */
export const survivors: readonly Survivor[] = [
  {
    file: "services/kit/src/db/binary-array.ts",
    label:
      "const header = [1, values.includes(null) ? 1 : 0, element.oid, values.length, 1]; | values.includes(null) → false",
    reason: "PostgreSQL checks that the flag is 0 or 1, and reads NULLs by their length of -1.",
  },
  {
    file: "services/kit/src/db/wait-for-database.ts",
    label:
      "if (performance.now() - startedMs + retryEveryMs > waitMs) throw error; | performance.now() - startedMs + retryEveryMs → (performance.now() - startedMs - retryEveryMs)",
    reason: "The wait ends two retries later.",
  },
  {
    file: "services/notifications/src/deliveries/worker/recorder.ts",
    label:
      "this.#failedWrites = unwritten.length === 0 ? 0 : this.#failedWrites + 1; | this.#failedWrites + 1 → (this.#failedWrites - 1)",
    reason:
      "A row that stays locked is written again without the bound of 1,000 tries; its lease has ended before that.",
  },
  {
    file: "services/evaluation/src/schedules/scheduler.ts",
    label: 'if (outcomes.includes(false)) return "failed"; | outcomes.includes(false) → true',
    reason: "Only the pause before the next look is longer, and never over 10 seconds.",
  },
  {
    file: "services/kit/src/db/insert.ts",
    label:
      "const listed = shared.length < columns.length || rows.length === 1 ? except(columns, shared) : columns; | shared.length < columns.length || rows.length === 1 → false",
    reason: "Values that all rows share travel once a row; what is inserted is the same.",
  },
  {
    file: "services/kit/src/db/leased-pool.ts",
    label: "if (hasMore) loop.wake(); | hasMore → true",
    reason: "The loop looks once more than it must.",
  },
  {
    file: "services/kit/src/db/list.ts",
    label:
      "if (list.archived !== undefined && stores?.hasArchive === true) { | list.archived !== undefined && stores?.hasArchive === true → false",
    reason:
      "Needs ClickHouse: services/experiments/src/archive/reads.clickhouse.nightly.test.ts pages over both stores.",
  },
  {
    file: "services/kit/src/events/nats/bus.ts",
    label: "const read = error === null ? readMessage(toMessage(message)) : undefined; | error === null → true",
    reason: "An error comes with an empty message, which is a dead letter and reaches no listener.",
  },
  {
    file: "services/kit/src/events/nats/connection.ts",
    label: "this.#set(false); | this.#set(false); → ;",
    reason: "A connection is closed when it was disconnected, which was noted, or by the process that ends.",
  },
  {
    file: "services/kit/src/events/relay.ts",
    label: 'return hasBusFailed ? "failed" : "idle"; | hasBusFailed → true',
    reason: "The claim's time was up: the next look comes after the first pause of the backoff.",
  },
  {
    file: "services/kit/src/rpc/addresses.ts",
    label: "} else if (this.#found === undefined) this.#loop.wake(); | this.#loop.wake(); → ;",
    reason: "The name is resolved at the next regular time instead of at once.",
  },
  {
    file: "services/kit/src/rpc/authenticate-call.ts",
    label:
      "if (session !== undefined && !authenticatedSessions.has(session)) { | session !== undefined && !authenticatedSessions.has(session) → (session !== undefined || !authenticatedSessions.has(sess…",
    reason: "A connection is noted as authenticated again with each call, which changes nothing.",
  },
  {
    file: "services/kit/src/rpc/listen.ts",
    label: "sendGoaway(); | sendGoaway(); → ;",
    reason: "The shutdown then sends GOAWAY itself, a moment later.",
  },
  {
    file: "services/kit/src/rpc/platform/tenants-of.ts",
    label:
      'const client = createClient(TenantService, isOwn ? inProcessTransport(() => endpoints, name) : peer("identity")); | isOwn → true',
    reason: "In the mesh no platform caller would get in: test/mesh/platform-callers.nightly.test.ts.",
  },
];
