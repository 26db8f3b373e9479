// The cost of a request is at most proportional to its size, and none blocks the event loop: hostile contents in every text and list
// field of every operation, in lines and headers of HTTP, and in messages of gRPC.

import { afterAll, expect, test } from "vitest";
import { startAttacked } from "../harness/attacked-product.ts";
import { GrowthAttack } from "./growth/attack.ts";
import { slowness } from "./growth/machine.ts";
import { formatTable, limits } from "./growth/screening.ts";
import { settings } from "./growth/settings.ts";

const seed = Number(process.env.GROWTH_SEED ?? 33);
const minutes = Number(process.env.GROWTH_MINUTES ?? 24);
/** Regular expression of operation names, `payloads` or `lines`, for manual runs. */
const only = process.env.GROWTH_ONLY ?? "";
/** Name of the first operation, to continue a run that ended for want of time. */
const from = process.env.GROWTH_FROM;
const isChosen = ({ name }: { readonly name: string }) => new RegExp(only).test(name);

const product = await startAttacked("one", settings);
const holdMaxMs = Math.round(limits.holdMaxMs * slowness());
const attack = await GrowthAttack.begin(product, { seed, holdMaxMs });
afterAll(() => attack.client.close());
const { screening } = attack;
const first = from === undefined ? 0 : attack.operations.findIndex(({ name }) => name === from);
if (first === -1) throw new Error(`GROWTH_FROM: there is no operation ${from}`);
const chosen = attack.operations.slice(first).filter(isChosen);
/**
 * Operations that refuse every request of the attack: of resources that it cannot create (erasures, deletions, and a member, who has
 * to sign in), and of exact copies, which need a cursor or an empty application.
 */
const unmade = [
  "GET /v0/erasures/{id}",
  "GET /v0/traces/deletions/{id}",
  "GET /v0/members/{id}",
  ...["catalog", "results", "traces"].flatMap((part) => [`GET /v0/transfer/${part}`, `POST /v0/transfer/${part}`]),
];
/** A repeated test would find the resources of the first try. */
const unrepeated = { retry: 0, timeout: (minutes + 5) * 60_000 };

test("fields of operations", unrepeated, async () => {
  attack.endAfter(minutes * 0.5);
  for (const operation of chosen) await attack.attack(operation);
  // A run that continues has not made the resources of earlier operations.
  if (from === undefined) expect(attack.refused.filter((operation) => !unmade.includes(operation))).toEqual([]);
  expect(faults()).toEqual([]);
});

test("payloads that the document leaves free", unrepeated, async () => {
  attack.endAfter(minutes * 0.25);
  if (isChosen({ name: "payloads" })) await attack.attackPayloads();
  expect(faults()).toEqual([]);
});

test("paths, queries and headers", unrepeated, async () => {
  attack.endAfter(minutes * 0.1);
  if (isChosen({ name: "lines" })) await attack.attackLines();
  expect(faults()).toEqual([]);
});

test("messages of gRPC", unrepeated, async () => {
  attack.endAfter(minutes * 0.15);
  await attack.attackMessages(chosen);
  expect(faults()).toEqual([]);
});

afterAll(() => {
  const { fields, fieldsLeft, firstLeft } = attack;
  const counts = `${screening.made} attacks on ${fields} fields, ${screening.accepted} accepted, ${fieldsLeft} fields left for want of time${firstLeft === undefined ? "" : `, from ${firstLeft} on`}`;
  console.log(
    `report: growth attack with seed ${seed}, holds of ${holdMaxMs} ms allowed: ${counts}\n${formatTable(screening.results)}\n`,
  );
});

/** Findings since the last call. */
let reported = 0;
function faults(): string[] {
  const found = screening.results.filter(({ fault }) => fault !== undefined);
  const names = found.map(({ operation, field, kind, fault }) => `${operation} ${field}: ${kind} ${fault}`);
  const first = reported;
  reported = names.length;
  return names.slice(first);
}
