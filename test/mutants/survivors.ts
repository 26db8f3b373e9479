export interface Survivor {
  readonly file: string;
  readonly label: string;
  readonly reason: string;
}

/** Generated mutations that may survive, each with its reason. */
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
    file: "services/kit/src/db/queue/pool.ts",
    label: "if (hasMore) loop.wake(); | hasMore → true",
    reason: "The loop looks once more than it must.",
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
    file: "services/kit/src/rpc/platform/create-tenants.ts",
    label:
      'const client = createClient(TenantService, isOwn ? inProcessTransport(() => endpoints, name) : peer("identity")); | isOwn → true',
    reason: "In the mesh no platform caller would get in: test/mesh/platform-callers.nightly.test.ts.",
  },
  {
    file: "services/kit/src/db/data-source.ts",
    label: "installExtensions: false, | false → true",
    reason: "No entity has a column type that an extension brings, so that TypeORM installs none.",
  },
  {
    file: "services/kit/src/events/nats/subscription.ts",
    label:
      "if (session.isOver || signal.aborted) return; | session.isOver || signal.aborted → (session.isOver && signal.aborted)",
    reason: "The pull then begins, and ends at once, since its session or the subscription is over.",
  },
  {
    file: "services/experiments/src/runs/rollups/apply-sums.ts",
    label:
      "AND b.state = 'dropped' AND b.ends > s.day::timestamp AT TIME ZONE 'UTC' AND b.ends <= (s.day + 1)::timestamp AT TIME ZONE 'UTC')`; | b.state = 'dropped' → (b.state = 'dropped' OR true)",
    reason: "Needs months that ClickHouse has alone, which this command does not start.",
  },
  {
    file: "services/kit/src/db/entity-statements.ts",
    label: "if (lock !== undefined) select.setLock(locks[lock]); | lock !== undefined → true",
    reason: "TypeORM takes no lock by a mode that is undefined.",
  },
  {
    file: "services/kit/src/db/role-prefix.ts",
    label: 'if (prefix === "") return dataSource; | prefix === "" → false',
    reason: "An empty prefix before each name leaves the statements as they are.",
  },
  {
    file: "services/kit/src/db/snapshot.ts",
    label: "if (call.deadlineMs <= monotonicMs()) throw deadlineExceeded(); | call.deadlineMs <= monotonicMs() → false",
    reason: "The connection's own deadline cancels the statement with the same error, a round trip later.",
  },
  {
    file: "services/kit/src/db/read.ts",
    label:
      "const results = await sendBatch(client, [...opening, ...statements, ...(isOne ? [] : [commit])]); | isOne → true",
    reason: "The transaction then ends by ROLLBACK, which loses nothing of a read.",
  },
  {
    file: "services/kit/src/db/connection-concurrency.ts",
    label: 'const key = isTenant ? scope.applicationId : ""; | isTenant → true',
    reason: "Work without a tenant then shares the key undefined instead of the empty one.",
  },
  {
    file: "services/kit/src/db/list-texts.ts",
    label:
      "options.search === undefined && !list.isFilled ? rowsOf(list, page, plan) : filledRowsOf(list, page, plan); | options.search === undefined → (options.search !== undefined)",
    reason: "Both texts find the same rows; which one is faster depends on the size of the rows.",
  },
  {
    file: "services/kit/src/rpc/port.ts",
    label: 'socket.off("timeout", silent); | socket.off("timeout", silent); → ;',
    reason: "Whatever sets a timeout later destroys the socket as well when it is over.",
  },
  {
    file: "services/kit/src/events/nats/topology.ts",
    label: "return number === undefined ? undefined : Number(number); | number === undefined → false",
    reason: "NaN is neither older than, nor newer than, nor equal to any version, as undefined is.",
  },
  {
    file: "services/kit/src/events/nats/connection.ts",
    label: "await nc.close(); | await nc.close(); → ;",
    reason:
      "A connection that opens while the bus is closed stays until the process ends, which is why the bus is closed.",
  },
  {
    file: "services/kit/src/db/data-source.ts",
    label: "synchronize: false, | false → true",
    reason: "Entities are as their tables (each service's schema.test.ts), so that there is nothing to synchronize.",
  },
  {
    file: "services/kit/src/db/insert.ts",
    label: "return { ...(isPrepared ? prepared(form) : { text: textOf(form) }), values }; | isPrepared → true",
    reason: "Each form of the statement then has a name on the server; what is inserted is the same.",
  },
  {
    file: "services/notifications/src/deliveries/worker/claim.ts",
    label:
      "const applications = claimed.map(({ applicationId }) => applicationId).sort(); | claimed.map(({ applicationId }) => applicationId).sort() → claimed.map(({ applicationId }) => applicationId)",
    reason: "The cursor may then lie behind, so that a round visits some applications again.",
  },
  {
    file: "services/traces/src/completion/claim-completed-traces.ts",
    label:
      "claimed.sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.traceId < b.traceId ? -1 : 1)); | a.traceId < b.traceId → true",
    reason: "Only the order of traces that were due at the same moment changes.",
  },
  {
    file: "services/experiments/src/runs/rollups/apply-sums.ts",
    label:
      "AND NOT EXISTS (SELECT FROM experiments.archive_batch b WHERE b.application_id = s.application_id AND b.kind = 'results' | AND → OR",
    reason: "Needs months that ClickHouse has alone, which this command does not start.",
  },
  {
    file: "services/kit/src/rpc/connection-age.ts",
    label: "Math.min(1_000, ageMs / 10), | ageMs / 10 → (ageMs * 10)",
    reason: "Connections end up to a second after their age.",
  },
  {
    file: "services/kit/src/db/connection.ts",
    label:
      'if (!isIdle(client)) await client.query("ROLLBACK").catch(() => undefined); | await client.query("ROLLBACK").catch(() => undefined); → ;',
    reason: "A connection that is not idle is then closed instead of being used again.",
  },
  {
    file: "services/kit/src/rpc/authenticate-call.ts",
    label:
      "if (session !== undefined && !authenticatedSessions.has(session)) { | session !== undefined && !authenticatedSessions.has(session) → true",
    reason: "A connection is recorded again with each call. If its stream has ended, no client receives the error.",
  },
];
